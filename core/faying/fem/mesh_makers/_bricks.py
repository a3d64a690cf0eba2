"""Meshes of bricks: on grids, extruded from sections, mirrored, merged, with midside nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from faying.fem.element_topology import HEXAHEDRON_EDGES
from faying.fem.mesh_makers._sections import PlaneMesh, same_places

_OTHER_WAY = [0, 3, 2, 1, 4, 7, 6, 5]
_MIDSIDES = np.array(HEXAHEDRON_EDGES)


class Round(Protocol):
    """A curved surface onto which midside nodes are moved."""

    def away(self, points: np.ndarray) -> np.ndarray:
        """Return the distances (n,) of points from it."""

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """Return the nearest points (n, 3) of it."""


@dataclass(frozen=True, eq=False)
class BrickMesh:
    """Nodes (n, 3), and bricks (m, 8) by corner."""

    nodes: np.ndarray
    cells: np.ndarray

    def mirrored(self, axis: int) -> "BrickMesh":
        """Return the bricks mirrored at the plane normal to an axis."""
        sign = np.ones(3)
        sign[axis] = -1.0
        return BrickMesh(self.nodes * sign, self.cells[:, _OTHER_WAY])

    def moved(self, by: Sequence[float]) -> "BrickMesh":
        """Return the translated bricks."""
        return BrickMesh(self.nodes + np.asarray(by, float), self.cells)


def bricks(points: np.ndarray) -> BrickMesh:
    """Return bricks on a grid of points (i, j, k, 3), with positive volume."""
    rows = np.arange(points[..., 0].size).reshape(points.shape[:3])
    low, high = slice(None, -1), slice(1, None)
    corners = ((low, low, low), (high, low, low), (high, high, low), (low, high, low))
    cells = np.stack(
        [rows[a, b, c].ravel() for a, b, c in (*corners, *((a, b, high) for a, b, _ in corners))], axis=1
    )
    nodes = points.reshape(-1, 3)
    edges = nodes[cells[0][[1, 3, 4]]] - nodes[cells[0][0]]
    return BrickMesh(nodes, cells if np.linalg.det(edges) > 0.0 else cells[:, _OTHER_WAY])


def extruded(section: PlaneMesh, places: np.ndarray, axis: int = 2) -> BrickMesh:
    """Return the bricks between copies of a section at ascending positions along an axis.

    The section's coordinates are along the next two axes: y and z for extrusion along x.
    """
    n, layers = len(section.points), len(places)
    nodes = np.empty((layers * n, 3))
    for component, values in ((axis, np.repeat(places, n)), *(
        ((axis + 1 + i) % 3, np.tile(section.points[:, i], layers)) for i in range(2)
    )):  # fmt: skip
        nodes[:, component] = values
    below = np.concatenate([section.quads + n * layer for layer in range(layers - 1)])
    return BrickMesh(nodes, np.hstack([below, below + n]))


def merged(parts: Sequence[BrickMesh], nearness: float) -> BrickMesh:
    """Return bricks as one mesh with coincident nodes merged."""
    nodes = np.concatenate([part.nodes for part in parts])
    starts = np.cumsum([0, *(len(part.nodes) for part in parts)])
    cells = np.concatenate([part.cells + start for part, start in zip(parts, starts, strict=False)])
    first, which = same_places(nodes, nearness)
    return BrickMesh(nodes[first], which[cells])


def with_midsides(corners: BrickMesh, rounds: Sequence[Round], nearness: float) -> BrickMesh:
    """Return bricks (m, 20) with midside nodes, on a curved surface if both ends of the edge are.

    Args:
        corners: bricks by corner.
        rounds: curved surfaces.
        nearness: largest distance of a corner on a curved surface.
    """
    ends = np.sort(corners.cells[:, _MIDSIDES], axis=2).reshape(-1, 2)
    edges, which = np.unique(ends, axis=0, return_inverse=True)
    middles = corners.nodes[edges].mean(axis=1)
    for surface in rounds:
        on = (surface.away(corners.nodes) < nearness)[edges].all(axis=1)
        middles[on] = surface.nearest(middles[on])
    added = len(corners.nodes) + which.reshape(len(corners.cells), -1)
    return BrickMesh(np.vstack([corners.nodes, middles]), np.hstack([corners.cells, added]))
