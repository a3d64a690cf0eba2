"""Local directions: `*TRANSFORM` of nodes and `*ORIENTATION` by name, rectangular, cylindrical or spherical."""

from dataclasses import dataclass

import numpy as np

from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import integer, real
from faying.fem.readers._abaqus_scopes import Deck, DeckScope, rotation_about
from faying.fem.readers._abaqus_sets import NamedSets

_KINDS = {
    "": "R", "R": "R", "RECTANGULAR": "R", "C": "C", "CYLINDRICAL": "C", "S": "S", "SPHERICAL": "S"
}  # fmt: skip
_OTHERS = ("Z RECTANGULAR", "USER")  # systems of *ORIENTATION that are not taken over


@dataclass(frozen=True, eq=False)
class Directions:
    """Directions that may differ from point to point.

    Attributes:
        kind: "R", "C" or "S".
        origin: (3,) a point on the axis, or the centre.
        frame: (3, 3) orthonormal rows: the axes of "R"; for "C" and "S" the last row is the polar axis.
        turn: (3, 3) additional rotation: the final directions as rows, in components of the directions before it.
    """

    kind: str
    origin: np.ndarray
    frame: np.ndarray
    turn: np.ndarray

    def at(self, points: np.ndarray) -> np.ndarray:
        """Return (n, 3, 3) the unit vectors of the directions 1, 2 and 3 at points (n, 3), as rows.

        Cylindrical: radial, tangential, axial. Spherical: radial, circumferential, meridional. On the axis itself the
        radial direction is any across it.
        """
        if self.kind == "R":
            own = np.broadcast_to(self.frame, (len(points), 3, 3))
        else:
            arms = points - self.origin
            radial = arms - np.outer(arms @ self.frame[2], self.frame[2])
            lengths = np.linalg.norm(radial, axis=1)
            on_axis = lengths <= 1e-9 * max(1e-300, float(np.abs(arms).max(initial=0.0)))
            radial = np.where(on_axis[:, None], self.frame[0], radial / np.maximum(lengths, 1e-300)[:, None])
            around = np.cross(self.frame[2], radial)
            if self.kind == "C":
                own = np.stack([radial, around, np.broadcast_to(self.frame[2], radial.shape)], axis=1)
            else:
                away = np.linalg.norm(arms, axis=1)
                outward = np.where(away[:, None] > 0.0, arms / np.maximum(away, 1e-300)[:, None], radial)
                own = np.stack([outward, around, np.cross(outward, around)], axis=1)
        return np.asarray(np.einsum("ij,njk->nik", self.turn, own))


def read_transforms(deck: Deck, node_sets: NamedSets, nodes: np.ndarray) -> dict[int, np.ndarray]:
    """Return (3, 3) the directions, as rows, of each node row to which the deck gives its own.

    Args:
        deck: its cards.
        node_sets: of the deck.
        nodes: (n, 3) coordinates.

    Raises:
        ReadError: for a set that is not there, or points that span no directions.
    """
    found: dict[int, np.ndarray] = {}
    for scope in deck.scopes:
        for card in scope.having("TRANSFORM"):
            rows = node_sets.members(scope.name, card.needed("NSET"), card.place)
            directions = _directions(scope, card, card.name("TYPE"))
            if directions is not None:
                found.update(zip(rows.tolist(), directions.at(nodes[rows]), strict=True))
    return found


def find_orientation(deck: Deck, scope: DeckScope, card: Card) -> Directions | None:
    """Return the directions that a card's ORIENTATION= names; None without, and for those that are listed as unread.

    Raises:
        ReadError: when there is no orientation of that name, or its points span no directions.
    """
    wanted = card.name("ORIENTATION")
    if not wanted:
        return None
    known: list[str] = []
    for owner in (scope,) if scope is deck.top else (scope, deck.top):
        for candidate in owner.having("ORIENTATION"):
            known.append(as_name(candidate.needed("NAME")))
            if known[-1] == wanted:
                if (
                    candidate.name("DEFINITION") in ("", "COORDINATES")
                    and candidate.name("SYSTEM") not in _OTHERS
                ):
                    return _directions(owner, candidate, candidate.name("SYSTEM"))
                deck.unread.parameter(card, "ORIENTATION")
                return None
    raise card.error(f"there is no orientation {wanted}.", f"Known are: {', '.join(known) or 'none'}.")


def _directions(scope: DeckScope, card: Card, system: str) -> Directions | None:
    kind = _KINDS.get(system)
    if kind is None:
        known = "R, C or S" if card.keyword == "TRANSFORM" else "RECTANGULAR, CYLINDRICAL or SPHERICAL"
        raise card.error(f"found the system {system}, expected {known}.", "Mend this line.")
    rows = list(card.rows())
    if not rows:
        raise card.error("expected a line with the coordinates of two points.", "Add it.")
    place, fields = rows[0]
    numbers = [real(text, place, "a coordinate") for text in fields]
    numbers += [0.0] * (9 - len(numbers))
    first, second, third = np.array(numbers[:9]).reshape(3, 3)
    frame = _frame(first - third, second - third) if kind == "R" else _about(second - first)
    if frame is None:
        raise place.error("its points do not span directions.", "Give two points apart from each other.")
    turn = np.eye(3)
    if len(rows) > 1 and card.keyword == "ORIENTATION":
        at, texts = rows[1]
        axis = integer(texts[0], at, "the axis 1, 2 or 3") if texts[0] else 1
        if axis not in (1, 2, 3):
            raise at.error(f"found the axis {axis}, expected 1, 2 or 3.", "Mend this line.")
        angle = real(texts[1], at, "an angle") if len(texts) > 1 else 0.0
        turn = rotation_about(np.eye(3)[axis - 1], np.radians(angle)).T
    return Directions(kind, scope.rotation @ first + scope.translation, frame @ scope.rotation.T, turn)


def _frame(along: np.ndarray, beside: np.ndarray) -> np.ndarray | None:
    normal = np.cross(along, beside)
    if not np.linalg.norm(normal) > 1e-12 * np.linalg.norm(along) * np.linalg.norm(beside):
        return None
    axes = np.stack([along, np.cross(normal, along), normal])
    return np.asarray(axes / np.linalg.norm(axes, axis=1)[:, None])


def _about(axis: np.ndarray) -> np.ndarray | None:
    """Return a frame whose third axis is the one given."""
    if not np.linalg.norm(axis) > 0.0:
        return None
    across = np.eye(3)[int(np.argmin(np.abs(axis)))]
    frame = _frame(axis, across)
    return None if frame is None else frame[[1, 2, 0]]
