"""The pointer in the 3D view: clicks become selections."""

from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt

from faying.fem.facet_names import face_in_words, names_of_facets
from faying.fem.skin import elements_and_faces
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.part_kinds.rigid import WHOLE_SHAPE
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.specs import BodySpec
from faying.units import unit_text
from faying_app.context import Context
from faying_app.entities import body_at, joint_at, system_path
from faying_app.scene.picking import Picked
from faying_app.scene.viewport import Viewport
from faying_app.scene.visuals.probes import node_number
from faying_app.selection import SMOOTH_ANGLE, EntityPath, PairRows, PickedFace, PickedSide
from faying_app.shell.presenter import Presenter
from faying_app.view_state import Probe


class Pointer(QObject):
    """Turns the viewport's picks into selections."""

    def __init__(
        self, context: Context, viewport: Viewport, presenter: Presenter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._presenter, self._scene = context, presenter, viewport.scene
        viewport.facet_clicked.connect(self.facet_clicked)
        viewport.pair_clicked.connect(self.pair_clicked)
        viewport.member_clicked.connect(self.member_clicked)
        viewport.side_clicked.connect(self.side_clicked)
        viewport.node_clicked.connect(self.node_clicked)
        viewport.axis_clicked.connect(context.view.turn)
        viewport.nothing_clicked.connect(self.nothing_clicked)
        viewport.menu_wanted.connect(self.menu_wanted)

    def facet_clicked(self, facet: int, modifiers: Any) -> None:
        """Pick a face of the body; with Ctrl a second one."""
        shown = self._presenter.shown_body
        if shown is None:
            return
        name, model, skin = shown
        if self._context.computed.model(name) is not model:
            self._context.say("This picture shows the former model; there is no current one to pick from.")
            return
        facet = self._presenter.subject.skin_facet(facet)
        ((element, face),) = names_of_facets(model, skin, [facet])
        self._context.selection.mark(None)
        if self._context.selection.give(name, "face", PickedFace(name, facet, element, face)):
            return
        self._context.selection.pick_face(PickedFace(name, facet, element, face), add=_adds(modifiers))
        area = skin.areas[skin.grow(facet, SMOOTH_ANGLE)].sum()
        unit = unit_text("area", self._context.project.units)
        words = _capital(face_in_words(model, skin, facet))
        self._context.say(f"{words}, on a smooth surface of {area:.5g} {unit}; hold Ctrl for a second one.")

    def pair_clicked(self, row: int, modifiers: Any) -> None:
        """Select a contact pair; with Ctrl add it or take it away."""
        body = body_at(self._context.project, self._context.entity)
        joint = joint_at(self._context.project, self._context.entity)
        if body is None or joint is None:
            return
        now = self._context.selection.pairs
        rows = {row}
        if _adds(modifiers) and now is not None and (now.body, now.joint) == (body.name, joint.name):
            rows = set(now.rows) ^ {row}
        self._context.selection.select_pairs(PairRows(body.name, joint.name, tuple(sorted(rows))))
        self._context.window.show_panel("pairs")

    def member_clicked(self, kind: str, number: int) -> None:
        """Select a part, constraint or force of the shown system."""
        system, shown = self._scene.content.system, self._presenter.subject.system
        if system is None or shown is None:
            return
        among = f"{kind}s"
        name = getattr(system, among)[number].name
        more = "; Ctrl+click picks its surface for contact" if kind in ("part", "surface") else ""
        self._context.say(f"{kind.capitalize()} {name!r}{more}")
        if self._scene.content.frame is not None:
            return  # to select something else would take the motion away that is looked at
        at = system_path(self._context.project, shown.name)
        if kind == "surface" and not name.startswith(f"{GROUND}."):
            name, among = name.partition(".")[0], "parts"
        elif kind == "surface":
            self._context.selection.select((*at, *_place_of_surface(shown, name)))
            return
        names = [member.name for member in getattr(shown, among)]
        self._context.selection.select((*at, among, names.index(name)))

    def side_clicked(self, found: Picked) -> None:
        """Pick a side of a contact between parts: a rigid surface, a contact surface, or a face where there is none."""
        shown, system = self._presenter.subject.system, self._scene.content.system
        if system is None or shown is None:
            return
        if found.kind == "surface":
            owner, _, own = system.surfaces[found.number].name.partition(".")
            side = PickedSide(shown.name, owner, own or WHOLE_SHAPE)
        else:
            name = system.parts[found.number].name
            part = next(part for part in shown.parts if part.name == name)
            body = next((b for b in self._context.project.bodies if b.name == part.body_name()), None)
            own_surfaces = part.surface_names(() if body is None else [s.name for s in body.contact_surfaces])
            if body is not None and found.facet >= 0:
                facet = self._scene.content.facets_of_part(name).index(found.facet)
                side = self._side_of_facet(shown, name, body, facet)
            elif len(own_surfaces) == 1:
                side = PickedSide(shown.name, name, own_surfaces[0])
            else:
                self._context.say(
                    f"Part {name!r} has no surface there: Model ▸ System ▸ Add rigid surface gives it one."
                )
                return
        self._context.selection.pick_side(side, flexible=_is_flexible(shown, side.part))
        what = f"surface {side.surface!r}" if side.surface else "a smooth surface"
        count = len(self._context.selection.sides)
        then = (
            "Model ▸ System ▸ Contact between parts joins both."
            if count == 2
            else "Ctrl+click the surface that it may touch."
        )
        self._context.say(f"Picked {what} of {side.part!r}. {then}")

    def _side_of_facet(self, shown: SystemSpec, part: str, body: BodySpec, facet: int) -> PickedSide:
        """Return the contact surface that a facet of a body's skin belongs to, or the face itself."""
        model, skin = self._context.computed.model(body.name), self._context.computed.skin(body.name)
        assert model is not None and skin is not None
        elements, faces = elements_and_faces(skin.surface)
        for each in body.contact_surfaces:
            found = self._context.computed.contact_surface(body, each)
            if isinstance(found, tuple):
                own_elements, own_faces = elements_and_faces(found[1])
                if ((own_elements == elements[facet]) & (own_faces == faces[facet])).any():
                    return PickedSide(shown.name, part, each.name)
        # Wherever a smooth surface is clicked, it is the same side.
        facet = int(skin.grow(facet, SMOOTH_ANGLE)[0])
        ((element, face),) = names_of_facets(model, skin, [facet])
        return PickedSide(shown.name, part, "", PickedFace(body.name, facet, element, face))

    def node_clicked(self, row: int) -> None:
        """Probe a node, or no more if it is probed already."""
        view = self._context.view
        part, number = node_number(self._scene.content, row)
        shown = self._presenter.shown_body
        if shown is not None and self._context.selection.give(shown[0], "node", number):
            view.set(pointer="select")
            return
        probe = Probe(subject=self._presenter.subject.name, node=number, part=part)
        known = view.values.probes
        without = tuple(p for p in known if p != probe)
        view.set(probes=without if len(without) < len(known) else (*known, probe))

    def menu_wanted(self, found: Picked | None, position: QPoint) -> None:
        """Offer what can be done with the thing under the pointer, which is picked by it, and with the selection."""
        context, none = self._context, Qt.KeyboardModifier.NoModifier
        if found is None or context.view.values.pointer != "select":
            context.window.show_entity_menu(position)
            return
        if found.kind == "pair":
            if context.selection.pairs is None or found.number not in context.selection.pairs.rows:
                self.pair_clicked(found.number, none)
            context.window.show_entity_menu(position)
            return
        if found.kind == "facet":
            if not self._is_picked(found.number):
                self.facet_clicked(found.number, none)
            if not context.selection.faces:
                context.window.show_entity_menu(position)
                return
            context.window.show_picked_menu("face", position)
            return
        self.member_clicked(found.kind, found.number)
        if found.kind in ("part", "surface"):
            self.side_clicked(found)
            context.window.show_picked_menu(f"picked_{found.kind}", position)
        else:
            context.window.show_entity_menu(position)

    def _is_picked(self, shown_facet: int) -> bool:
        """Return whether a facet in the picture lies on a face that is picked already."""
        shown, picked = self._presenter.shown_body, self._context.selection.faces
        labels = None if shown is None else self._context.computed.smooth_faces(shown[0])
        if labels is None:
            return False
        label = labels[self._presenter.subject.skin_facet(shown_facet)]
        return any(labels[face.facet] == label for face in picked)

    def nothing_clicked(self, modifiers: Any) -> None:
        """Select nothing."""
        if not _adds(modifiers):
            self._context.selection.drop_faces()
            self._context.selection.drop_sides()
            self._context.selection.select_pairs(None)
            self._context.selection.mark(None)


def _is_flexible(system: SystemSpec, part: str) -> bool:
    """Return whether a part of a system deforms; ground does not."""
    return any(isinstance(each, FlexiblePartSpec) for each in system.parts if each.name == part)


def _place_of_surface(system: SystemSpec, name: str) -> EntityPath:
    """Return where a surface "ground.surface" is in its system."""
    own = name.partition(".")[2]
    return ("ground_surfaces", [surface.name for surface in system.ground_surfaces].index(own))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _adds(modifiers: Any) -> bool:
    wanted = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return bool(modifiers & wanted)
