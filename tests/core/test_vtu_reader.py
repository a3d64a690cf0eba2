"""VTK grids in every form in which VTK itself writes them."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.readers import read_model
from faying.fem.skin import surface_area, surface_from_deck
from faying.fem.writers import write_model
from support.boxes import box
from support.grids import KINDS, grid_of

vtk = pytest.importorskip("vtk")
pyvista = pytest.importorskip("pyvista")


def write(grid, path: Path, form: str) -> Path:
    writer = vtk.vtkXMLUnstructuredGridWriter()
    writer.SetFileName(str(path))
    writer.SetInputData(grid)
    mode, packed, wide = form.split(", ")
    {"text": writer.SetDataModeToAscii, "binary": writer.SetDataModeToBinary}.get(
        mode, writer.SetDataModeToAppended
    )()
    writer.SetEncodeAppendedData(mode == "appended base64")
    if packed == "plain":
        writer.SetCompressorTypeToNone()
    else:
        writer.SetCompressorTypeToZLib()
        writer.SetBlockSize(256)
    {"32": writer.SetHeaderTypeToUInt32, "64": writer.SetHeaderTypeToUInt64}[wide]()
    assert writer.Write() == 1
    return path


FORMS = [
    f"{mode}, {packed}, {wide}"
    for mode in ("text", "binary", "appended base64", "appended raw")
    for packed in ("plain", "packed")
    for wide in ("32", "64")
]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_data(tmp_path: Path, form: str) -> None:
    model, grid = grid_of("tet10")
    read = read_model(write(grid, tmp_path / "grid.vtu", form))
    np.testing.assert_allclose(read.nodes, model.nodes, atol=1e-6)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)


@pytest.mark.parametrize("kind", KINDS)
def test_every_shape_with_a_surface_of_loose_facets(tmp_path: Path, kind: str) -> None:
    model, grid = grid_of(kind, facets=True)
    read = read_model(write(grid, tmp_path / "grid.vtu", "binary, packed, 32"))
    (block,) = read.blocks
    assert block.element == kind
    np.testing.assert_array_equal(block.connectivity, model.blocks[0].connectivity)
    assert len(read.element_sets["group 7"]) == len(block.ids) and "group 3" not in read.element_sets
    assert surface_area(surface_from_deck(read, "group 3"), read.nodes) == pytest.approx(3.0, rel=1e-6)
    assert read.unread == ((1, "cell data size"),)


def test_wedges_that_turn_the_other_way_are_turned(tmp_path: Path) -> None:
    model, grid = grid_of("wedge6")
    cells = grid.cells.reshape(-1, 7)[:, [0, 1, 3, 2, 4, 6, 5]]
    other = pyvista.UnstructuredGrid(cells.ravel(), grid.celltypes, grid.points)
    read = read_model(write(other, tmp_path / "grid.vtu", "text, plain, 32"))
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((b"VTKFile", b"Other"), "found <Other>, expected <VTKFile>"),
        ((b"</VTKFile>", b""), "no well-formed XML"),
        ((b"UnstructuredGrid", b"PolyData"), "there is no unstructured grid"),
        ((b'"offsets"', b'"offset"'), "points or cells are missing"),
        ((b'format="ascii"', b'format="other"'), "has the format other"),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, change: tuple[bytes, bytes], words: str) -> None:
    path = write(grid_of("tet4")[1], tmp_path / "grid.vtu", "text, plain, 32")
    path.write_bytes(path.read_bytes().replace(*change))
    with pytest.raises(ReadError, match=words):
        read_model(path)


def test_numbers_of_cells_are_no_groups(tmp_path: Path) -> None:
    model = box("hex8_incompatible", (4, 1, 1), (4.0, 1.0, 1.0))
    model = dataclasses.replace(model, element_sets={"A": np.array([0, 1]), "B": np.array([3])})
    write_model(model, tmp_path / "again.vtu")
    read = read_model(tmp_path / "again.vtu")
    names = {"A 0": [2, 3], "A 1": [0, 1], "B 0": [0, 1, 2], "B 1": [3], "material 1": [0, 1, 2, 3]}
    assert {name: rows.tolist() for name, rows in read.element_sets.items()} == names
    assert (1, "cell data element") in read.unread
    # Each of two cells may be in a group of its own.
    two = box("hex8_incompatible", (2, 1, 1), (2.0, 1.0, 1.0))
    write_model(dataclasses.replace(two, element_sets={"A": np.array([1])}), tmp_path / "two.vtu")
    assert read_model(tmp_path / "two.vtu").element_sets["A 1"].tolist() == [1]
