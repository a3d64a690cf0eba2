"""What is selected: an entity of the project, rows of contact pairs, faces picked in the 3D view."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QObject, Signal

# Degrees between neighbouring facets up to which a picked face represents the smooth surface around it.
SMOOTH_ANGLE = 20.0

EntityPath = tuple[str | int, ...]


@dataclass(frozen=True)
class PairRows:
    """Rows of one joint's contact pairs."""

    body: str
    joint: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class PickedFace:
    """A face of an element on the skin of a body; `facet` is its number on the skin, `face` counts from 1."""

    body: str
    facet: int
    element: int
    face: int


@dataclass(frozen=True)
class PickedSide:
    """A side (master or slave) of a contact between parts to be added, picked in the 3D view of a system.

    Attributes:
        system, part: names; part "ground" for ground.
        surface: name of the contact surface that was picked; "" for a face where there is none yet.
        face: the face, on the body of the part; None on a surface of a rigid part.
    """

    system: str
    part: str
    surface: str
    face: PickedFace | None = None


@dataclass(frozen=True, eq=False)
class ProposedSurfaces:
    """Surfaces of joints that are proposed for a body: facet numbers on its skin."""

    body: str
    master: np.ndarray
    slave: np.ndarray


@dataclass(frozen=True, eq=False)
class MarkedPlaces:
    """Places of a body that a check points at: facet numbers on its skin, and points (n, 3)."""

    body: str
    facets: np.ndarray
    points: np.ndarray


@dataclass(frozen=True)
class WantedPick:
    """A pick in the 3D view that a field of a form waits for.

    Attributes:
        body: on which it has to be.
        what: "face", or "node".
        take: gets the picked face, or the node's number in the deck.
    """

    body: str
    what: Literal["face", "node"]
    take: Callable[[Any], None]


class Selection(QObject):
    """The selection of the window; not undoable, never in the project.

    Attributes:
        entity: path of the selected entity in the project; () is the project itself.
        entities: paths of all selected entities, `entity` among them.
        pairs: selected contact pairs, or None.
        faces: faces picked in the 3D view, the oldest first; two at most.
        sides: of a contact between parts, picked in the picture of a system, the oldest first; two at most.
        proposed: surfaces of joints that are proposed, or None.
        marked: places that a check points at, or None.
        wanted: the pick that a field of a form waits for, or None.

    `measured(faces)` asks for the radius of a picked face, or the angle between two.
    """

    entity_changed = Signal(object)
    entities_changed = Signal(object)
    pairs_changed = Signal(object)
    faces_changed = Signal(object)
    sides_changed = Signal(object)
    proposed_changed = Signal(object)
    marked_changed = Signal(object)
    measured = Signal(object)
    wanted_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entity: EntityPath = ()
        self.entities: tuple[EntityPath, ...] = ((),)
        self.pairs: PairRows | None = None
        self.faces: tuple[PickedFace, ...] = ()
        self.sides: tuple[PickedSide, ...] = ()
        self.proposed: ProposedSurfaces | None = None
        self.marked: MarkedPlaces | None = None
        self.wanted: WantedPick | None = None

    def select(self, path: EntityPath) -> None:
        """Select an entity."""
        self.select_all((path,))

    def select_all(self, paths: Sequence[EntityPath], current: EntityPath | None = None) -> None:
        """Select entities; `current`, by default the last one, is the one that is shown."""
        entity = paths[-1] if current is None or current not in paths else current
        if tuple(paths) != self.entities:
            self.want(None)
        moved, changed = entity != self.entity, tuple(paths) != self.entities
        self.entity, self.entities = entity, tuple(paths)
        if moved:
            self.entity_changed.emit(entity)
        if changed:
            self.entities_changed.emit(self.entities)

    def select_pairs(self, pairs: PairRows | None) -> None:
        """Select contact pairs, or none."""
        if pairs is not None and not pairs.rows:
            pairs = None
        if pairs != self.pairs:
            self.pairs = pairs
            self.pairs_changed.emit(pairs)

    def pick_face(self, face: PickedFace, *, add: bool = False) -> None:
        """Pick a face; with `add`, keep the one picked before."""
        faces = (*self.faces[-1:], face) if add and self.faces[-1:] != (face,) else (face,)
        if faces != self.faces:
            self.faces = faces
            self.faces_changed.emit(faces)

    def measure_faces(self) -> None:
        """Ask to measure the picked faces."""
        self.measured.emit(self.faces)

    def drop_faces(self) -> None:
        """Forget picked faces."""
        if self.faces:
            self.faces = ()
            self.faces_changed.emit(())

    def pick_side(self, side: PickedSide, *, flexible: bool = False) -> None:
        """Pick a side of a contact; the one picked before is kept as the other side.

        A side of the same part replaces it, except on a flexible part, which may touch itself.
        """
        others = [one for one in self.sides if one.system == side.system and one != side]
        if not flexible or len(others) > 1:
            others = [one for one in others if one.part != side.part]
        self.sides = (*others[-1:], side)
        self.sides_changed.emit(self.sides)

    def drop_sides(self) -> None:
        """Forget picked sides."""
        if self.sides:
            self.sides = ()
            self.sides_changed.emit(())

    def want(self, pick: WantedPick | None) -> None:
        """Wait for a pick on behalf of a form, or no longer."""
        if pick is not self.wanted:
            self.wanted = pick
            self.wanted_changed.emit(pick)

    def give(self, body: str, what: str, found: Any) -> bool:
        """Give a pick to the field that waits for it; return whether one did."""
        wanted = self.wanted
        if wanted is None or (wanted.body, wanted.what) != (body, what):
            return False
        self.want(None)
        wanted.take(found)
        return True

    def propose(self, surfaces: ProposedSurfaces | None) -> None:
        """Show the surfaces of proposed joints, or none any more."""
        if surfaces is not self.proposed:
            self.proposed = surfaces
            self.proposed_changed.emit(surfaces)

    def mark(self, places: MarkedPlaces | None) -> None:
        """Point at places, or at nothing any more."""
        if places is not self.marked:
            self.marked = places
            self.marked_changed.emit(places)
