"""What lies under the pointer at rest: its face lights up, with name, area and place."""

import numpy as np
from PySide6.QtCore import QObject, QPointF

from faying.fem.facet_names import face_in_words, sets_of_facet
from faying.fem.model import FeModel
from faying.fem.skin import Skin, elements_and_faces
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.units import unit_text
from faying_app.context import Context
from faying_app.scene.lit_face import seen_outlines, solid_outlines
from faying_app.scene.overlay import Lit
from faying_app.scene.picking import Picked
from faying_app.scene.viewport import Viewport
from faying_app.scene.visuals.probes import probe_text
from faying_app.shell.presenter import Presenter

_MOST_NAMES = 3  # of each kind, the smallest sets


class Hover(QObject):
    """Lights up what is under the pointer; nothing is selected by it.

    The status bar shows the place: for a body that in the undeformed model, whichever frame is shown.
    """

    def __init__(
        self, context: Context, viewport: Viewport, presenter: Presenter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._viewport, self._presenter = context, viewport, presenter
        self._scene = viewport.scene
        self._outlined: tuple[object, list[np.ndarray]] = (None, [])
        viewport.hovered.connect(self.look)
        viewport.left.connect(self.clear)
        presenter.refreshed.connect(self.clear)
        presenter.frame_shown.connect(self.clear)
        context.view.changed.connect(lambda name: self.clear() if name == "pointer" else None)

    def clear(self) -> None:
        """Light up nothing any more."""
        if self._viewport.overlay is not None:
            self._viewport.overlay.light(None)
        self._context.point_at("")

    def look(self, found: Picked | None, at: QPointF) -> None:
        """Light up what was found under the pointer and say what it is."""
        overlay = self._viewport.overlay
        if overlay is None or self._context.view.playing:
            return
        if found is None:
            self.clear()
            return
        if self._context.view.values.pointer == "probe":
            row = self._scene.pick_node(*self._viewport.pixel_of(at))
            words = [] if row is None else probe_text(self._scene.content, row).splitlines()
            outlines: list[np.ndarray] = []
        else:
            words, facets = self._described(found)
            outlines = self._of_shape(found) if found.kind == "surface" else self._outlines(facets)
        overlay.light(Lit(tuple(outlines), tuple(words), at, self._scene.camera))
        self._context.point_at(self._place(found))

    def _outlines(self, facets: np.ndarray) -> list[np.ndarray]:
        content = self._scene.content
        if not len(facets) or content.skin is None:
            return []
        key = (facets.tobytes(), self._scene.camera, content.frame, id(content.skin), content.body_look)
        if self._outlined[0] == key:
            return self._outlined[1]
        looked_through = content.body_look != "solid"
        depths = None if looked_through else self._viewport.depths()
        sheet = self._scene.stage.sheet()
        found = seen_outlines(content.skin, facets, content.positions_at, sheet, depths)
        self._outlined = key, found
        return found

    def _of_shape(self, found: Picked) -> list[np.ndarray]:
        """Return the outlines of a rigid part's shape, or of a surface of it or of ground."""
        system = self._scene.content.system
        if system is None:
            return []
        places = system.surface_places(found.number, self._scene.content.poses)
        triangles = system.surfaces[found.number].triangles
        return solid_outlines(places, triangles, self._scene.stage.sheet(), self._viewport.depths())

    def _described(self, found: Picked) -> tuple[list[str], np.ndarray]:
        """Return what something is called, in lines, and the facets in the picture that light up for it."""
        none = np.zeros(0, np.int64)
        system, shown = self._scene.content.system, self._presenter.shown_body
        if system is not None and found.kind not in ("pair", "facet"):
            name = getattr(system, f"{found.kind}s")[found.number].name
            owner, _, own = name.partition(".")
            shape = found.kind == "surface" and not own  # the looks of the part itself
            lines = [f"Part {owner}" if shape else f"{found.kind.capitalize()} {name}"]
            if found.kind == "part" and found.facet >= 0:
                more, facets = self._of_part(name, found.facet)
                return lines + more, facets
            return lines, none
        if shown is None:
            return [], none
        body, model, skin = shown
        if found.kind == "pair":
            pairs = self._scene.content.pairs
            if pairs is None or found.number >= len(pairs):
                return [], none
            gap, unit = pairs.initial_gaps[found.number], unit_text("length", self._context.project.units)
            at = slave_in_words(pairs, model, found.number)
            return [f"Contact pair {found.number}", at, f"initial gap {gap:.4g} {unit}"], none
        facet = self._presenter.subject.skin_facet(found.number)
        lines, facets = self._of_face(body, model, skin, facet)
        return lines, self._presenter.subject.shown_facets(facets)

    def _of_part(self, part: str, facet: int) -> tuple[list[str], np.ndarray]:
        """Return the lines and facets of a face of a system's part; `facet` counts those of all parts."""
        own = np.array(self._scene.content.facets_of_part(part), np.int64)
        shown = self._presenter.subject.system
        spec = next((each for each in shown.parts if each.name == part), None) if shown is not None else None
        body = spec.body_name() if spec is not None else ""
        model, skin = self._context.computed.model(body), self._context.computed.skin(body)
        if model is None or skin is None or len(own) != len(skin.areas):
            return [], np.zeros(0, np.int64)
        lines, facets = self._of_face(body, model, skin, int(np.searchsorted(own, facet)))
        return lines, own[facets]

    def _of_face(self, body: str, model: FeModel, skin: Skin, facet: int) -> tuple[list[str], np.ndarray]:
        labels = self._context.computed.smooth_faces(body)
        facets = np.zeros(0, np.int64) if labels is None else np.flatnonzero(labels == labels[facet])
        area = f"{skin.areas[facets].sum():.5g} {unit_text('area', self._context.project.units)}"
        named = sets_of_facet(model, skin, facet)
        surfaces = [*self._surfaces_of_body(body, skin, facet), *named["surface"]]
        lines = [f"{', '.join(surfaces[:_MOST_NAMES])}" if surfaces else "Smooth face"]
        lines[0] += f": {area}"
        for kind in ("element set", "node set"):
            if named[kind]:
                lines.append(f"{kind} {', '.join(named[kind][:_MOST_NAMES])}")
        parts = self._context.computed.parts(body)
        if parts is not None and parts[1] > 1:
            name, _ = self._context.computed.part_names(body)[int(parts[0][facet])]
            lines.append(name if name.startswith("part ") else f"part {name}")
        lines.append(face_in_words(model, skin, facet))
        return lines, facets

    def _surfaces_of_body(self, name: str, skin: Skin, facet: int) -> list[str]:
        """Return the surfaces of joints and for contact that a facet belongs to, as the project calls them."""
        body, computed = self._context.project.body(name), self._context.computed
        own: list[tuple[str, Surface | None]] = [
            (f"{role} of {joint.name}", computed.surface(name, joint, role))
            for joint in body.joints
            for role in ("master", "slave")
        ]
        for each in body.contact_surfaces:
            found = computed.contact_surface(body, each)
            own.append((f"contact surface {each.name}", found[1] if isinstance(found, tuple) else None))
        element, face = (of_all[facet] for of_all in elements_and_faces(skin.surface))

        def holds(surface: Surface) -> bool:
            elements, faces = elements_and_faces(surface)
            return bool(((elements == element) & (faces == face)).any())

        return [words for words, surface in own if surface is not None and holds(surface)]

    def _place(self, found: Picked) -> str:
        """Return where a picked place is, in words: in the undeformed model where it is on one."""
        content = self._scene.content
        still = content.model is not None and content.system is None
        place = found.place_in(content.model.nodes) if still and content.model is not None else found.position
        return place_in_words(np.array(place), content.size, self._context.project.units)


def place_in_words(place: np.ndarray, size: float, units: str) -> str:
    """Return a place (3,) with the digits that a pixel resolves: "x 12.3 y 0 z 4.56 mm"."""
    digits = max(0, 4 - int(np.floor(np.log10(max(size, 1e-300))))) if size > 0.0 else 3
    x, y, z = (f"{round(float(v), digits) + 0.0:.{min(digits, 9)}f}" for v in place)
    return f"x {x}   y {y}   z {z} {unit_text('length', units)}"


def slave_in_words(pairs: ContactPairs, model: FeModel, number: int) -> str:
    """Return where a pair is: its slave node, or the nodes of the facet that its integration point is on."""
    if pairs.slave_nodes is not None:
        return f"slave node {model.node_ids[pairs.slave_nodes[number]]}"
    nodes = np.unique(pairs.slave_shares[0][number])
    return f"integration point between nodes {', '.join(map(str, model.node_ids[nodes]))}"
