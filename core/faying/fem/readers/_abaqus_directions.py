"""Local directions: `*TRANSFORM` of nodes and `*ORIENTATION` by name: rectangular, cylindrical or spherical."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_numbers import integer, real
from faying.fem.readers._abaqus_scopes import Deck, DeckScope, rotation_about
from faying.fem.readers._abaqus_sets import NamedSets
from faying.fem.readers._text_files import FileLine
from faying.fem.shell_axes import surface_axes

_KINDS = {
    "": "R", "R": "R", "RECTANGULAR": "R", "C": "C", "CYLINDRICAL": "C", "S": "S", "SPHERICAL": "S"
}  # fmt: skip
_Z_KINDS = {
    "ZRECTANGULAR": "Z",
    "Z RECTANGULAR": "Z",
}  # of *ORIENTATION: the first point lies on the third axis
PointsOf = Callable[[DeckScope, FileLine, list[str]], np.ndarray]
_Rows = list[tuple[FileLine, list[str]]]
DistributionOf = Callable[[DeckScope, Card], tuple[_Rows, np.ndarray, dict[int, np.ndarray]] | None]


@dataclass(frozen=True, eq=False)
class Directions:
    """Directions that may differ from point to point.

    Attributes:
        kind: "R", "C" or "S".
        origin: (3,) a point on the axis, or the centre.
        frame: (3, 3) orthonormal rows: the axes of "R"; for "C" and "S" the last row is the polar axis.
        angle: additional rotation (rad) about `axis` (0, 1, 2; -1 if the deck does not name it).
        of_elements: frames (3, 3) by element row from a distribution; other elements have `frame`.
    """

    kind: str
    origin: np.ndarray
    frame: np.ndarray
    angle: float = 0.0
    axis: int = -1
    of_elements: dict[int, np.ndarray] = field(default_factory=dict)

    def at(self, points: np.ndarray, elements: np.ndarray | None = None) -> np.ndarray:
        """Return (n, 3, 3) the unit vectors of the directions 1, 2 and 3 at points (n, 3) in elements (n,), as rows.

        Cylindrical: radial, tangential, axial. Spherical: radial, circumferential, meridional. On the axis the radial
        direction is an arbitrary perpendicular.
        """
        turn = rotation_about(np.eye(3)[max(self.axis, 0)], self.angle).T
        return np.asarray(np.einsum("ij,njk->nik", turn, self._unturned(points, elements)))

    def _unturned(self, points: np.ndarray, elements: np.ndarray | None) -> np.ndarray:
        if self.kind == "R":
            own = np.broadcast_to(self.frame, (len(points), 3, 3))
            if self.of_elements and elements is not None:
                own = np.stack([self.of_elements.get(row, self.frame) for row in elements.tolist()])
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
        return np.asarray(own)

    def on_surfaces(
        self, points: np.ndarray, normals: np.ndarray, elements: np.ndarray | None = None
    ) -> np.ndarray:
        """Return (n, 3, 3) the directions on shells (n,) through points (n, 3) with unit normals (n, 3), as rows.

        Abaqus' rule: after the additional rotation, its axis is taken as the normal, and the following axis is
        projected onto the shell and becomes the first. Without an axis in the deck, which Abaqus does not permit, the
        direction nearest to the normal is used.
        """
        own = self.at(points, elements)
        axis = np.full(len(points), self.axis)
        if self.axis < 0:
            axis = np.abs(np.einsum("nij,nj->ni", own, normals)).argmax(axis=1)
        rows = np.arange(len(points))
        along = np.stack([own[rows, (axis + i) % 3] for i in (1, 2, 0)], axis=1)
        return surface_axes(normals, along)


def read_transforms(deck: Deck, node_sets: NamedSets, nodes: np.ndarray) -> dict[int, np.ndarray]:
    """Return (3, 3) directions, as rows, by node row, for nodes with their own directions.

    Args:
        deck: its cards.
        node_sets: of the deck.
        nodes: (n, 3) coordinates.

    Raises:
        ReadError: for a missing set, or points that do not define directions.
    """
    found: dict[int, np.ndarray] = {}
    for scope in deck.scopes:
        for card in scope.having("TRANSFORM"):
            rows = node_sets.members(scope.name, card.needed("NSET"), card.place)
            directions = _directions(scope, card, card.name("TYPE"))
            if directions is not None:
                found.update(zip(rows.tolist(), directions.at(nodes[rows]), strict=True))
    return found


def find_orientation(
    deck: Deck,
    scope: DeckScope,
    card: Card,
    wanted: str = "",
    points_of: PointsOf | None = None,
    distribution_of: DistributionOf | None = None,
) -> Directions | None:
    """Return the directions named by a card's ORIENTATION=; None without, or if they are listed as unread.

    Args:
        deck: its cards.
        scope: of the card.
        card: that names it.
        wanted: name of the orientation, if not given by the card's parameter.
        points_of: returns the coordinates of the nodes that define directions.
        distribution_of: returns rows, common frame and frames of elements of an orientation by a distribution.

    Raises:
        ReadError: when there is no orientation of that name, or its points do not define directions.
    """
    wanted = wanted or card.name("ORIENTATION")
    if not wanted:
        return None
    known: list[str] = []
    for owner in (scope,) if scope is deck.top else (scope, deck.top):
        for candidate in owner.having("ORIENTATION"):
            known.append(as_name(candidate.needed("NAME")))
            if known[-1] == wanted:
                if _is_read(candidate, points_of):
                    return _directions(owner, candidate, candidate.name("SYSTEM"), points_of)
                if distribution_of is not None and (found := distribution_of(owner, candidate)) is not None:
                    rows, frame, of_elements = found
                    turned = _turned(candidate, rows, "R", np.zeros(3), frame)
                    return replace(turned, of_elements=of_elements)
                if points_of is not None:
                    raise card.error(
                        f"the orientation {wanted} (line {candidate.place.line}) is defined in a way that is not known "
                        "here, and the stiffness depends on it.",
                        "Define it by coordinates, nodes or a distribution.",
                    )
                deck.unread.parameter(card, "ORIENTATION")
                return None
    raise card.error(f"there is no orientation {wanted}.", f"Known are: {', '.join(known) or 'none'}.")


def _is_read(candidate: Card, points_of: PointsOf | None) -> bool:
    """Return whether an orientation is defined by points rather than by a subroutine, offsets or a distribution."""
    by = ("", "COORDINATES") if points_of is None else ("", "COORDINATES", "NODES")
    first = next((fields[0] for _, fields in candidate.rows()), "")
    return (
        candidate.name("DEFINITION") in by and candidate.name("SYSTEM") != "USER" and not first[:1].isalpha()
    )


def _directions(
    scope: DeckScope, card: Card, system: str, points_of: PointsOf | None = None
) -> Directions | None:
    kind = (_KINDS if card.keyword == "TRANSFORM" else _KINDS | _Z_KINDS).get(system)
    if kind is None:
        known = "R, C or S" if card.keyword == "TRANSFORM" else "RECTANGULAR, CYLINDRICAL or SPHERICAL"
        raise card.error(f"found the system {system}, expected {known}.", "Mend this line.")
    rows = list(card.rows())
    if not rows:
        raise card.error("expected a line with the coordinates of two points.", "Add it.")
    place, fields = rows[0]
    if card.name("DEFINITION") == "NODES" and points_of is not None:
        return _turned(card, rows, kind, *frame_of(kind, points_of(scope, place, fields), place))
    numbers = [real(text, place, "a coordinate") for text in fields]
    numbers += [0.0] * (9 - len(numbers))
    origin, frame = frame_of(kind, np.array(numbers[:9]).reshape(3, 3), place)
    # The deck's coordinates are those of the part, which the instance moves.
    return _turned(card, rows, kind, scope.rotation @ origin + scope.translation, frame @ scope.rotation.T)


def frame_of(kind: str, points: np.ndarray, place: FileLine) -> tuple[np.ndarray, np.ndarray]:
    """Return origin and frame (3, 3) of a system from points a, b and origin (3, 3); an axis needs only two points."""
    first, second, third = points
    if kind == "Z":
        turned = _frame(first - third, second - third)
        frame = None if turned is None else np.stack([turned[1], turned[2], turned[0]])
    else:
        frame = _frame(first - third, second - third) if kind == "R" else _about(second - first)
    if frame is None:
        raise place.error("its points do not span directions.", "Give two points apart from each other.")
    return first if kind in "CS" else third, frame


def _turned(
    card: Card, rows: list[tuple[FileLine, list[str]]], kind: str, origin: np.ndarray, frame: np.ndarray
) -> Directions:
    """Return directions with the additional rotation of the second line."""
    angle, axis = 0.0, 0
    if len(rows) > 1 and card.keyword == "ORIENTATION":
        at, texts = rows[1]
        axis = integer(texts[0], at, "the axis 1, 2 or 3") if texts[0] else 1
        if axis not in (1, 2, 3):
            raise at.error(f"found the axis {axis}, expected 1, 2 or 3.", "Mend this line.")
        angle = real(texts[1], at, "an angle") if len(texts) > 1 else 0.0
    kind = "R" if kind == "Z" else kind
    return Directions(kind, origin, frame, float(np.radians(angle)), axis - 1)


def _frame(along: np.ndarray, beside: np.ndarray) -> np.ndarray | None:
    normal = np.cross(along, beside)
    if not np.linalg.norm(normal) > 1e-12 * np.linalg.norm(along) * np.linalg.norm(beside):
        return None
    axes = np.stack([along, np.cross(normal, along), normal])
    return np.asarray(axes / np.linalg.norm(axes, axis=1)[:, None])


def _about(axis: np.ndarray) -> np.ndarray | None:
    """Return a frame with the given third axis."""
    if not np.linalg.norm(axis) > 0.0:
        return None
    across = np.eye(3)[int(np.argmin(np.abs(axis)))]
    frame = _frame(axis, across)
    return None if frame is None else frame[[1, 2, 0]]
