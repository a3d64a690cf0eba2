"""Facets of a joint of condensed matrices, for display: elements from the file, or one square per pair with its area.

Both faces coincide but have separate nodes. The master's face is at rest, and the slave's moves relative to it.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from faying.errors import ReadError

_SQUARE = 0.5 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Faces:
    """Facets of a joint's master, with the facet of each pair; the slave's facets coincide with them.

    Attributes:
        nodes: (n, 3) coordinates.
        motions: (n, 3, r) motion of the slave relative to the master at the nodes.
        triangles, quadrilaterals: (f, 3), (f, 4) rows of nodes, with the master's normals.
        pair_facets: (p,) facet of each pair, triangles first.
        pair_nodes, shape_values: (p, k) its nodes and shape functions, padded with the first node and zero.
        points: (p, 3) positions of the pairs.
    """

    nodes: np.ndarray
    motions: np.ndarray
    triangles: np.ndarray
    quadrilaterals: np.ndarray
    pair_facets: np.ndarray
    pair_nodes: np.ndarray
    shape_values: np.ndarray
    points: np.ndarray


def faces_of(
    path: Path,
    joint: str,
    motions: np.ndarray,
    interpolation: sp.csr_matrix,
    weights: np.ndarray,
    axes: np.ndarray,
    coordinates: np.ndarray | None,
    elements: tuple[np.ndarray | None, np.ndarray | None],
) -> Faces:
    """Return the facets of a joint.

    Args:
        path: of the file, for error messages.
        joint: its name, likewise.
        motions: (m, 3, r) of the slave relative to the master at the points.
        interpolation: CSR (p, m) from the points to the pairs.
        weights: (p,) areas.
        axes: (3, 3) normal and two tangents.
        coordinates: (m, 2) or (m, 3) of the points; None arranges the pairs on a grid.
        elements: numbers of the points of triangles and of quadrilaterals, from 1, in the last columns.

    Raises:
        ReadError: when coordinates or elements do not fit the points.
    """
    m = len(motions)
    if coordinates is None:
        return _squares(_side_by_side(weights, axes), motions, interpolation, weights, axes)
    if coordinates.shape[0] != m or coordinates.shape[1] not in (2, 3):
        raise ReadError(
            path, None, f"the coordinates of joint {joint!r} are {coordinates.shape[0]} × {coordinates.shape[1]}, "
            f"expected two or three of each of {m} points.",
        )  # fmt: skip
    places = np.zeros((m, 3))
    if coordinates.shape[1] == 3:
        places[:] = coordinates
    else:  # in the plane of the joint
        places[:] = coordinates @ axes[1:]
    triangles, quadrilaterals = (
        _corners(path, joint, each, size, m) for each, size in zip(elements, (3, 4), strict=True)
    )
    normal = axes[0]
    triangles, quadrilaterals = (_turned(each, places, normal) for each in (triangles, quadrilaterals))
    found = _facets_of_pairs(interpolation, triangles, quadrilaterals)
    if found is None:
        return _squares(interpolation @ places, motions, interpolation, weights, axes)
    facets, nodes, shares = found
    return Faces(
        places, motions, triangles, quadrilaterals, facets, nodes, shares, np.asarray(interpolation @ places)
    )


def _side_by_side(weights: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return (p, 3) positions on a grid with the largest square's width as spacing."""
    wide = int(np.ceil(np.sqrt(len(weights))))
    row, column = np.divmod(np.arange(len(weights)), wide)
    return np.asarray(1.1 * np.sqrt(weights.max()) * (column[:, None] * axes[1] + row[:, None] * axes[2]))


def _squares(
    places: np.ndarray,
    motions: np.ndarray,
    interpolation: sp.csr_matrix,
    weights: np.ndarray,
    axes: np.ndarray,
) -> Faces:
    """Return a square around each pair, with the pair's area and motion."""
    p, r = len(weights), motions.shape[2]
    corners = places[:, None] + np.sqrt(weights)[:, None, None] * (_SQUARE @ axes[1:])
    nodes = np.arange(4 * p).reshape(p, 4)
    of_pairs = np.asarray(interpolation @ motions.reshape(len(motions), -1)).reshape(p, 1, 3, r)
    moved = np.broadcast_to(of_pairs, (p, 4, 3, r)).reshape(4 * p, 3, r)
    return Faces(
        corners.reshape(-1, 3), moved, np.zeros((0, 3), np.int64), nodes, np.arange(p), nodes, np.full((p, 4), 0.25),
        np.asarray(places),
    )  # fmt: skip


def _corners(path: Path, joint: str, elements: np.ndarray | None, size: int, m: int) -> np.ndarray:
    """Return (f, size) rows of points, counted from 0; a first column may number the elements."""
    if elements is None or not elements.size:
        return np.zeros((0, size), np.int64)
    numbers = elements[:, -size:]
    inside = numbers.min() >= 1 and numbers.max() <= m and (numbers == np.round(numbers)).all()
    if elements.shape[1] not in (size, size + 1) or not inside:
        raise ReadError(
            path, None, f"elements of joint {joint!r} are to have {size} numbers of points each, from 1 to {m}.",
            "Name other matrices of elements, or none.",
        )  # fmt: skip
    return np.asarray(numbers.astype(np.int64) - 1)


def _turned(facets: np.ndarray, places: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return the facets oriented with normals out of the master."""
    corners = places[facets]
    areas = (
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        if len(facets)
        else np.zeros((0, 3))
    )
    turned = facets.copy()
    turned[areas @ normal < 0.0] = facets[areas @ normal < 0.0][:, ::-1]
    return turned


def _facets_of_pairs(
    interpolation: sp.csr_matrix, triangles: np.ndarray, quadrilaterals: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return facet, nodes and shape functions of each pair; None if a pair lies on none of the facets."""
    rows = [*triangles.tolist(), *quadrilaterals.tolist()]
    number_of: dict[frozenset[int], int] = {frozenset(row): number for number, row in enumerate(rows)}
    p, size = interpolation.shape[0], 4 if len(quadrilaterals) else 3
    facets, nodes, shares = np.zeros(p, np.int64), np.zeros((p, size), np.int64), np.zeros((p, size))
    for pair in range(p):
        inside = slice(interpolation.indptr[pair], interpolation.indptr[pair + 1])
        values = dict(
            zip(interpolation.indices[inside].tolist(), interpolation.data[inside].tolist(), strict=True)
        )
        number = number_of.get(frozenset(values))
        if number is None:
            return None
        row = rows[number]
        facets[pair] = number
        nodes[pair] = [*row, *[row[0]] * (size - len(row))]
        shares[pair, : len(row)] = [values[node] for node in row]
    return facets, nodes, shares
