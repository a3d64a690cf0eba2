"""Reader of VTKHDF files (.vtkhdf): unstructured grids as VTK, ParaView and this program's export write them.

As of a .vtu grid (see `vtu`), points, solid cells and groups of cells are taken over; of several partitions the first,
of several time steps the geometry of the first.
"""

from pathlib import Path

import h5py
import numpy as np

from faying.errors import ReadError
from faying.fem.model import FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._hdf_files import opened_hdf
from faying.fem.readers._vtk_grid import model_of_grid
from faying.progress import Progress


@readers.register("vtkhdf")
class VtkHdfReader(ModelReader):
    """Reads the first partition of a grid with its groups of cells; all else is listed as unread."""

    title = "VTK HDF grid"
    extensions = (".vtkhdf",)

    @classmethod
    def read(cls, path: Path, progress: Progress, outlines: bool = False) -> FeModel:
        """Return the model in a grid; nodes and elements are numbered from 1."""
        with opened_hdf(path) as file:
            root = file.get("VTKHDF")
            kind = root.attrs.get("Type", b"") if isinstance(root, h5py.Group) else b""
            if kind not in (b"UnstructuredGrid", "UnstructuredGrid"):
                raise ReadError(
                    path,
                    None,
                    "there is no unstructured grid in it.",
                    "Save an unstructured grid as .vtkhdf.",
                )
            assert isinstance(root, h5py.Group)
            try:
                model = _model(path, root)
            except KeyError as error:
                raise ReadError(
                    path, None, f"an array is missing ({error}).", "Save the grid again."
                ) from error
        progress.report(1.0, f"{len(model.nodes)} nodes")
        return model


def _model(path: Path, root: h5py.Group) -> FeModel:
    points, cells, ids = (
        int(root[name][0]) for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds")
    )
    unread: list[tuple[int, str]] = []
    if len(root["NumberOfPoints"]) > 1 and "Steps" not in root:
        unread.append((1, f"{len(root['NumberOfPoints']) - 1} further partitions"))
    if "Steps" in root:
        unread.append((1, f"{int(root['Steps'].attrs.get('NSteps', 1))} time steps"))
    unread += [(1, f"point data {name}") for name in root.get("PointData", ())]
    cell_data = {
        name: np.asarray(values[:cells])
        for name, values in root.get("CellData", {}).items()
        if isinstance(values, h5py.Dataset)
    }
    return model_of_grid(
        path,
        np.asarray(root["Points"][:points], float),
        np.asarray(root["Connectivity"][:ids]),
        np.asarray(root["Offsets"][: cells + 1]),
        np.asarray(root["Types"][:cells]),
        cell_data,
        unread,
    )
