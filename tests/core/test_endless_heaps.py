"""A page of zeros among the texts of an HDF5 file: HDF5 never comes back from it, so nobody may ask it."""

import struct
from pathlib import Path

import h5py
import pytest

from faying.errors import ReadError
from faying.hdf_files import has_endless_heap, open_foreign_hdf
from faying.project.file import open_project, save_project
from faying.project.specs import Project
from faying.project.store import ArtifactStore


def broken(path: Path) -> Path:
    """Return the file with the size of the free space of its first heap of texts set to zero."""
    content = bytearray(path.read_bytes())
    place = content.index(b"GCOL") + 16
    while (number := struct.unpack_from("<H", content, place)[0]) != 0:
        assert number < 1000
        place += 16 + (struct.unpack_from("<Q", content, place + 8)[0] + 7) // 8 * 8
    content[place : place + 16] = bytes(16)
    path.write_bytes(content)
    return path


def test_a_project_with_a_page_of_zeros_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.faying"
    save_project(path, Project(name="a"), "", ArtifactStore(tmp_path / "store"), ())
    assert not has_endless_heap(path)
    assert open_project(path).project.name == "a"
    broken(path)
    with pytest.raises(ReadError, match="the file is damaged"):
        open_project(path)


def test_a_file_of_another_program_too(tmp_path: Path) -> None:
    path = tmp_path / "a.med"
    with h5py.File(path, "w") as file:
        file.attrs["kind"] = "text"
    with open_foreign_hdf(path) as file:
        assert file.attrs["kind"] == "text"
    broken(path)
    with pytest.raises(ReadError, match="damaged"):
        open_foreign_hdf(path)


def test_content_that_only_looks_like_a_heap_is_let_in(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(
        b"GCOL" + b"\xff" * 40 + b"GCOL\x01\0\0\0" + struct.pack("<QHHIQ", 64, 1, 1, 0, 8) + b"x" * 40
    )
    assert not has_endless_heap(path)
    path.write_bytes(b"")
    assert not has_endless_heap(path)
