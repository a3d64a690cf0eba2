"""HDF5 files from elsewhere show nothing but themselves: links and values in other files are not followed."""

import os
import tempfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from faying import hdf_files
from faying.errors import ReadError
from faying.fem.readers import read_model
from faying.hdf_files import new_file, open_foreign_hdf, open_hdf
from faying.project.file import open_project, save_project
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.records import write_record
from faying.results.results import Results
from support.synthetic_stages import PIPELINE, bar

SUM, RUN = Target("sum", "bar"), Target("run", "bar", "swing")


def _external(file, name, other):
    file[name] = h5py.ExternalLink(str(other), "/secret/value")


def _soft(file, name, other):
    file[name] = h5py.SoftLink("/results")


def _raw(file, name, other):
    file.create_dataset(name, (2,), "f8", external=[(str(other), 0, 16)])


def _virtual(file, name, other):
    layout = h5py.VirtualLayout((2,), "f8")
    layout[:] = h5py.VirtualSource(str(other), "secret/value", (2,))
    file.create_virtual_dataset(name, layout)


def _boundless(group, name):
    """A few bytes that stand for 8 TB: HDF5 reads what was never written as zeros."""
    del group[name]
    group.create_dataset(name, (10**12,), "f8", chunks=(1000,))


@pytest.mark.parametrize("place", ["artifacts", "results", "project.toml"])
def test_a_project_that_says_that_it_holds_more_than_it_does_takes_no_memory(saved, tmp_path, place):
    """Reading it took all memory: the process was ended by the system, without a word."""
    path, project = saved
    with h5py.File(path, "r+") as file:
        if place == "project.toml":
            _boundless(file, place)
        else:
            found: list[str] = []
            file[place].visititems(
                lambda name, node: found.append(name) if isinstance(node, h5py.Dataset) else None
            )
            _boundless(file[place], found[0])
    with pytest.raises(
        ReadError, match="says that it has 1000000000000 values, and the file does not hold as many"
    ):
        open_project(path)
    store = ArtifactStore(tmp_path / "fresh", below=path)
    assert PIPELINE.run(project, SUM, store)[0] == 7.0  # computed again


LINKS = [_external, _soft, _raw, _virtual]


@pytest.fixture
def secret(tmp_path):
    """A file outside of the project's folder."""
    path = tmp_path / "elsewhere" / "secret.h5"
    path.parent.mkdir()
    with h5py.File(path, "w") as file:
        write_record(file.create_group("secret"), "value", np.array([666.0, 666.0]))
    return path


@pytest.fixture
def saved(tmp_path):
    project, store = bar(deck="/5"), ArtifactStore(tmp_path / "work")
    PIPELINE.run(project, RUN, store)
    path = tmp_path / "bar.faying"
    save_project(path, project, "", store, PIPELINE.reached(project, store))
    return path, project


@pytest.mark.parametrize("link", LINKS)
def test_a_project_that_leads_elsewhere_is_refused(saved, secret, link):
    path, _ = saved
    with h5py.File(path, "r+") as file:
        link(file, "view", secret)
    with pytest.raises(ReadError, match="/view leads to"):
        open_project(path)


@pytest.mark.parametrize("link", LINKS)
def test_no_artifact_and_no_result_is_taken_from_elsewhere(saved, secret, link, tmp_path):
    path, project = saved
    sum_key, run_key = (PIPELINE.key_of(project, target) for target in (SUM, RUN))
    with h5py.File(path, "r+") as file:
        del file[f"artifacts/{sum_key}/value"]
        link(file, f"artifacts/{sum_key}/value", secret)
    store = ArtifactStore(tmp_path / "fresh", below=path)
    assert not store.has(sum_key) and store.results(run_key) is None
    assert PIPELINE.run(project, SUM, store)[0] == 7.0


@pytest.mark.parametrize("link", LINKS)
def test_nor_from_a_store_that_came_with_the_project(secret, link, tmp_path):
    project, store = bar(deck="/5"), ArtifactStore(tmp_path / "work")
    PIPELINE.run(project, RUN, store)
    sum_key, run_key = (PIPELINE.key_of(project, target) for target in (SUM, RUN))
    with h5py.File(store.artifact_path(sum_key), "w") as file:
        link(file, "value", secret)
    results = store.results_path(run_key)
    with h5py.File(results, "r+") as file:
        del file["axis_values"]
        link(file, "axis_values", secret)
    assert not store.has(sum_key) and store.results(run_key) is None
    with pytest.raises(ReadError, match="leads to"):
        Results(results)
    assert PIPELINE.run(project, SUM, store)[0] == 7.0


def test_a_file_is_looked_through_again_when_it_changed(saved, secret):
    path, project = saved
    assert open_project(path).project == project
    with h5py.File(path, "r+") as file:
        _external(file, "artifacts/more", secret)
    with pytest.raises(ReadError, match="artifacts/more leads to /secret/value of the file"):
        open_project(path)


def test_what_leads_round_in_a_circle_by_hard_links_ends(saved):
    path, project = saved
    with h5py.File(path, "r+") as file:
        file["artifacts/round"] = file["artifacts"]
    assert open_project(path).project == project


def _tetrahedron(path):
    """Write a grid of one tetrahedron with a group."""
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = (2, 1)
        root.attrs["Type"] = b"UnstructuredGrid"
        for name, value in (
            ("NumberOfPoints", [4]), ("NumberOfCells", [1]), ("NumberOfConnectivityIds", [4]),
            ("Connectivity", [0, 1, 2, 3]), ("Offsets", [0, 4]),
            ("Types", np.array([10], np.uint8)), ("CellData/part", [3]),
        ):  # fmt: skip
            root[name] = value
        root["Points"] = np.vstack([np.zeros(3), np.eye(3)])
    return path


@pytest.mark.parametrize("link", [_external, _raw, _virtual])
@pytest.mark.parametrize("ending", [".vtkhdf", ".med"])
def test_a_model_that_reads_from_other_files_is_refused(secret, link, ending, tmp_path):
    path = _tetrahedron(tmp_path / f"grid{ending}")
    with h5py.File(path, "r+") as file:
        link(file, "VTKHDF/CellData/other", secret)
    with pytest.raises(ReadError, match="CellData/other leads to"):
        read_model(path)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights are those of POSIX")
def test_soft_links_count_as_absent_in_files_that_nobody_may_write():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "linked.h5"
        with h5py.File(path, "w") as file:
            file["values"] = [1, 2, 3]
            file["again"] = h5py.SoftLink("/values")
        path.chmod(0o444)
        user = os.geteuid()
        if user == 0:  # who may write everything
            os.seteuid(65534)
        try:
            with open_foreign_hdf(path) as file:
                assert list(file) == ["values"] and file["values"][()].tolist() == [1, 2, 3]
        finally:
            os.seteuid(user)


def test_soft_links_that_other_programs_write_count_as_absent(tmp_path):
    path = _tetrahedron(tmp_path / "grid.vtkhdf")
    before = path.read_bytes()
    assert read_model(path).element_sets.keys() == {"part 3"}
    with h5py.File(path, "r+") as file:
        file["VTKHDF/CellData/again"] = h5py.SoftLink("/VTKHDF/CellData/part")
        file["VTKHDF/Assembly"] = h5py.SoftLink("/VTKHDF")
    linked = path.read_bytes()
    assert linked != before and read_model(path).element_sets.keys() == {"part 3"}
    assert path.read_bytes() == linked  # cut in memory only
    with h5py.File(path, "r+") as file:
        del file["VTKHDF/Points"]
        file["VTKHDF/Points"] = h5py.SoftLink("/VTKHDF/CellData/part")
    with pytest.raises(ReadError, match="Points"):
        read_model(path)


def test_a_file_of_this_process_is_searched_for_links_only_after_others_changed_it(tmp_path, monkeypatch):
    """Large project files took longer to be searched than to be written."""
    searched = []
    found = hdf_files._found
    monkeypatch.setattr(hdf_files, "_found", lambda root: searched.append(root) or found(root))
    path = tmp_path / "own.h5"
    with new_file(path) as file:
        file["value"] = np.arange(3.0)
    path = path.rename(tmp_path / "moved.h5")
    with open_hdf(path) as file:
        assert file["value"][2] == 2.0
    assert not searched
    with h5py.File(path, "r+") as file:
        _external(file, "link", tmp_path / "other.h5")
    with pytest.raises(ReadError, match="leads to"):
        open_hdf(path)
    assert searched
