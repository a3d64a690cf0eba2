"""Writer of VTK's unstructured grids (.vtu): the mesh, numbers of nodes and elements, materials and element sets."""

import base64
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying.fem.writers import ModelWriter, writers

_TYPES = {"f8": "Float64", "i8": "Int64", "i4": "Int32", "i1": "Int8", "u1": "UInt8"}


@writers.register("vtu")
class VtuWriter(ModelWriter):
    """Writes the mesh for ParaView and others; couplings, sections and surfaces have no place in a grid."""

    title = "VTK unstructured grid"
    extensions = (".vtu",)

    @classmethod
    def write(cls, model: FeModel, path: Path) -> tuple[str, ...]:
        """Write a grid."""
        root = ElementTree.Element(
            "VTKFile", type="UnstructuredGrid", version="1.0", byte_order="LittleEndian", header_type="UInt64"
        )
        grid = ElementTree.SubElement(root, "UnstructuredGrid")
        n_cells = len(model.element_ids)
        piece = ElementTree.SubElement(
            grid, "Piece", NumberOfPoints=str(len(model.nodes)), NumberOfCells=str(n_cells)
        )
        _array(ElementTree.SubElement(piece, "PointData"), "node", model.node_ids.astype(np.int64))
        cells = ElementTree.SubElement(piece, "CellData")
        _array(cells, "element", model.element_ids.astype(np.int64))
        names = list(model.materials)
        numbers = [names.index(b.material) + 1 if b.material in names else 0 for b in model.blocks]
        _array(cells, "material", np.repeat(numbers, [len(b.ids) for b in model.blocks]).astype(np.int32))
        for name, positions in model.element_sets.items():
            inside = np.zeros(n_cells, np.int8)
            inside[positions] = 1
            _array(cells, name, inside)
        _array(ElementTree.SubElement(piece, "Points"), "Points", np.asarray(model.nodes, float))
        topology = ElementTree.SubElement(piece, "Cells")
        kinds = [element_kinds[block.element] for block in model.blocks]
        rows = [
            b.connectivity[:, list(k.vtk_order)].ravel() for b, k in zip(model.blocks, kinds, strict=True)
        ]
        sizes = np.repeat([k.n_nodes for k in kinds], [len(b.ids) for b in model.blocks])
        types = np.repeat([k.vtk_type for k in kinds], [len(b.ids) for b in model.blocks])
        _array(topology, "connectivity", np.concatenate(rows).astype(np.int64))
        _array(topology, "offsets", np.cumsum(sizes).astype(np.int64))
        _array(topology, "types", types.astype(np.uint8))
        ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
        lost = {
            "couplings": model.couplings,
            "equations": model.equations,
            "point masses": model.point_masses,
        }
        return tuple(
            f"{len(things)} {word} have no place in a grid." for word, things in lost.items() if things
        )


def _array(parent: ElementTree.Element, name: str, values: np.ndarray) -> None:
    """Add an array as base64 behind its length."""
    content = np.ascontiguousarray(values).tobytes()
    element = ElementTree.SubElement(
        parent, "DataArray", type=_TYPES[values.dtype.str[1:]], Name=name, format="binary",
        NumberOfComponents=str(values.shape[1] if values.ndim > 1 else 1),
    )  # fmt: skip
    element.text = base64.b64encode(np.uint64(len(content)).tobytes() + content).decode("ascii")
