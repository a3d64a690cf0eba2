"""VTK unstructured grids (.vtu) as XML with binary arrays, for ParaView and other programs."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from faying.atomic import replacing
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel

_TYPES = {"f8": "Float64", "i8": "Int64", "i4": "Int32", "i1": "Int8", "u1": "UInt8"}


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a grid.

    Attributes:
        points: point indices of all cells, concatenated.
        sizes: (n,) number of points of each cell.
        types: (n,) VTK's type number of each cell.
    """

    points: np.ndarray
    sizes: np.ndarray
    types: np.ndarray


def cells_of(model: FeModel) -> Cells:
    """Return the elements of a model, block by block."""
    kinds, counts = [element_kinds[b.element] for b in model.blocks], [len(b.ids) for b in model.blocks]
    rows = [b.connectivity[:, list(k.vtk_order)].ravel() for b, k in zip(model.blocks, kinds, strict=True)]
    return Cells(
        np.concatenate(rows),
        np.repeat([k.n_nodes for k in kinds], counts),
        np.repeat([k.vtk_type for k in kinds], counts),
    )


def write_grid(
    path: Path, points: np.ndarray, cells: Cells, at_points: Mapping[str, np.ndarray],
    in_cells: Mapping[str, np.ndarray],
) -> None:  # fmt: skip
    """Write points (n, 3), cells, and named point and cell data, (n,) or (n, components).

    Raises:
        OSError: when the file cannot be written.
    """
    root = ElementTree.Element(
        "VTKFile", type="UnstructuredGrid", version="1.0", byte_order="LittleEndian", header_type="UInt64"
    )
    grid = ElementTree.SubElement(root, "UnstructuredGrid")
    piece = ElementTree.SubElement(
        grid, "Piece", NumberOfPoints=str(len(points)), NumberOfCells=str(len(cells.sizes))
    )
    for place, values in (("PointData", at_points), ("CellData", in_cells)):
        group = ElementTree.SubElement(piece, place)
        for name, array in values.items():
            _array(group, name, array)
    _array(ElementTree.SubElement(piece, "Points"), "Points", np.asarray(points, float))
    topology = ElementTree.SubElement(piece, "Cells")
    _array(topology, "connectivity", cells.points.astype(np.int64))
    _array(topology, "offsets", np.cumsum(cells.sizes).astype(np.int64))
    _array(topology, "types", cells.types.astype(np.uint8))
    with replacing(path, durable=False) as beside:
        ElementTree.ElementTree(root).write(beside, encoding="utf-8", xml_declaration=True)


def _array(parent: ElementTree.Element, name: str, values: np.ndarray) -> None:
    """Append an array as base64, preceded by its length."""
    content = np.ascontiguousarray(values).tobytes()
    element = ElementTree.SubElement(
        parent, "DataArray", type=_TYPES[values.dtype.str[1:]], Name=name, format="binary",
        NumberOfComponents=str(values.shape[1] if values.ndim > 1 else 1),
    )  # fmt: skip
    element.text = base64.b64encode(np.uint64(len(content)).tobytes() + content).decode("ascii")
