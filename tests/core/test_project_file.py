"""The project file: everything comes back, and nothing that goes wrong touches the old one."""

import os
import signal
import subprocess
import sys
import tomllib

import h5py
import numpy as np
import pytest

from faying.errors import Cancelled, FayingError, ReadError
from faying.project import edits
from faying.project.file import open_project, save_project
from faying.project.specs import SCHEMA_VERSION, Project
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.project.study import study_text
from support.synthetic_stages import PIPELINE, bar

SUM, RUN = Target("sum", "bar"), Target("run", "bar", "swing")
VIEW = '{"camera": [1, 2, 3], "theme": "dark"}'


@pytest.fixture
def saved(tmp_path):
    """A computed project saved to a file: (path, project with absolute decks, store)."""
    project = bar(deck="/5")
    project = edits.set_value(("note",), "grüß €")(project)
    store = ArtifactStore(tmp_path / "work")
    PIPELINE.run(project, RUN, store)
    path = tmp_path / "bar.faying"
    save_project(path, project, VIEW, store, PIPELINE.reached(project, store))
    return path, project, store


def test_everything_comes_back_without_the_workspace(saved, tmp_path):
    path, project, _ = saved
    opened = open_project(path)
    assert opened.project == project and opened.view == VIEW
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    assert PIPELINE.value(project, SUM, fresh)[0] == 7.0
    assert {s.status for t, s in PIPELINE.states(project, fresh).items() if t.stage != "product"} == {"ready"}
    results = PIPELINE.value(project, RUN, fresh).open()
    assert results.complete and results.n_frames == 7 and results.report == {"frames": 7}
    assert results.coordinates(6).tolist() == [6.0, 6.0]
    results.close()


def test_a_damaged_artifact_in_the_file_is_computed_again(saved, tmp_path):
    path, project, _ = saved
    with h5py.File(path, "r+") as file:
        group = file[f"artifacts/{PIPELINE.key_of(project, SUM)}"]
        del group["value"]
        group.create_group("value").attrs["type"] = "record"
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    assert PIPELINE.value(project, SUM, fresh) is None
    assert PIPELINE.run(project, SUM, fresh)[0] == 7.0
    again = ArtifactStore(tmp_path / "fresh2", below=path)
    assert PIPELINE.run(project, SUM, again)[0] == 7.0  # also where nobody had looked before


def test_the_text_inside_is_the_study(saved):
    path, _, _ = saved
    with h5py.File(path) as file:
        text = file["project.toml"][()].decode()
        assert file.attrs["format"] == "faying project" and file.attrs["schema_version"] == SCHEMA_VERSION
    assert 'name = "bar"' in text and "[[bodies]]" in text


def test_only_what_the_project_reaches_is_kept(saved):
    path, project, store = saved
    other = edits.set_value(("bodies", 0, "joint_modes", "count"), 3)(project)
    PIPELINE.run(other, SUM, store)
    save_project(path, other, VIEW, store, PIPELINE.reached(other, store))
    with h5py.File(path) as file:
        assert set(file["artifacts"]) == {
            PIPELINE.key_of(other, Target("source", "bar")), PIPELINE.key_of(other, SUM),
        }  # fmt: skip
        assert set(file["results"]) == set()


def test_recipes_of_all_that_went_into_what_is_kept_come_along(saved, tmp_path):
    """They tell later why it is out of date, when what they made is not there any more."""
    _, project, store = saved
    run = PIPELINE.key_of(project, RUN)
    behind = {PIPELINE.key_of(project, Target(stage, "bar")) for stage in ("source", "product", "sum")}
    alone = tmp_path / "alone.faying"
    save_project(alone, project, "", store, [PIPELINE.recipe_of(project, RUN)])
    with h5py.File(alone) as file:
        assert set(file["recipes"]) == {run, *behind}
        assert not len(file["artifacts"]) and set(file["results"]) == {run}
    fresh = ArtifactStore(tmp_path / "fresh", below=alone)
    for key in behind:
        assert fresh.recipe(key) == store.recipe(key)


def test_what_has_lost_its_recipe_is_saved_all_the_same(saved, tmp_path):
    path, project, store = saved
    key = PIPELINE.key_of(project, SUM)
    (store.folder / f"{key}.json").write_text("{")
    again = ArtifactStore(store.folder)
    assert again.recipe(key) is None
    save_project(path, project, VIEW, again, PIPELINE.reached(project, again))
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    assert PIPELINE.value(project, SUM, fresh)[0] == 7.0 and fresh.recipe(key) is not None


def test_saving_again_over_the_file_that_the_store_lies_on(saved, tmp_path):
    path, project, _ = saved
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    for _ in range(2):
        save_project(path, project, "{}", fresh, PIPELINE.reached(project, fresh))
    assert PIPELINE.value(project, SUM, fresh)[0] == 7.0
    assert open_project(path).view == "{}"
    results = PIPELINE.value(project, RUN, fresh).open()
    assert results.n_frames == 7
    results.close()


def test_stale_is_explained_after_reopening(saved, tmp_path):
    path, project, _ = saved
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    other = edits.set_value(("bodies", 0, "joint_modes", "count"), 3)(project)
    assert PIPELINE.state(other, RUN, fresh).why == ("joint modes.count: 2 → 3",)


def test_interrupted_results_are_saved_as_such(tmp_path):
    project, store = bar(deck="/50"), ArtifactStore(tmp_path / "work")

    class Stop:
        def report(self, fraction, text="", **values):
            if text == "run swing: frame" and fraction > 0.9:
                raise Cancelled

    with pytest.raises(Cancelled):
        PIPELINE.run(project, RUN, store, progress=Stop())
    path = tmp_path / "bar.faying"
    save_project(path, project, VIEW, store, PIPELINE.reached(project, store))
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    assert PIPELINE.state(project, RUN, fresh).status == "partial"
    results = fresh.results(PIPELINE.key_of(project, RUN)).open()
    assert 0 < results.n_frames < 52 and not results.complete
    results.close()


def test_a_deck_inside_the_folder_moves_with_it(tmp_path):
    from faying.project.deck import content_of
    from faying.project.study import with_absolute_decks

    first = tmp_path / "first"
    first.mkdir()
    (first / "bar.inp").write_text("*NODE\n1, 0, 0, 0\n")
    project = bar(deck=str(first / "bar.inp"))
    save_project(first / "p.faying", project, "", ArtifactStore(tmp_path / "w"), [])
    digest = content_of(project.bodies[0], tmp_path)
    first.rename(tmp_path / "second")
    again = open_project(tmp_path / "second" / "p.faying").project
    assert again.bodies[0].model.path == str(tmp_path / "second" / "bar.inp")
    assert again.bodies[0].model.digest.endswith(f" {digest}")
    # The deck is gone altogether: the remembered fingerprint still finds what was stored.
    (tmp_path / "second" / "bar.inp").unlink()
    assert content_of(again.bodies[0], tmp_path) == digest
    assert with_absolute_decks(again, tmp_path) == again


def _in_child(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    head = "import os, sys, signal\nfrom pathlib import Path\nfrom support.synthetic_stages import PIPELINE, bar\n"
    head += "from faying.project import file as target\nfrom faying.project.store import ArtifactStore\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run(
        [sys.executable, "-c", head + program, *arguments],
        env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_a_kill_in_the_middle_of_a_save_leaves_the_old_file(saved):
    path, project, store = saved
    before = path.read_bytes()
    done = _in_child(
        """
folder, path = Path(sys.argv[1]), Path(sys.argv[2])
whole = target._keep
def half(file, recipe, store):
    whole(file, recipe, store)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
target._keep = half
project, store = target.open_project(path).project.with_(name="after"), ArtifactStore(folder)
target.save_project(path, project, "new view", store, PIPELINE.reached(project, store))
""",
        str(store.folder),
        str(path),
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert path.read_bytes() == before
    assert open_project(path).project == project
    assert [p for p in path.parent.iterdir() if p.name.endswith(".saving")]
    # The next save sweeps up what the killed one left.
    save_project(path, project, VIEW, store, PIPELINE.reached(project, store))
    assert not [p for p in path.parent.iterdir() if p.name.endswith(".saving")]


def test_a_full_disk_leaves_the_old_file_and_is_a_sentence(saved):
    path, project, store = saved
    store.write(PIPELINE.key_of(project, SUM), np.random.default_rng(0).normal(size=1 << 19))
    before = path.read_bytes()
    done = _in_child(
        """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
folder, path = Path(sys.argv[1]), Path(sys.argv[2])
project, store = target.open_project(path).project, ArtifactStore(folder)
try:
    target.save_project(path, project, "", store, PIPELINE.reached(project, store))
except target.FayingError as error:
    print(error)
    sys.exit(7)
""",
        str(store.folder),
        str(path),
    )
    assert done.returncode == 7, done.stderr
    assert "could not be saved" in done.stdout and "untouched" in done.stdout
    assert path.read_bytes() == before
    assert not [p for p in path.parent.iterdir() if p.name.endswith(".saving")]


def test_a_cancelled_save_leaves_the_old_file(saved):
    path, project, store = saved
    before = path.read_bytes()

    class Stop:
        def report(self, fraction, text="", **values):
            raise Cancelled

    with pytest.raises(Cancelled):
        save_project(path, project, "", store, PIPELINE.reached(project, store), progress=Stop())
    assert path.read_bytes() == before


def test_saving_where_nothing_can_be_saved(saved, tmp_path):
    _, project, store = saved
    with pytest.raises(FayingError, match="could not be saved"):
        save_project(tmp_path / "missing" / "x.faying", project, "", store, [])


def test_a_link_to_the_file_stays_a_link(saved, tmp_path):
    path, project, store = saved
    link = tmp_path / "link.faying"
    link.symlink_to(path)
    save_project(link, project, "through the link", store, [])
    assert link.is_symlink() and open_project(path).view == "through the link"


def _truncated(path):
    path.write_bytes(path.read_bytes()[:-3000])


def _foreign_hdf5(path):
    with h5py.File(path, "w") as file:
        file["x"] = 1


def _newer(path):
    with h5py.File(path, "r+") as file:
        file.attrs["schema_version"] = 99


def _without_text(path):
    with h5py.File(path, "r+") as file:
        del file["project.toml"]


def _bad_text(path):
    with h5py.File(path, "r+") as file:
        del file["project.toml"]
        file["project.toml"] = 'name = "x"\nbodies = 3'


def _empty_text(path):
    with h5py.File(path, "r+") as file:
        del file["project.toml"]
        file["project.toml"] = " \n"  # was opened as "Untitled"


def _number_for_text(path):
    with h5py.File(path, "r+") as file:
        del file["project.toml"]
        file["project.toml"] = 3.0


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_truncated, "cut off"),
        (_foreign_hdf5, "not a Faying project"),
        (_newer, "newer version"),
        (_without_text, "damaged"),
        (_number_for_text, "damaged"),
        (_empty_text, "damaged"),
        (_bad_text, "bodies"),
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.write_text("*NODE\n1,0,0,0"), "not a Faying project"),
        (lambda path: path.unlink(), "no such file"),
        (lambda path: (path.unlink(), path.mkdir()), "folder"),
        (lambda path: path.write_bytes(path.read_bytes()[:512] + bytes(4000)), ""),
        (lambda path: path.write_bytes(path.read_bytes()[:20]), ""),
    ],
)
def test_a_file_that_is_not_what_it_should_be_gets_a_sentence(saved, harm, words):
    path, _, _ = saved
    harm(path)
    with pytest.raises(ReadError) as caught:
        open_project(path)
    assert words in str(caught.value) and "bar.faying" in str(caught.value)
    assert caught.value.hint or harm is _bad_text


def test_the_file_holds_values_at_their_default_too(tmp_path):
    """A default that changes in a later version must not change a saved project."""
    path = tmp_path / "p.faying"
    project = Project(bodies=({"name": "bar", "model": {"path": "bar.inp"}},))
    save_project(path, project, "", ArtifactStore(tmp_path / "store"), [])
    with h5py.File(path) as file:
        words = tomllib.loads(file["project.toml"][()].decode())
    assert words["bodies"][0]["reduction"] == {
        "kind": "craig_bampton",
        "vibration_modes": project.bodies[0].reduction.vibration_modes,
    }
    assert words["units"] == "mm-t-s"
    assert "vibration_modes" not in study_text(project, tmp_path)
