"""Boxes meshed with any solid element kind, straight or distorted."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import scipy.sparse as sp

from faying.fem import element_topology as topology
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import Coupling, ElementBlock, FeModel, Material

STEEL = Material("STEEL", 210000.0, 0.3, 7.85e-9)
_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))


def box(
    element: str,
    counts: tuple[int, int, int],
    size: tuple[float, float, float],
    material: Material = STEEL,
    *,
    distortion: float = 0.0,
    curvature: float = 0.0,
    couplings: tuple[Coupling, ...] = (),
    extra_nodes: tuple[tuple[float, float, float], ...] = (),
) -> FeModel:
    """Return a box from the origin to `size`; inner corners are moved at random by `distortion` of a cell.

    Midside nodes lie in the middle of their edges, moved from there by `curvature` of a cell inside the box.
    """
    kind = element_kinds[element]
    grid = np.stack(
        np.meshgrid(*(np.linspace(0.0, s, k + 1) for s, k in zip(size, counts, strict=True)), indexing="ij"),
        -1,
    )
    nodes = grid.reshape(-1, 3)
    rows = np.arange(len(nodes)).reshape(grid.shape[:3])
    cells = np.stack(
        [rows[i : i + counts[0], j : j + counts[1], k : k + counts[2]].ravel() for i, j, k in _CORNERS],
        axis=1,
    )
    cell = np.array(size) / counts
    rng = np.random.default_rng(7)
    nodes = nodes + distortion * cell * rng.uniform(-1, 1, nodes.shape) * _inside(nodes, size)[:, None]
    shape = element.rstrip("0123456789") if "_" not in element else "hex"
    if shape == "pyramid":
        # One pyramid from each face of a cell to its middle.
        middles = len(nodes) + np.arange(len(cells))
        nodes = np.concatenate([nodes, nodes[cells].mean(axis=1)])
        cells = np.concatenate(
            [np.column_stack([cells[:, f[::-1]], middles]) for f in map(list, topology.HEXAHEDRON_FACES)]
        )
    elif shape in _CUTS:
        cells = np.concatenate([cells[:, list(corners)] for corners in _CUTS[shape]])
    n_corners = len(nodes)
    if kind.n_nodes > cells.shape[1]:
        nodes, cells = _with_midsides(nodes, cells, _EDGES[shape])
        fresh = np.arange(len(nodes)) >= n_corners
        moved = (fresh & _inside(nodes, size))[:, None]
        nodes = nodes + curvature * cell * rng.uniform(-1, 1, nodes.shape) * moved
    sets = {
        f"{axis}{side}": np.flatnonzero(np.abs(nodes[:, i] - value) < 1e-9 * size[i])
        for i, axis in enumerate("XYZ")
        for side, value in (("MIN", 0.0), ("MAX", size[i]))
    }
    nodes = np.concatenate([nodes, np.array(extra_nodes).reshape(-1, 3)])
    block = ElementBlock(element, kind.labels[0], np.arange(1, len(cells) + 1), cells, material.name)
    return FeModel(
        "box",
        np.arange(1, len(nodes) + 1),
        nodes,
        (block,),
        sets,
        {},
        {},
        {material.name: material},
        couplings,
    )


def _inside(nodes: np.ndarray, size: tuple[float, float, float]) -> np.ndarray:
    small = 1e-9 * np.array(size)
    return ((nodes > small) & (nodes < np.array(size) - small)).all(axis=1)


def _kuhn() -> list[tuple[int, ...]]:
    """Return six tetrahedra of a cube's corners that fit to those of the neighbouring cubes."""
    where = {corner: i for i, corner in enumerate(_CORNERS)}
    found = []
    for path in permutations(range(3)):
        point, walk = [0, 0, 0], [(0, 0, 0)]
        for axis in path:
            point[axis] = 1
            walk.append(tuple(point))
        a, b, c, d = (np.array(w) for w in walk)
        right_handed = np.linalg.det(np.stack([b - a, c - a, d - a])) > 0
        order = walk if right_handed else [walk[0], walk[2], walk[1], walk[3]]
        found.append(tuple(where[w] for w in order))
    return found


_CUTS = {"tet": _kuhn(), "wedge": [(0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)]}
_EDGES = {
    "tet": topology.TETRAHEDRON_EDGES,
    "hex": topology.HEXAHEDRON_EDGES,
    "wedge": topology.WEDGE_EDGES,
    "pyramid": topology.PYRAMID_EDGES,
}


def _with_midsides(nodes, cells, edges):
    ends = np.sort(cells[:, np.array(edges)], axis=2)
    distinct, position = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    middles = nodes[distinct].mean(axis=1)
    return np.concatenate([nodes, middles]), np.hstack([cells, len(nodes) + position.reshape(len(cells), -1)])


def coupled_box(counts: tuple[int, int, int]) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return (K, C) of a floating box whose two ends distributing couplings hold, at reference nodes at rest."""
    plain = box("tet10", counts, (8.0, 3.0, 2.0), extra_nodes=((-1.0, 1.5, 1.0), (9.0, 1.5, 1.0)))
    references = len(plain.nodes) - 2 + np.arange(2)
    couplings = tuple(
        Coupling(name, "distributing", int(node), rows, (1, 2, 3, 4, 5, 6), np.ones(len(rows)))
        for name, node, rows in zip(
            "AB", references, (plain.node_sets["XMIN"], plain.node_sets["XMAX"]), strict=True
        )
    )
    return _at_rest(assemble(replace(plain, couplings=couplings)), references)


def spot_coupled_box(
    counts: tuple[int, int, int], spots: tuple[int, int]
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return (K, C) of a box of 80 × 40 × 8 on spots of its lower face, each coupled to a node at rest."""
    pitch = 80.0 / spots[0], 40.0 / spots[1]
    places = tuple(((i + 0.5) * pitch[0], (j + 0.5) * pitch[1], -2.0) for i, j in np.ndindex(spots))
    plain = box("tet10", counts, (80.0, 40.0, 8.0), extra_nodes=places)
    low, references = plain.node_sets["ZMIN"], len(plain.nodes) - len(places) + np.arange(len(places))
    couplings = []
    for node, (x, y, _) in zip(references, places, strict=True):
        off = np.abs(plain.nodes[low, :2] - [x, y])
        near = low[(off < 0.45 * np.array(pitch)).all(axis=1)]
        couplings.append(
            Coupling(f"spot {node}", "distributing", int(node), near, (1, 2, 3, 4, 5, 6), np.ones(len(near)))
        )
    return _at_rest(assemble(replace(plain, couplings=tuple(couplings))), references)


def _at_rest(matrices: StructuralMatrices, references: np.ndarray) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    held = matrices.dofs.transformation[
        np.concatenate([matrices.dofs.node_rows(int(r)) for r in references])
    ].indices
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
    return matrices.stiffness[free][:, free].tocsr(), matrices.constraints[:, free].tocsr()
