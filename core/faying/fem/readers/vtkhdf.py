"""Reader of VTKHDF files (.vtkhdf): unstructured grids written by VTK, ParaView and Faying.

Points, solid cells and groups of cells are read as from a .vtu grid (see `vtu`): those of the first partition, in the
geometry of the first time step.
"""

from pathlib import Path

import numpy as np

from faying.errors import ReadError
from faying.fem.model import LARGEST_ID, FeModel
from faying.fem.readers import ModelReader, readers
from faying.fem.readers._hdf_files import HdfGroup, opened_hdf
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
            root = file.groups().get("VTKHDF")
            if root is None or root.text_or_number("Type") != "UnstructuredGrid":
                raise ReadError(
                    path,
                    None,
                    "there is no unstructured grid in it.",
                    "Save an unstructured grid as .vtkhdf.",
                )
            model = _model(path, root)
        progress.report(1.0, f"{len(model.nodes)} nodes")
        return model


def _model(path: Path, root: HdfGroup) -> FeModel:
    points, cells, ids = (
        _first_count(path, root, name)
        for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds")
    )
    inside = root.groups()
    unread: list[tuple[int, str]] = []
    partitions = len(root.numbers("NumberOfPoints", 1))
    if partitions > 1 and "Steps" not in inside:
        unread.append((1, f"{partitions - 1} further partitions"))
    if "Steps" in inside:
        unread.append((1, f"{inside['Steps'].text_or_number('NSteps') or 1} time steps"))
    if "PointData" in inside:
        unread += [(1, f"point data {name}") for name in inside["PointData"].names()]
    cell_data: dict[str, np.ndarray] = {}
    if "CellData" in inside:
        for name in inside["CellData"].names():
            if inside["CellData"].is_numbers(name, 1):
                cell_data[name] = inside["CellData"].numbers(name, 1, cells)
            else:
                unread.append((1, f"cell data {name}"))
    return model_of_grid(
        path,
        root.numbers("Points", 2, points).astype(float),
        root.numbers("Connectivity", 1, ids),
        root.numbers("Offsets", 1, cells + 1),
        root.numbers("Types", 1, cells),
        cell_data,
        unread,
    )


def _first_count(path: Path, root: HdfGroup, name: str) -> int:
    """Return the first entry of a list of counts, for the first partition."""
    counts = root.numbers(name, 1)
    if not len(counts) or counts.dtype.kind not in "iu" or not 0 <= counts[0] < LARGEST_ID:
        raise ReadError(path, None, f"{name!r} does not say how many there are.", "Save the grid again.")
    return int(counts[0])
