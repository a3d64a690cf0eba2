"""Boxes as VTK's unstructured grids, with groups of cells and loose facets."""

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.skin import find_skin
from support.boxes import box

KINDS = ["tet4", "tet10", "pyramid5", "pyramid13", "wedge6", "wedge15", "hex8_incompatible", "hex20"]


def grid_of(kind: str, *, facets: bool = False):
    """Return the model of a box, and its grid; cell data "group" are 7 on solids and 3 on facets."""
    import pyvista

    model = box(kind, (2, 1, 2), (2.0, 1.0, 3.0), distortion=0.1)
    member, cells = element_kinds[kind], model.blocks[0].connectivity
    rows = np.column_stack([np.full(len(cells), member.n_nodes), cells[:, list(member.vtk_order)]])
    stream, types = rows.ravel(), np.full(len(cells), member.vtk_type)
    if facets:
        for block in find_skin(model).surface.blocks:
            whole = np.isin(block.connectivity, model.node_sets["XMIN"]).all(axis=1)
            corners = block.connectivity[whole][:, : 3 if block.facet.startswith("tri") else 4]
            k = corners.shape[1]
            stream = np.concatenate([stream, np.column_stack([np.full(len(corners), k), corners]).ravel()])
            types = np.concatenate([types, np.full(len(corners), 5 if k == 3 else 9)])
    grid = pyvista.UnstructuredGrid(stream, types, model.nodes)
    grid.cell_data["group"] = np.where(types == member.vtk_type, 7, 3).astype(np.int32)
    grid.cell_data["size"] = np.ones(len(types))
    return model, grid
