"""Which kinematic joint two faces or edges of two parts suggest, with its place and axes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from faying.fem.face_shapes import FaceShape
from faying.multibody.part_shapes import axes_along

_SAME = 0.02  # of the larger size: distance up to which places are one
_PARALLEL = 1.0  # degrees


@dataclass(frozen=True, eq=False)
class JointOfFaces:
    """A joint between two faces as they are in space.

    Attributes:
        kind: of the constraint.
        places: (2, 3) of the markers on the first and second part.
        axes: (2, 3, 3) of the markers, unit vectors in the columns; the joint acts along z.
        reason: a clause that says why.
        order: which of both markers is the constraint's first one, and which its second.
    """

    kind: str
    places: np.ndarray
    axes: np.ndarray
    reason: str
    order: tuple[int, int] = (0, 1)

    @property
    def away(self) -> float:
        """How far the markers are apart."""
        return float(np.linalg.norm(self.places[1] - self.places[0]))

    @property
    def tilt(self) -> float:
        """Angle between their z axes in degrees."""
        return _angle(self.axes[0][:, 2], self.axes[1][:, 2])

    def as_placed(self) -> "JointOfFaces":
        """Return the joint with both markers where the first one is: it moves neither part."""
        return replace(self, places=self.places[[0, 0]], axes=self.axes[[0, 0]])


_Rule = Callable[[FaceShape, FaceShape], tuple[list[str], str, FaceShape, FaceShape]]


def joints_of_faces(first: FaceShape, second: FaceShape) -> tuple[JointOfFaces, ...]:
    """Return the joints that two faces suggest, the likeliest first, and after them the others that fit their axes.

    Two round faces and two balls share their middles, flat faces lie on each other; a marker's z axis is the axis of a
    round face or edge, and the normal of a flat face, along whose longer side a slide goes. Where the faces are apart
    or at an angle as placed, so are the markers, and assembly brings them together.

    Args:
        first, second: in space, on two parts.
    """
    turned = (first.kind, second.kind) not in _RULES
    one, two = (second, first) if turned else (first, second)
    kinds, reason, one, two = _RULES[one.kind, two.kind](one, two)
    places, axes = _markers(one, two)
    if turned:
        places, axes = places[::-1], axes[::-1]
    others = [kind for kind in _ANY if kind not in kinds]
    sliding = (
        axes if not one.across.any() else np.stack([axes[:, :, 2], -axes[:, :, 1], axes[:, :, 0]], axis=2)
    )
    guided = (0, 1) if turned else (1, 0)  # the plane or line is the first marker's, the ball the second
    return tuple(
        JointOfFaces(
            kind, places, sliding if kind == "translational" else axes, reason,
            guided if kind in ("in_plane", "point_on_line") else (0, 1),
        )
        for kind in (*kinds, *others)
    )  # fmt: skip


_ANY = ("revolute", "cylindrical", "translational", "planar", "spherical", "universal", "fixed")


def _markers(one: FaceShape, two: FaceShape) -> tuple[np.ndarray, np.ndarray]:
    """Return places (2, 3) and axes (2, 3, 3) of the markers of two faces."""
    way = one.axis if one.axis.any() else two.axis if two.axis.any() else np.array([0.0, 0.0, 1.0])
    beside = one.across if one.across.any() else two.across if two.across.any() else None
    other = two.axis if two.axis.any() else way
    if one.kind == two.kind == "plane":
        other = -other  # faces of two parts lie on each other from opposite sides
    elif other @ way < 0.0:
        other = -other
    if _angle(way, other) <= _PARALLEL:
        other = way
    axes = np.array([axes_along(way, beside), axes_along(other, beside)])
    places = np.array([one.centre, two.centre])
    if np.linalg.norm(places[1] - places[0]) <= 1e-9 * max(one.size, two.size):
        places[1] = places[0]
    return places, axes


def _rounds(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return a hinge, or a shaft that slides as well, of two round faces.

    A shaft through a hole of about its length turns; one that is much longer than the hole slides, too.
    """
    shorter, longer = sorted((one.length, two.length))
    slides = longer > 2.5 * shorter
    kinds = ["cylindrical", "revolute"] if slides else ["revolute", "cylindrical"]
    coaxial = _angle_of_lines(one.axis, two.axis) <= _PARALLEL and _offset(one, two) <= _SAME * max(
        one.size, two.size
    )
    if coaxial:
        middle = _middle_of_common(one, two)
        one, two = (
            replace(each, centre=each.centre + ((middle - each.centre) @ one.axis) * one.axis)
            for each in (one, two)
        )
        if _offset(one, two) <= 1e-6 * max(one.size, two.size):
            two = replace(two, centre=one.centre)
        return kinds, "two round faces about one axis", one, two
    return kinds, "two round faces", one, two


def _middle_of_common(one: FaceShape, two: FaceShape) -> np.ndarray:
    """Return the point (3,) on the axis half way along what two round faces of one axis have in common."""
    at = float((two.centre - one.centre) @ one.axis)
    low = max(-0.5 * one.length, at - 0.5 * two.length)
    high = min(0.5 * one.length, at + 0.5 * two.length)
    # Apart along the axis, half way between them.
    return np.asarray(one.centre + 0.5 * (low + high) * one.axis)


def _flats(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return sliding on each other of two flat faces, at the middle of the smaller one where they face each other."""
    height = abs(float((two.centre - one.centre) @ one.axis))
    if _angle_of_lines(one.axis, two.axis) > _PARALLEL:
        return ["planar", "fixed"], "two flat faces at an angle", one, two
    smaller, larger = (one, two) if one.size <= two.size else (two, one)
    foot = smaller.centre - ((smaller.centre - larger.centre) @ larger.axis) * larger.axis
    if np.linalg.norm(foot - larger.centre) <= larger.size:  # else it is beside the larger face
        moved = replace(larger, centre=foot)
        one, two = (smaller, moved) if smaller is one else (moved, smaller)
    touch = height <= _SAME * max(one.size, two.size)
    if touch and one.axis @ two.axis > 0.0:  # flush: they stay as they are
        two = replace(two, axis=-two.axis)
    reason = "two flat faces on each other" if touch else "two parallel flat faces"
    return ["planar", "fixed", "revolute", "translational"], reason, one, two


def _balls(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    return ["spherical"], "a ball in its socket" if one.hollow != two.hollow else "two balls", one, two


def _edges(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return a hinge of two edges; if they are on one line, in the middle of what they have in common."""
    parallel = _angle_of_lines(one.axis, two.axis) <= _PARALLEL
    if parallel and _offset(one, two) <= _SAME * max(one.size, two.size):
        middle = _middle_of_common(one, two)
        one, two = (
            replace(each, centre=each.centre + ((middle - each.centre) @ one.axis) * one.axis)
            for each in (one, two)
        )
        return ["revolute", "cylindrical"], "two edges on one line", one, two
    reason = "two parallel edges" if parallel else "two edges at an angle"
    return ["revolute", "cylindrical", "translational"], reason, one, two


def _round_and_flat(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return a hinge of a shaft that stands on a flat face, where its axis meets the face."""
    leaning = float(one.axis @ two.axis)
    if _angle_of_lines(one.axis, two.axis) <= _PARALLEL:
        foot = one.centre + (((two.centre - one.centre) @ two.axis) / leaning) * one.axis
        one, two = replace(one, centre=foot), replace(two, centre=foot)
        return ["revolute", "cylindrical", "fixed"], "a round face square to a flat one", one, two
    return ["fixed"], "a round and a flat face", one, replace(two, centre=one.centre, axis=one.axis)


def _ball_and_flat(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return a ball whose middle keeps its height over a flat face."""
    foot = one.centre - ((one.centre - two.centre) @ two.axis) * two.axis
    return ["in_plane"], "a ball over a flat face", one, replace(two, centre=foot + one.size * two.axis)


def _ball_and_line(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return a ball that runs along a hole or an edge."""
    foot = two.centre + ((one.centre - two.centre) @ two.axis) * two.axis
    what = "a ball on an edge" if two.kind == "edge" else "a ball in a round face"
    return ["point_on_line", "spherical"], what, one, replace(two, centre=foot)


def _edge_and_round(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    return ["revolute", "cylindrical"], "an edge and a round face", one, two


def _edge_and_flat(one: FaceShape, two: FaceShape) -> tuple[list[str], str, FaceShape, FaceShape]:
    """Return a hinge along an edge that lies on a flat face."""
    foot = one.centre - ((one.centre - two.centre) @ two.axis) * two.axis
    line = one.axis - (one.axis @ two.axis) * two.axis
    if np.linalg.norm(line) < np.sin(np.radians(_PARALLEL)):
        return ["revolute"], "an edge square to a flat face", one, replace(two, centre=foot)
    along = line / np.linalg.norm(line)
    return ["revolute", "translational"], "an edge on a flat face", one, replace(two, centre=foot, axis=along)


_RULES: dict[tuple[str, str], _Rule] = {
    ("cylinder", "cylinder"): _rounds,
    ("plane", "plane"): _flats,
    ("sphere", "sphere"): _balls,
    ("edge", "edge"): _edges,
    ("cylinder", "plane"): _round_and_flat,
    ("sphere", "plane"): _ball_and_flat,
    ("sphere", "cylinder"): _ball_and_line,
    ("sphere", "edge"): _ball_and_line,
    ("edge", "cylinder"): _edge_and_round,
    ("edge", "plane"): _edge_and_flat,
}


def _angle(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(first, second)), first @ second)))


def _angle_of_lines(first: np.ndarray, second: np.ndarray) -> float:
    turn = _angle(first, second)
    return min(turn, 180.0 - turn)


def _offset(one: FaceShape, two: FaceShape) -> float:
    """Return how far the middle of the second is from the axis of the first."""
    return float(np.linalg.norm(np.cross(two.centre - one.centre, one.axis)))
