"""Plane meshes of quadrilaterals: rectangles, discs, rings, and the surroundings of holes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import pi

import numpy as np

_CORE = 0.6  # half the side of a disc's core relative to its radius
_ROUNDED = 0.35  # curvature of the core's sides towards a circle
_LEAST = 2  # elements along a quarter circle, and across a pad


@dataclass(frozen=True, eq=False)
class PlaneMesh:
    """Points (n, 2) and quadrilaterals (m, 4), anticlockwise."""

    points: np.ndarray
    quads: np.ndarray


def grid(points: np.ndarray) -> PlaneMesh:
    """Return quadrilaterals on a grid of points (i, j, 2), anticlockwise."""
    rows = np.arange(points[..., 0].size).reshape(points.shape[:2])
    quads = np.stack([rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]], axis=-1).reshape(-1, 4)
    flat = points.reshape(-1, 2)
    first, second = (flat[quads[:, i]] - flat[quads[:, i - 2]] for i in (2, 3))
    turned = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0] < 0.0
    quads[turned] = quads[turned][:, ::-1]
    return PlaneMesh(flat, quads)


def joined(sections: Sequence[PlaneMesh], nearness: float) -> PlaneMesh:
    """Return sections as one mesh with coincident points merged."""
    starts = np.cumsum([0, *(len(each.points) for each in sections)])
    points = np.concatenate([each.points for each in sections])
    quads = np.concatenate([each.quads + start for each, start in zip(sections, starts, strict=False)])
    first, which = same_places(points, nearness)
    return PlaneMesh(points[first], which[quads])


def same_places(points: np.ndarray, nearness: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (m,) rows of distinct points, and (n,) for each point its index among them."""
    from scipy.spatial import cKDTree  # imported late, since it takes long

    pairs = cKDTree(points).query_pairs(nearness, output_type="ndarray")
    first = np.arange(len(points))
    np.minimum.at(first, pairs.max(axis=1), pairs.min(axis=1))
    kept = np.unique(first)
    return kept, np.searchsorted(kept, first)


def steps(length: float, size: float, least: int = 1) -> int:
    """Return the number of elements of about a given size along a length."""
    return max(least, round(length / size))


def rectangle(x: np.ndarray, y: np.ndarray) -> PlaneMesh:
    """Return a rectangle divided at coordinates x and y."""
    return grid(np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1))


def disc(radius: float, count: int, rings: int) -> PlaneMesh:
    """Return a disc: a core of count × count elements with rounded sides, and rings around it.

    Points on its edge are at equal angles, corners of the core at odd eighths of a turn.

    Args:
        radius: radius of the disc.
        count: elements along a quarter of the edge.
        rings: number of rings between core and edge.
    """
    # Then rays from the core's sides have the angles of the points on the edge.
    places = np.tan(0.25 * pi * np.linspace(-1.0, 1.0, count + 1))
    square = np.stack(np.meshgrid(places, places, indexing="ij"), axis=-1)
    reach, away = np.abs(square).max(axis=-1), np.linalg.norm(square, axis=-1)
    round_ = square * (reach / np.where(away > 0.0, away, 1.0))[..., None]
    core = _CORE * radius * ((1.0 - _ROUNDED) * square + _ROUNDED * round_)
    rim = np.concatenate([core[-1, :-1], core[:0:-1, -1], core[0, :0:-1], core[:-1, 0]])
    edge = radius * rim / np.linalg.norm(rim, axis=1, keepdims=True)
    return joined([grid(core), between([rim, edge], [rings])], 1e-6 * radius)


def between(outlines: Sequence[np.ndarray], counts: Sequence[int], closed: bool = True) -> PlaneMesh:
    """Return the rows of quadrilaterals between outlines (n, 2) of equal numbers of points, from the inside out.

    Args:
        outlines: outlines that bound the rows.
        counts: number of rows between consecutive outlines.
        closed: whether the last point is a neighbour of the first.
    """
    rows = [outlines[0]]
    for inner, outer, count in zip(outlines, outlines[1:], counts, strict=False):
        rows += [inner + share * (outer - inner) for share in np.linspace(0.0, 1.0, count + 1)[1:]]
    found = np.stack(rows)
    return grid(np.concatenate([found, found[:, :1]], axis=1) if closed else found)


def round_outline(radius: float, angles: np.ndarray) -> np.ndarray:
    """Return the points (n, 2) of a circle at given angles."""
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def box_outline(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the points (n, 2) around a rectangle divided at coordinates x and y, anticlockwise."""
    low, high = np.full(len(x) - 1, y[0]), np.full(len(x) - 1, y[-1])
    left, right = np.full(len(y) - 1, x[0]), np.full(len(y) - 1, x[-1])
    sides = [(x[:-1], low), (right, y[:-1]), (x[:0:-1], high), (left, y[:0:-1])]
    return np.concatenate([np.column_stack(side) for side in sides])


def pad(outline: np.ndarray, centre: tuple[float, float], radii: Sequence[float], size: float) -> PlaneMesh:
    """Return the mesh between a hole and an outline around it, along rays from the hole's centre.

    Args:
        outline: (n, 2) points, star-shaped about the centre.
        centre: centre of the hole.
        radii: radius of the hole, and of further concentric circles along mesh lines.
        size: element size along the rays.
    """
    away = outline - np.array(centre)
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    circles = [np.array(centre) + radius * away / distance for radius in radii]
    counts = [steps(b - a, size) for a, b in pairwise(radii)]
    counts.append(steps(float(distance.min()) - radii[-1], size))
    return between([*circles, outline], counts)


def with_hole(
    length: float, width: float, radii: Sequence[float], size: float
) -> tuple[PlaneMesh, np.ndarray]:
    """Return a rectangle about the origin with a central hole, and the coordinates (n,) of its division along y.

    The hole is in a square pad with regular rows on its sides.

    Args:
        length, width: size along x and y.
        radii: as for `pad`.
        size: element size.
    """
    side = min(length, width)
    count = steps(side, size, _LEAST * 2)
    square = np.linspace(-0.5 * side, 0.5 * side, count + 1)
    outline = box_outline(square, square)
    parts = [pad(outline, (0.0, 0.0), radii, size)]
    x = _widened(square, length, size)
    y = _widened(square, width, size)
    if len(x) > len(square):
        n = (len(x) - len(square)) // 2
        parts += [rectangle(x[: n + 1], square), rectangle(x[-n - 1 :], square)]
    if len(y) > len(square):
        n = (len(y) - len(square)) // 2
        parts += [rectangle(square, y[: n + 1]), rectangle(square, y[-n - 1 :])]
    return joined(parts, 1e-6 * side), y


def _widened(square: np.ndarray, length: float, size: float) -> np.ndarray:
    """Return the division of a square's side, extended by the adjacent rows up to a length."""
    beside = 0.5 * length - square[-1]
    if beside <= 1e-9 * length:
        return square
    more = square[-1] + np.linspace(0.0, beside, steps(beside, size) + 1)[1:]
    return np.concatenate([-more[::-1], square, more])


def disc_of_size(radius: float, size: float, multiple: int = 1) -> PlaneMesh:
    """Return a disc with elements of about a given size; their number per quarter is a multiple of a given one."""
    quarter = steps(0.5 * pi * radius, size * multiple)
    count = max(quarter * multiple, _LEAST)
    return disc(radius, count, steps((1.0 - _CORE) * radius, size))
