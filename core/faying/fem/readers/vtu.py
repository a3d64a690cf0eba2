"""Reader of VTK's unstructured grids (.vtu).

Supported: points, solid cells, and integer cell data of few distinct values: of solids as element sets ("material 3"),
of loose triangles and quadrilaterals as surfaces if on the skin of solids. A grid has no material: choose one for the
body, or import stiffness and mass.
"""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._vtk_grid import model_of_grid
from faying.fem.readers._vtu_arrays import VtkXml
from faying.progress import Progress


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
        cell_data = {a.get("Name", ""): file.array(a) for a in piece.findall("CellData/DataArray")}
        unread += [(1, f"point data {a.get('Name')}") for a in piece.findall("PointData/DataArray")]
        offsets = np.concatenate([np.zeros(1, offsets.dtype), offsets.ravel()])
        model = model_of_grid(path, nodes, connectivity, offsets, types, cell_data, unread)
        progress.report(1.0, f"{len(nodes)} nodes")
        return model
