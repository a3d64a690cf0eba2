"""What stands in the 3D view: a body with the selected joint, or the parts of a system."""

import logging
from typing import Any

import numpy as np

from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.contact_sides import ContactSide
from faying.project.specs import BodySpec
from faying.results.fields import FieldSource
from faying_app.context import Context
from faying_app.entities import body_at, contact_path, joint_at, kind_of
from faying_app.scene.camera import CameraPose
from faying_app.scene.scene import Scene
from faying_app.scene.system_picture import moved_blocks
from faying_app.selection import SMOOTH_ANGLE, PickedSide
from faying_app.shell.symbols import symbols_of
from faying_app.shell.system_picture import found_for, present_picture

log = logging.getLogger(__name__)

# Lists of a body whose members have a surface, and what it is called while one of them is selected.
_SURFACED = {
    "couplings": "Coupled surface", "supports": "Supported surface", "loads": "Loaded surface", "bolts": "Shank",
}  # fmt: skip


class ShownModel:
    """Puts a body or a system into the scene; what is there already is not made anew.

    Attributes:
        picture: of the system that is shown.
    """

    def __init__(self, context: Context, scene: Scene) -> None:
        self._context, self._scene = context, scene
        self._key: Any = None
        self._workspace: Any = None  # of the project that is shown
        self._kept: np.ndarray | None = None
        self._body: tuple[FeModel, Skin] | None = None
        self.picture: Any = None
        self._joint: Any = None
        self._symbols: Any = None
        self._marks: Any = None

    @property
    def body(self) -> tuple[str, FeModel, Skin] | None:
        """Name, model and skin of the body that is shown, None without one."""
        return (self._key[0], *self._body) if self._key is not None and self._body is not None else None

    def skin_facet(self, shown: int) -> int:
        """Return the number on the body's skin of a facet that is shown: hidden parts are left out of the picture."""
        return shown if self._kept is None else int(self._kept[shown])

    def shown_facets(self, facets: np.ndarray) -> np.ndarray:
        """Return the numbers in the picture of facets of the body's skin, without hidden ones."""
        if self._kept is None:
            return facets
        at = np.minimum(np.searchsorted(self._kept, facets), max(len(self._kept) - 1, 0))
        return at[self._kept[at] == facets] if len(self._kept) else np.zeros(0, np.int64)

    @property
    def name(self) -> str:
        """Name of the body or system that is shown, "" without one."""
        if self._key is None:
            return ""
        return str(self._key[1].name if self._body is None else self._key[0])

    def clear(self) -> None:
        """Show nothing."""
        if self._key is not None:
            self._key = self._joint = None
            self._scene.set_model(None, None)

    def show_body(self, body: BodySpec, model: FeModel, skin: Skin) -> bool:
        """Show a body with the symbols of its supports and loads."""
        changed = self._show_model(body, model, skin)
        symbols = symbols_of(self._context, body, model)
        if symbols != self._symbols:
            self._symbols = symbols
            self._scene.set_symbols(*symbols)
        return changed

    def _show_model(self, body: BodySpec, model: FeModel, skin: Skin) -> bool:
        self._begin_project()
        self._take_units()
        hidden = frozenset(p for name, p in self._context.view.values.hidden_parts if name == body.name)
        key = (body.name, id(model), hidden)
        if key == self._key:
            return False
        first = self._key is None
        same = not first and self._key[:2] == key[:2]
        again, size = not first and self._key[0] == body.name, self._scene.content.size
        self._key, self._body = key, (model, skin)
        self._joint = self._symbols = self._marks = None
        self._kept, shown, pose = None, skin, self._scene.camera
        parts = self._context.computed.parts(body.name) if hidden else None
        if parts is not None:
            self._kept = np.flatnonzero(~np.isin(parts[0], list(hidden)))
            shown = skin.part(self._kept)
        self._scene.set_model(model, shown)
        # One that was read again, with a coupling more, is looked at from where one stands.
        if same or (again and np.isclose(self._scene.content.size, size, rtol=0.01)):
            self._scene.camera = pose
            return True
        stored = self._context.view.values.camera
        if first and stored is not None:
            self._restore(stored)
        else:
            self._scene.view("iso")
        return True

    def show_system(self, system: SystemSpec) -> bool:
        """Show the parts of a system; a changed decision moves them and keeps the point of view."""
        self._begin_project()
        self._take_units()
        key = ("system", system, *found_for(self._context, system))
        if key == self._key:
            return False
        first, same = self._key is None, self._key is not None and self._key[:1] == ("system",)
        same = same and self._key[1].name == system.name and self._scene.content.size > 0.0
        pose = self._scene.camera
        fitted = self._scene.is_fitted
        self._key, self._body = key, None
        self._joint = self._symbols = None
        self.picture = present_picture(self._context, system)
        self._scene.set_model(self.picture.model, self.picture.skin, self.picture.shown)
        stored = self._context.view.values.camera
        if first and stored is not None:
            self._restore(stored)
        elif same and not fitted:
            self._scene.camera = pose
        elif same:
            self._scene.reset_camera()
        else:
            self._scene.view("iso")
        return True

    def show_contact(self, system: SystemSpec) -> None:
        """Show both sides of the selected contact, of one that is being picked, or the selected rigid surface."""
        path, picked = self._context.entity, self._context.selection.sides
        sides: list[PickedSide] = [side for side in picked if side.system == system.name]
        if not sides and (at := contact_path(self._context.project, path)):
            contact = self._context.value(at)
            names = [name.partition(".") for name in (contact.master, contact.slave)]
            sides = [PickedSide(system.name, owner, own) for owner, _, own in names]
        elif not sides and kind_of(path) == "rigid_surface":
            owner = GROUND if path[2] == "ground_surfaces" else str(self._context.value(path[:4]).name)
            sides = [PickedSide(system.name, owner, str(self._context.value(path).name))]
        shown = [self._side(system, side) for side in sides]
        shown += [(None, "")] * (2 - len(shown))
        (master, first), (slave, second) = shown
        key = ("contact", tuple(sides), first, second, id(self.picture), id(self._context.project))
        if key != self._joint:
            self._joint = key
            single = len(sides) == 1 and not picked
            roles = ("Contact surface", "") if single else ("Master", "Slave")
            self._scene.set_surfaces(master, slave, (first, second), roles)

    def _side(self, system: SystemSpec, side: PickedSide) -> tuple[Surface | None, str]:
        """Return the facets of a side among those of all parts, or the name of a rigid surface, "" for none."""
        name = f"{side.part}.{side.surface}"
        part = next((part for part in self.picture.shown.parts if part.name == side.part), None)
        surface = None
        if side.face is not None:
            skin = self._context.computed.skin(side.face.body)
            if skin is not None:
                surface = skin.chosen(skin.grow(side.face.facet, SMOOTH_ANGLE), name)
        else:
            found = self._context.computed.contact_side(system, name)
            if isinstance(found, ContactSide) and found.spec is not None:
                return None, name
            surface = found.surface if isinstance(found, ContactSide) else None
        if surface is None or part is None or part.rows.stop <= part.rows.start:
            return None, ""
        return Surface(name, tuple(moved_blocks(surface, part.rows.start))), ""

    def show_parts(self, body: BodySpec) -> None:
        """Give parts their colours when that is wanted, and mark what a check points at."""
        parts = self._context.computed.parts(body.name) if self._context.view.values.part_colours else None
        marked = self._context.selection.marked
        points = marked.points if marked is not None and marked.body == body.name else np.zeros((0, 3))
        key = (parts is None, id(points) if len(points) else 0)
        if key == self._marks:
            return
        self._marks = key
        labels = None if parts is None else parts[0] if self._kept is None else parts[0][self._kept]
        self._scene.set_parts(labels)
        self._scene.set_marks(points)

    def _proposed(self, body: BodySpec) -> tuple[Surface, Surface] | None:
        """Return the surfaces of proposed joints."""
        proposed = self._context.selection.proposed
        if proposed is None or proposed.body != body.name or self._body is None:
            return None
        skin = self._body[1]
        return skin.chosen(proposed.master, "of proposed joints"), skin.chosen(
            proposed.slave, "of proposed joints"
        )

    def show_joint(self, body: BodySpec, *, shown: bool) -> None:
        """Show the surfaces and pairs of the selected joint; the pairs also beside frames, for highlights."""
        path = self._context.entity
        joint = joint_at(self._context.project, path)
        chosen = joint is not None and len(path) >= 3 and path[2] == "joints"
        computed = self._context.computed
        pairs = computed.pairs(body.name, joint.name) if joint is not None else None
        roles = ("Master", "Slave")
        surfaces: tuple[Surface | None, Surface | None] = (
            (computed.surface(body.name, joint, "master"), computed.surface(body.name, joint, "slave"))
            if joint is not None and chosen
            else (None, None)
        )
        if len(path) >= 4 and path[2] == "contact_surfaces":
            found = computed.contact_surface(body, self._context.value(path[:4]))
            surfaces = None, found[1] if isinstance(found, tuple) else None
            roles = ("", "Contact surface")
        if len(path) >= 4 and path[:1] == ("bodies",) and path[2] in _SURFACED:
            value = self._context.value(path[:4])
            selection = getattr(value, "shank", None) or getattr(value, "surface", None)
            if selection is not None:
                surfaces = None, computed.chosen_surface(body.name, selection)
                roles = "", _SURFACED[str(path[2])]
        wanted = pairs if chosen or not shown else None
        proposal = self._context.selection.proposed
        front = str(path[4]) if chosen and len(path) >= 5 and path[4] in ("master", "slave") else ""
        named = joint.name if joint is not None else ""
        key = (named, id(wanted), *(id(s) for s in surfaces), id(proposal), roles, front)
        if key == self._joint:
            return
        if (proposed := self._proposed(body)) is not None:
            surfaces, wanted = proposed, None
        self._joint = key
        self._scene.set_surfaces(*surfaces, roles=roles, front=front if self._proposed(body) is None else "")
        self._scene.set_pairs(wanted)

    def joints_of(self, found: FieldSource) -> tuple[dict[str, ContactPairs], dict[str, Surface]]:
        """Return contact pairs and slave surfaces of the shown body or system by joint."""
        if found.of_body is None:
            return self.picture.pairs, self.picture.slaves
        computed = self._context.computed
        body = body_at(self._context.project, self._context.entity)
        pairs, slaves = {}, {}
        for joint in body.contact_joints if body is not None else ():
            assert body is not None
            if (known := computed.pairs(body.name, joint.name)) is not None:
                pairs[joint.name] = known
            if (slave := computed.surface(body.name, joint, "slave")) is not None:
                slaves[joint.name] = slave
        return pairs, slaves

    def _begin_project(self) -> None:
        """Look at another project that was opened from where it was looked at when it was saved."""
        workspace = self._context.session.workspace
        if workspace is not self._workspace:
            self._workspace, self._key = workspace, None

    def _take_units(self) -> None:
        if self._scene.content.units != self._context.project.units:
            self._scene.set_units(self._context.project.units)

    def _restore(self, words: dict[str, Any]) -> None:
        try:
            self._scene.camera = CameraPose(
                tuple(words["position"]), tuple(words["focal_point"]), tuple(words["view_up"]),
                float(words["half_height"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            log.info("a stored camera cannot be used: %s", error)
            self._scene.view("iso")
