"""Reader of VTK's unstructured grids (.vtu).

Taken over: points, solid cells, and whole-numbered cell data of few values: of solids as element sets ("material 3"),
of loose triangles and quadrilaterals as surfaces where they are the skin of solids. A grid has no material, so its
body needs imported stiffness and mass.
"""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._blocks import MeshParts, sets_of_groups, surfaces_of_facets
from faying.fem.readers._vtu_arrays import VtkXml
from faying.progress import Progress

_SOLIDS = {
    10: "tet4", 24: "tet10", 14: "pyramid5", 27: "pyramid13", 13: "wedge6", 26: "wedge15",
    12: "hex8_incompatible", 25: "hex20",
}  # fmt: skip
_FACETS = {5: 3, 22: 3, 9: 4, 23: 4}  # corners
_MOST_GROUPS = 1000  # cell data with more values number the cells instead of grouping them
# Writers differ in which way the first triangle of a wedge turns.
_TURNED_WEDGE = (0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13)


@readers.register("vtu")
class VtuReader(ModelReader):
    """Reads the first piece of a grid with its groups of cells; all else is listed as unread."""

    title = "VTK unstructured grid"
    extensions = (".vtu",)

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a grid; nodes and elements are numbered from 1."""
        file = VtkXml(path)
        progress.report(0.2, "reading arrays")
        pieces = file.root.findall("UnstructuredGrid/Piece")
        if not pieces:
            raise ReadError(path, None, "there is no unstructured grid in it.", "Choose a .vtu file.")
        unread = [(1, f"{len(pieces) - 1} further pieces")] if len(pieces) > 1 else []
        piece = pieces[0]
        arrays = {a.get("Name", ""): a for a in piece.findall("Cells/DataArray")}
        points = piece.find("Points/DataArray")
        if points is None or not {"connectivity", "offsets", "types"} <= set(arrays):
            raise ReadError(path, None, "points or cells are missing.", "Save the grid again as .vtu.")
        nodes = file.array(points).astype(float)
        connectivity, offsets, types = (file.array(arrays[n]) for n in ("connectivity", "offsets", "types"))
        offsets = np.concatenate([[0], offsets.astype(np.int64)])
        if offsets[-1] != len(connectivity) or len(types) != len(offsets) - 1:
            raise ReadError(path, None, "its cells do not fit together.", "Save the grid again as .vtu.")
        groups, skipped = _groups(file, piece.findall("CellData/DataArray"), len(types))
        unread += [(1, f"cell data {name}") for name in skipped]
        unread += [(1, f"point data {a.get('Name')}") for a in piece.findall("PointData/DataArray")]
        parts, members = MeshParts(), {name: [np.flatnonzero(cells) + 1] for name, cells in groups.items()}
        for kind in np.unique(types).tolist():
            cells = np.flatnonzero(types == kind)
            if kind in _SOLIDS:
                element = _SOLIDS[kind]
                rows = _rows(path, connectivity, offsets, cells, element_kinds[element].n_nodes, len(nodes))
                parts.solids.append((element, cells + 1, _oriented(element, rows, nodes), ""))
            elif kind in _FACETS:
                corners = connectivity[offsets[cells][:, None] + np.arange(_FACETS[kind])].astype(np.int64)
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
        progress.report(1.0, f"{len(nodes)} nodes")
        return FeModel(
            title=path.stem,
            node_ids=np.arange(1, len(nodes) + 1),
            nodes=nodes,
            blocks=blocks,
            element_sets=sets_of_groups(blocks, {name: ids for name, ids in members.items() if len(ids[0])}),
            surfaces=surfaces,
            unread=tuple(unread),
        )


def _groups(file: VtkXml, elements: list, n_cells: int) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return (n_cells,) masks by name from whole-numbered cell data, and the names of other cell data."""
    groups: dict[str, np.ndarray] = {}
    skipped = []
    for element in elements:
        name = element.get("Name", "")
        whole = "Int" in element.get("type", "") and element.get("NumberOfComponents", "1") == "1"
        values = file.array(element) if whole else np.zeros(0)
        distinct = np.unique(values)
        if len(values) != n_cells or len(distinct) > _MOST_GROUPS:
            skipped.append(name)
            continue
        groups.update({f"{name} {value}": values == value for value in distinct.tolist()})
    return groups, skipped


def _rows(
    path: Path, connectivity: np.ndarray, offsets: np.ndarray, cells: np.ndarray, n_nodes: int, limit: int
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
    rows = connectivity[offsets[cells][:, None] + np.arange(n_nodes)].astype(np.int64)
    if rows.min() < 0 or rows.max() >= limit:
        raise ReadError(path, None, "a cell uses a point that does not exist.", "Save the grid again.")
    return np.asarray(rows)


def _oriented(element: str, rows: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return node rows in our order."""
    ours = np.empty_like(rows)
    ours[:, list(element_kinds[element].vtk_order)] = rows
    if element.startswith("wedge"):
        a, b, c, d = (nodes[ours[:, i]] for i in range(4))
        wrong = np.einsum("ni,ni->n", np.cross(b - a, c - a), d - a) < 0.0
        ours[wrong] = ours[wrong][:, list(_TURNED_WEDGE[: ours.shape[1]])]
    return ours
