"""Legacy VTK and VTKHDF grids as VTK itself writes them."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.readers import read_model
from faying.fem.skin import surface_area, surface_from_deck
from support.grids import KINDS, grid_of

vtk = pytest.importorskip("vtk")


def write_legacy(grid, path: Path, binary: bool, version: int) -> Path:
    writer = vtk.vtkUnstructuredGridWriter()
    writer.SetFileName(str(path))
    writer.SetInputData(grid)
    writer.SetFileVersion(version)
    (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
    assert writer.Write() == 1
    return path


def write_hdf(grid, path: Path) -> Path:
    writer = vtk.vtkHDFWriter()
    writer.SetFileName(str(path))
    writer.SetInputData(grid)
    writer.Write()
    return path


@pytest.mark.parametrize("version", [42, 51])
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_legacy_files(tmp_path: Path, kind: str, binary: bool, version: int) -> None:
    model, grid = grid_of(kind, facets=True)
    grid.point_data["height"] = grid.points[:, 2].copy()
    read = read_model(write_legacy(grid, tmp_path / "grid.vtk", binary, version))
    np.testing.assert_allclose(read.nodes, model.nodes, atol=1e-6)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert len(read.element_sets["group 7"]) == len(model.element_ids)
    assert surface_area(surface_from_deck(read, "group 3"), read.nodes) == pytest.approx(3.0)
    assert any("height" in text for _, text in read.unread)


@pytest.mark.parametrize("kind", KINDS)
def test_hdf_files(tmp_path: Path, kind: str) -> None:
    model, grid = grid_of(kind, facets=True)
    read = read_model(write_hdf(grid, tmp_path / "grid.vtkhdf"))
    np.testing.assert_allclose(read.nodes, model.nodes, atol=1e-6)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert surface_area(surface_from_deck(read, "group 3"), read.nodes) == pytest.approx(3.0)


@pytest.mark.parametrize("binary", [False, True])
def test_legacy_arrays_with_names_of_their_components(tmp_path: Path, binary: bool) -> None:
    model, grid = grid_of("tet4")
    for name in ("first", "second"):
        array = vtk.vtkIntArray()
        array.SetName(name)
        array.SetComponentName(0, "number")
        for i in range(len(model.element_ids)):
            array.InsertNextValue(i % 2)
        grid.GetCellData().AddArray(array)
    path = write_legacy(grid, tmp_path / "named.vtk", binary, 51)
    assert path.read_bytes().count(b"METADATA") >= 2
    read = read_model(path)
    assert {"first 0", "first 1", "second 0", "second 1", "group 7"} <= set(read.element_sets)
    assert [text for _, text in read.unread] == ["cell data size"]


def test_mistakes_are_sentences(tmp_path: Path) -> None:
    _, grid = grid_of("tet4")
    whole = write_legacy(grid, tmp_path / "grid.vtk", True, 51).read_bytes()
    for content, words in (
        (whole[:500], "ends too early"),
        (b"solid stl", "expected '# vtk DataFile"),
        (whole.replace(b"UNSTRUCTURED_GRID", b"POLYDATA"), "found a polydata"),
        (whole[: whole.index(b"CELLS")], "points or cells are missing"),
    ):
        (tmp_path / "wrong.vtk").write_bytes(content)
        with pytest.raises(ReadError, match=words):
            read_model(tmp_path / "wrong.vtk")
    (tmp_path / "wrong.vtkhdf").write_bytes(b"no hdf")
    with pytest.raises(ReadError, match="no HDF5 file"):
        read_model(tmp_path / "wrong.vtkhdf")
    with h5py.File(tmp_path / "wrong.vtkhdf", "w") as file:
        file.create_group("VTKHDF").attrs["Type"] = b"ImageData"
    with pytest.raises(ReadError, match="no unstructured grid"):
        read_model(tmp_path / "wrong.vtkhdf")
