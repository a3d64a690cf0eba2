"""What is selected: an entity of the project, rows of contact pairs, faces picked in the 3D view."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

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


class Selection(QObject):
    """The selection of the window; not undoable, never in the project.

    Attributes:
        entity: path of the selected entity in the project; () is the project itself.
        pairs: selected contact pairs, or None.
        faces: faces picked in the 3D view, the oldest first; two at most.
    """

    entity_changed = Signal(object)
    pairs_changed = Signal(object)
    faces_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entity: EntityPath = ()
        self.pairs: PairRows | None = None
        self.faces: tuple[PickedFace, ...] = ()

    def select(self, path: EntityPath) -> None:
        """Select an entity."""
        if path != self.entity:
            self.entity = path
            self.entity_changed.emit(path)

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

    def drop_faces(self) -> None:
        """Forget picked faces."""
        if self.faces:
            self.faces = ()
            self.faces_changed.emit(())
