"""Solid balls meshed with bricks: a cube in the middle, six blocks round it."""

import numpy as np

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, FeModel, Material
from support.boxes import _CORNERS, STEEL, _with_midsides


def ball(element: str, across: int, layers: int, radius: float, material: Material = STEEL) -> FeModel:
    """Return a ball about the origin; the node set SURFACE holds what lies on the sphere.

    Args:
        element: a brick, hex8… or hex20….
        across: cells along the cube's edge.
        layers: from the cube to the sphere.
        radius: of the sphere.
        material: of all elements.
    """
    line = np.linspace(-1.0, 1.0, across + 1)
    grid = np.stack(np.meshgrid(line, line, line, indexing="ij"), -1).reshape(-1, 3)
    blocks = [(_cube(grid), (across,) * 3)]
    plane = np.stack(np.meshgrid(line, line, indexing="ij"), -1).reshape(-1, 2)
    for axis in range(3):
        for side in (-1.0, 1.0):
            face = np.insert(plane if side > 0 else plane[:, ::-1], axis, side, axis=1)
            inner, outer = _cube(face), face / np.linalg.norm(face, axis=1, keepdims=True)
            shares = np.linspace(0.0, 1.0, layers + 1)[None, :, None]
            points = inner[:, None] + shares * (outer - inner)[:, None]
            blocks.append((points.reshape(-1, 3), (across, across, layers)))
    cells, points, count = [], [], 0
    for at, shape in blocks:
        rows = np.arange(len(at)).reshape([k + 1 for k in shape])
        parts = [rows[i : i + shape[0], j : j + shape[1], k : k + shape[2]].ravel() for i, j, k in _CORNERS]
        cells.append(count + np.stack(parts, axis=1))
        points.append(at)
        count += len(at)
    everywhere = np.concatenate(points)
    _, first, which = np.unique(np.round(everywhere, 9), axis=0, return_index=True, return_inverse=True)
    nodes, cells = everywhere[first], which.ravel()[np.concatenate(cells)]
    turned = np.linalg.det(nodes[cells[:, [1, 3, 4]]] - nodes[cells[:, :1]]) < 0.0
    cells[turned] = cells[turned][:, [0, 3, 2, 1, 4, 7, 6, 5]]
    on_sphere = np.abs(np.linalg.norm(nodes, axis=1) - 1.0) < 1e-9
    kind = element_kinds[element]
    if kind.n_nodes > 8:
        corners = len(nodes)
        nodes, cells = _with_midsides(nodes, cells, topology.HEXAHEDRON_EDGES)
        on_sphere = np.concatenate([on_sphere, np.zeros(len(nodes) - corners, bool)])
        for middle, (a, b) in enumerate(topology.HEXAHEDRON_EDGES, start=8):
            both = on_sphere[cells[:, a]] & on_sphere[cells[:, b]]
            on_sphere[cells[both, middle]] = True
        lengths = np.linalg.norm(nodes[on_sphere], axis=1, keepdims=True)
        nodes[on_sphere] /= lengths
    block = ElementBlock(element, kind.labels[0], np.arange(1, len(cells) + 1), cells, material.name)
    return FeModel(
        "ball", np.arange(1, len(nodes) + 1), radius * nodes, (block,), {"SURFACE": np.flatnonzero(on_sphere)},
        {}, {}, {material.name: material}, (),
    )  # fmt: skip


def _cube(points: np.ndarray) -> np.ndarray:
    """Return points of a cube of half the ball's size, bulged so that the cells stay well shaped."""
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    largest = np.abs(points).max(axis=1, keepdims=True)
    round_off = np.where(lengths > 0.0, largest / np.where(lengths > 0.0, lengths, 1.0), 1.0)
    return np.asarray(0.45 * points * (0.6 + 0.4 * round_off))
