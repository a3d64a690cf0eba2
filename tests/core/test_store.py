"""The artifact store: whole or absent, and layered over a project file."""

import errno
import logging
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from faying.atomic import remove_leftovers, replacing
from faying.errors import FayingError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.project.recipe import Recipe, differences
from faying.project.store import ArtifactStore
from faying.records import read_record, write_record
from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.results.results import Results, earlier_results
from faying.results.writer import ResultsWriter

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def store(tmp_path):
    return ArtifactStore(tmp_path / "artifacts")


def _basis(n=50, r=4):
    modes = np.random.default_rng(1).normal(size=(n, r))
    groups = (ModeGroup("free-free modes", 0, r),)
    return ReductionBasis(modes, groups, np.arange(float(r)), ("one direction",), np.zeros(0))


def _writer(path, frames, complete):
    with ResultsWriter(
        path, axis="time", body="bar", frame="", sizes={"coordinates": 3}, joints={}, flush_every=1
    ) as writer:
        for i in range(frames):
            writer.append(0.1 * i, coordinates=np.full(3, i + 0.1))
        if complete:
            writer.close({})


def test_a_record_comes_back_exactly(store):
    basis = _basis()
    assert not store.has(KEY)
    store.write(KEY, basis)
    again = store.read(KEY)
    assert store.has(KEY)
    np.testing.assert_array_equal(again.modes, basis.modes)
    assert again.groups[0].name == "free-free modes" and again.removed == basis.removed
    store.write(KEY, {"matrix": sp.csr_matrix(np.eye(3)), "none": None})
    assert (store.read(KEY)["matrix"].toarray() == np.eye(3)).all()


def test_files_with_a_group_for_every_number_and_text_are_read():
    """So they were until November 2026."""

    def group(parent, name, **words):
        made = parent.create_group(name)
        made.attrs.update(words)
        return made

    with h5py.File("old.h5", "w", driver="core", backing_store=False) as file:
        value = group(file, "value", type="dict")
        half = np.frombuffer("half \ud800".encode("utf-8", "surrogatepass"), np.uint8)
        entries = [group(value, str(i), key=key) for i, key in enumerate(("a", half, "c", "d", "e"))]
        group(entries[0], "value", type="scalar", value=1.5)
        group(entries[1], "value", type="none")
        texts = group(entries[2], "value", type="tuple", length=3)
        for i, text in enumerate(("__texts__", "x", "y")):
            group(texts, str(i), type="scalar", value=text)
        modes = group(entries[3], "value", type="record", record=ModeGroup.__record_name__)
        for name, word in (("name", "rigid"), ("start", 0), ("stop", 6)):
            group(modes, name, type="scalar", value=word)
        group(entries[4], "value", type="bytes", value=half)
        again = read_record(file["value"])
    assert list(again) == ["a", "half \ud800", "c", "d", "e"]
    assert again["a"] == 1.5 and again["half \ud800"] is None and again["e"] == "half \ud800"
    assert isinstance(again["c"], np.ndarray) and again["c"].tolist() == ["x", "y"]
    assert (again["d"].name, again["d"].start, again["d"].stop) == ("rigid", 0, 6)


def test_long_texts_and_many_numbers_are_stored(store):
    value = {
        "text": "long " * 20000,
        "numbers": tuple(range(30000)),
        "array": np.arange(3.0),
        "inf": (-np.inf, np.nan),
    }
    store.write(KEY, value)
    again = store.read(KEY)
    assert again["text"] == value["text"] and again["numbers"] == value["numbers"]
    assert again["inf"][0] == -np.inf and np.isnan(again["inf"][1])
    store.write(KEY, value["text"])
    assert store.read(KEY) == value["text"]


def test_what_is_no_record_is_refused():
    with h5py.File("none.h5", "w", driver="core", backing_store=False) as file:
        for value in ({1: "a"}, {1: np.zeros(2)}, object(), (np.zeros(2), {3})):
            with pytest.raises(TypeError, match="is not a record"):
                write_record(file, "value", value)
            file.pop("value", None)


@pytest.mark.parametrize("damage", ["cut", "zeros", "empty", "foreign"])
def test_a_damaged_artifact_counts_as_absent_and_is_logged(store, damage, caplog):
    store.write(KEY, _basis(5000))
    path = store.artifact_path(KEY)
    content = path.read_bytes()
    path.write_bytes(
        {
            "cut": content[: len(content) // 2],
            "zeros": content[:100] + bytes(len(content) - 100),
            "empty": b"",
            "foreign": b"not HDF5 at all",
        }[damage]
    )
    with caplog.at_level(logging.WARNING), pytest.raises(KeyError):
        store.read(KEY)
    assert "damaged" in caplog.text
    assert not store.has(KEY)
    store.write(KEY, _basis())
    assert store.read(KEY).modes.shape == (50, 4)


@contextmanager
def no_more_files():
    """No file can be opened in the block: this process has as many open as it may have."""
    limits, held = resource.getrlimit(resource.RLIMIT_NOFILE), []
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    try:
        with suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for file in held:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_what_cannot_be_read_just_now_is_not_damaged(store, monkeypatch):
    """Neither an artifact goes, nor the frames from which an interrupted run goes on."""
    store.write(KEY, _basis())
    _writer(store.partial_path(KEY), 3, complete=False)
    with no_more_files():
        with pytest.raises(FayingError, match=r"cannot be read now .*Too many open files"):
            store.read(KEY)
        with pytest.raises(FayingError, match=r"cannot be read now .*Too many open files"):
            store.begin_results(KEY)
    assert store.read(KEY).modes.shape == (50, 4)
    assert store.results(KEY).reached[1] == 3

    def away(self):
        raise OSError(errno.EIO, "the network is away")

    _writer(store.results_path(KEY), 2, complete=True)
    with monkeypatch.context() as patch:
        patch.setattr(Results, "verify", away)
        with pytest.raises(FayingError, match="cannot be read now"):
            store.verify_results(KEY)
    assert store.verify_results(KEY) and store.results(KEY).complete


def test_files_that_somebody_removes_meanwhile_are_passed_over(store):
    store.write_recipe(Recipe("pairs", 1, "bar", "lap", 1, {}))
    (store.folder / f"{KEY}.json").symlink_to("gone")
    assert len(store.recipes()) == 1


def test_nothing_half_written_is_left_after_a_kill(tmp_path):
    """A child is killed in the middle of writing; the artifact is absent and the rest is swept up."""
    program = f"""
import os, signal, h5py
from pathlib import Path
from faying.project import store
def half(parent, name, value):
    parent.create_dataset("value", data=value)
    parent.file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
store.write_record = half
import numpy as np
store.ArtifactStore(Path({str(tmp_path)!r})).write({KEY!r}, np.zeros(1000))
"""
    code = subprocess.run([sys.executable, "-c", program], timeout=60).returncode
    assert code == -signal.SIGKILL
    assert [p for p in tmp_path.iterdir() if p.name.endswith(".saving")]
    store = ArtifactStore(tmp_path)
    assert not store.has(KEY)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_a_sentence_and_keeps_the_old_artifact(tmp_path):
    """The limit on file sizes makes the write fail as a full disk does."""
    store = ArtifactStore(tmp_path)
    store.write(KEY, np.arange(10.0))
    program = f"""
import resource, signal, sys
import numpy as np
from pathlib import Path
from faying.errors import FayingError
from faying.project.store import ArtifactStore
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
try:
    ArtifactStore(Path({str(tmp_path)!r})).write({KEY!r}, np.random.default_rng(0).normal(size=1 << 20))
except FayingError as error:
    print(error)
    sys.exit(7)
"""
    assert resource.RLIMIT_FSIZE
    done = subprocess.run([sys.executable, "-c", program], timeout=60, capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    assert "could not be written" in done.stdout and "Free some disk space" in done.stdout
    np.testing.assert_array_equal(store.read(KEY), np.arange(10.0))
    assert [p.name for p in tmp_path.iterdir()] == [f"{KEY}.h5"]


def test_complete_results_win_over_partial_ones(store):
    assert store.results(KEY) is None
    _writer(store.partial_path(KEY), 3, complete=False)
    place = store.results(KEY)
    assert place is not None and not place.complete
    _writer(store.partial_path(KEY), 5, complete=True)
    store.complete_results(KEY)
    place = store.results(KEY)
    assert place is not None and place.complete and place.path == store.results_path(KEY)
    results = place.open()
    assert results.n_frames == 5
    assert results.coordinates(4)[0] == 4.1  # exactly: double precision on disk
    results.close()


def test_complete_results_of_the_project_file_win_over_an_interrupted_run(tmp_path):
    project = tmp_path / "project.h5"
    with h5py.File(project, "w"):
        pass
    complete = tmp_path / "complete.h5"
    _writer(complete, 2, complete=True)
    with h5py.File(project, "a") as file, h5py.File(complete) as source:
        source.copy(source, file, f"results/{KEY}")
    store = ArtifactStore(tmp_path / "artifacts", project)
    _writer(store.partial_path(KEY), 9, complete=False)
    place = store.results(KEY)
    assert place is not None and place.complete and (place.path, place.group) == (project, f"/results/{KEY}")


def test_of_interrupted_runs_the_one_that_got_furthest_counts(store):
    _writer(earlier_results(store.partial_path(KEY)), 7, complete=False)
    begun = Results(earlier_results(store.partial_path(KEY)))
    with closing(begun), ResultsWriter(
        store.partial_path(KEY), axis="time", body="bar", sizes={"coordinates": 3}, joints={}, flush_every=1,
        begun=begun.begun,
    ) as again:  # fmt: skip
        again.append(0.0, coordinates=np.zeros(3))
    place = store.results(KEY)
    assert place is not None and place.path == earlier_results(store.partial_path(KEY))
    # Complete ones beside it win, whatever is older and longer.
    _writer(store.results_path(KEY), 2, complete=True)
    place = store.results(KEY)
    assert place is not None and place.complete and place.path == store.results_path(KEY)


def test_only_leftovers_of_writers_that_are_gone_are_removed(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    folder = tmp_path / "artifacts"
    folder.mkdir()
    with replacing(folder / f"{KEY}.h5") as beside:
        beside.touch()
        own = f"{os.getpid()}-"
        assert own in beside.name
    left = {
        number: folder / beside.name.replace(own, f"{number}-")
        for number in (gone.pid, os.getpid(), os.getppid())
    }
    # Who writes on another machine, or wrote with an earlier version, may live.
    elsewhere, earlier, day_old = (
        folder / f".{KEY}.h5.{host}{gone.pid}-{token}.saving"
        for host, token in (("elsewhere-", "0123abcd"), ("", "0123abcd"), ("elsewhere-", "4567abcd"))
    )
    for path in (*left.values(), elsewhere, earlier, day_old):
        path.write_text("half")
    os.utime(day_old, (time.time() - 90000.0,) * 2)
    (folder / ".other.saving").write_text("not of a writer")
    ArtifactStore(folder)
    assert {number: path.exists() for number, path in left.items()} == {
        gone.pid: False, os.getpid(): True, os.getppid(): True,
    }  # fmt: skip
    assert [path.exists() for path in (elsewhere, earlier, day_old)] == [True, True, False]
    assert (folder / ".other.saving").exists()
    # Of a file, and not of others that its name is a pattern of.
    for name in ("a[1].faying", "a1.faying"):
        left[gone.pid].with_name(left[gone.pid].name.replace(f"{KEY}.h5", name)).write_text("half")
    remove_leftovers(folder, "a[1].faying")
    assert len(list(folder.glob(".a1.faying.*"))) == 1 and not list(folder.glob(".a[[]1].faying.*"))


def test_frames_written_before_a_kill_can_be_read(store):
    program = f"""
import os, signal
import numpy as np
from pathlib import Path
from faying.results.writer import ResultsWriter
writer = ResultsWriter(Path({str(store.partial_path(KEY))!r}), axis="time", body="bar", frame="",
                       sizes={{"coordinates": 3}}, joints={{"j": {{"history": (4, 2)}}}}, flush_every=5)
for i in range(12):
    writer.append(0.1 * i, {{"joints/j/history": np.zeros((4, 2))}}, coordinates=np.full(3, float(i)))
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", program], timeout=60)
    place = store.results(KEY)
    assert place is not None and not place.complete
    results = place.open()
    assert results.n_frames == 10  # two blocks of five were flushed
    assert results.coordinates(9)[0] == 9.0
    results.close()


def test_recipes_are_kept_and_the_last_used_comes_last(store):
    first = Recipe("sum", 1, "bar", "", {"count": 1}, {})
    second = Recipe("sum", 1, "bar", "", {"count": 2}, {})
    store.write_recipe(first)
    store.write_recipe(second)
    store.write_recipe(first)
    assert list(store.recipes()) == [second.key, first.key]
    assert store.recipes()[first.key] == first


def test_differences_name_the_cause():
    law = LinearPenalty().model_dump(mode="json")
    source = [
        Recipe("pairs", 1, "b", "j", {"search": {"distance": d, "angle": 45.0}}, {}) for d in (1.0, 2.0)
    ]
    old = Recipe("run", 1, "b", "a", {"law": law, "friction": None}, {"pairs j": source[0].key})
    new = Recipe("run", 2, "b", "a", {"law": {**law, "stiffness": 1.0}, "friction": {"kind": "coulomb"}},
                 {"pairs j": source[1].key})  # fmt: skip
    known = {recipe.key: recipe for recipe in source}
    assert differences(old, new, known.get) == [
        "the program's run step is newer",
        "friction: none → coulomb",
        "law.stiffness: 50000.0 → 1.0",
        "search.distance: 1.0 → 2.0",
    ]
    assert differences(old, new, lambda key: None)[-1] == "pairs j changed"


def test_a_read_only_folder_is_a_sentence(tmp_path, monkeypatch):
    store = ArtifactStore(tmp_path / "a")
    (tmp_path / "a").rmdir()
    with pytest.raises(FayingError, match="could not be written"):
        store.write(KEY, np.zeros(3))


def test_a_run_stops_before_the_disk_is_full_and_its_frames_can_be_read(store):
    path = store.partial_path(KEY)
    with (
        pytest.raises(FayingError, match=r"disk .* is full"),
        ResultsWriter(path, axis="time", body="b", frame="", sizes={"coordinates": 3}, joints={}) as writer,
    ):
        for i in range(20):
            writer.append(float(i), coordinates=np.zeros(3))
        writer._spare = 1e18  # more than any disk has
        writer.flush()
    results = store.results(KEY).open()
    assert results.n_frames == 20 and not results.complete
    results.close()
