"""A model from a VTK unstructured grid: points, cells with VTK's type numbers, integer cell data."""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.mirrored_elements import turned_right
from faying.fem.model import FeModel
from faying.fem.readers._blocks import MeshParts, sets_of_groups, surfaces_of_facets

_SOLIDS = {
    10: "tet4", 24: "tet10", 14: "pyramid5", 27: "pyramid13", 13: "wedge6", 26: "wedge15",
    12: "hex8_incompatible", 25: "hex20",
}  # fmt: skip
_FACETS = {5: 3, 22: 3, 9: 4, 23: 4}  # corners
_FACET_NODES = {5: 3, 22: 6, 9: 4, 23: 8}
_MOST_GROUPS = 1000  # cell data with more distinct values are numbers of cells rather than groups


def model_of_grid(
    path: Path,
    nodes: np.ndarray,
    connectivity: np.ndarray,
    offsets: np.ndarray,
    types: np.ndarray,
    cell_data: dict[str, np.ndarray],
    unread: list[tuple[int, str]],
) -> FeModel:
    """Return the model of a grid; nodes and elements are numbered from 1.

    Integer cell data of few distinct values become element sets of solids and surfaces of loose facets.

    Args:
        path: of the file, for error messages and the title.
        nodes: (n, 3) points.
        connectivity: points of all cells, concatenated, in VTK's order.
        offsets: (m + 1,) index of each cell's first point, followed by the total.
        types: (m,) VTK's cell types.
        cell_data: one array for each name.
        unread: (line, text) of unread input so far, extended here.

    Raises:
        ReadError: for inconsistent cells, or no solid cells.
    """
    connectivity, offsets = _whole(path, connectivity), _whole(path, offsets)
    types = _whole(path, types)
    if nodes.ndim != 2 or nodes.shape[1] != 3:
        raise ReadError(path, None, "its points are no places with x, y and z.", "Save the grid again.")
    if (
        len(types) != len(offsets) - 1 or offsets[0] != 0 or offsets[-1] != len(connectivity)
        or (np.diff(offsets) < 0).any()
    ):  # fmt: skip
        raise ReadError(path, None, "its cells do not fit together.", "Save the grid again.")
    if len(connectivity) and (connectivity.min() < 0 or connectivity.max() >= len(nodes)):
        raise ReadError(path, None, "a cell uses a point that does not exist.", "Save the grid again.")
    groups, skipped = _groups(cell_data, len(types))
    unread += [(1, f"cell data {name}") for name in skipped]
    parts, members = MeshParts(), {name: [np.flatnonzero(cells) + 1] for name, cells in groups.items()}
    for kind in np.unique(types).tolist():
        cells = np.flatnonzero(types == kind)
        if kind in _SOLIDS:
            element = _SOLIDS[kind]
            rows = _rows(path, connectivity, offsets, cells, element_kinds[element].n_nodes)
            parts.solids.append((element, cells + 1, _oriented(element, rows, nodes), ""))
        elif kind in _FACETS:
            corners = _rows(path, connectivity, offsets, cells, _FACET_NODES[kind])[:, : _FACETS[kind]]
            for name, chosen in (groups or {"facets": np.ones(len(types), bool)}).items():
                if chosen[cells].any():
                    parts.facets.setdefault(name, []).append(corners[chosen[cells]])
        else:
            unread.append((1, f"{len(cells)} cells of VTK's type {kind}"))
    blocks = parts.blocks()
    if not blocks:
        raise ReadError(path, None, "the grid has no solid cells.", "Save the mesh of the volume.")
    solid = np.isin(types, list(_SOLIDS))
    members = {name: [ids[0][solid[ids[0] - 1]]] for name, ids in members.items()}
    surfaces, lost = surfaces_of_facets(blocks, parts.facets)
    unread += [(1, f"{n} facets of {name}: no exterior face of a solid") for name, n in lost.items()]
    return FeModel(
        title=path.stem,
        node_ids=np.arange(1, len(nodes) + 1),
        nodes=nodes,
        blocks=blocks,
        element_sets=sets_of_groups(blocks, {name: ids for name, ids in members.items() if len(ids[0])}),
        surfaces=surfaces,
        unread=tuple(unread),
    )


def _groups(cell_data: dict[str, np.ndarray], n_cells: int) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return (n_cells,) masks by name from integer cell data, and the names of other cell data.

    Cell numbers are not groups.
    """
    groups: dict[str, np.ndarray] = {}
    skipped = []
    for name, values in cell_data.items():
        whole = values.dtype.kind in "iu" and values.ndim == 1 and len(values) == n_cells
        distinct = np.unique(values) if whole else np.zeros(0)
        # Two cells with different values may be groups; if more cells all have different values, these are numbers.
        numbered = len(distinct) == n_cells > 2
        if not whole or numbered or len(distinct) > _MOST_GROUPS:
            skipped.append(name)
            continue
        groups.update({f"{name} {value}": values == value for value in distinct.tolist()})
    return groups, skipped


def _rows(
    path: Path, connectivity: np.ndarray, offsets: np.ndarray, cells: np.ndarray, n_nodes: int
) -> np.ndarray:
    lengths = offsets[cells + 1] - offsets[cells]
    if (lengths != n_nodes).any():
        at = int(np.flatnonzero(lengths != n_nodes)[0])
        raise ReadError(
            path,
            None,
            f"cell {cells[at] + 1} has {lengths[at]} nodes, expected {n_nodes}.",
            "Save the grid again.",
        )
    return np.asarray(connectivity[offsets[cells][:, None] + np.arange(n_nodes)])


def _whole(path: Path, numbers: np.ndarray) -> np.ndarray:
    """Return a 1-D array as integers; some writers store them as reals.

    Raises:
        ReadError: for anything else.
    """
    if numbers.ndim == 1 and numbers.dtype.kind in "iuf":
        with np.errstate(invalid="ignore"):
            whole = numbers.astype(np.int64)
        if (whole == numbers).all():
            return whole
    raise ReadError(path, None, "its cells are not given by whole numbers.", "Save the grid again.")


def _oriented(element: str, rows: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return node rows in our order."""
    ours = np.empty_like(rows)
    ours[:, list(element_kinds[element].vtk_order)] = rows
    # Programs differ in the orientation of a wedge's first triangle.
    return turned_right(element, ours, nodes) if element.startswith("wedge") else ours
