"""Runs go on from where they were interrupted, and end as if they had never been."""

import json
import os
import subprocess
import sys

import h5py
import numpy as np
import pytest

from faying.analyses import BodyModel, SystemModel, analyses
from faying.errors import Cancelled, FayingError
from faying.packed import pack, unpack
from faying.params import build
from faying.progress import Silent
from faying.project.file import save_project
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.results.memory import read_memory
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.systems import jointed_plates_model, system_of

KEY = "k" * 8


class StopAfter:
    """A progress that is cancelled at its n-th report of a step."""

    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        if "steps" in values:
            self.left -= 1
            if self.left < 0:
                raise Cancelled


def test_packed_records_come_back_to_the_last_bit():
    value = {
        "a": np.asfortranarray(np.random.default_rng(0).normal(size=(3, 4))), "b": (1, 0.1, np.inf, None, "x"),
        "c": {"closed": np.array([True, False]), "empty": np.zeros((0, 3))},
    }  # fmt: skip
    found = unpack(pack(value))
    np.testing.assert_array_equal(found["a"], value["a"])
    assert found["a"].flags.f_contiguous and found["a"].flags.writeable
    assert found["b"] == value["b"]
    np.testing.assert_array_equal(found["c"]["closed"], [True, False])
    assert found["c"]["empty"].shape == (0, 3)
    with pytest.raises(ValueError, match="not a packed record"):
        unpack(pack({"a": 1}).replace(b"dict", b"dicu"))
    with pytest.raises(TypeError):
        pack(object())
    older = b'{"dict": [["a", {"array": "<f8", "shape": [2], "order": "C"}], ["b", [1, null]]]}'
    found = unpack(len(older).to_bytes(8, "little") + older + np.array([1.0, 2.0]).tobytes())
    assert found["a"].tolist() == [1.0, 2.0] and found["b"] == (1, None)


@pytest.fixture(scope="module")
def plates() -> BodyModel:
    return jointed_plates_model()


def transient(integrator, frames=12, **words):
    settings = {
        "name": "shake", "body": "plates", "support": "HOLD", "duration": 1.2e-4, "frames": frames,
        "loads": [{"interface": "TIP", "force": (0.0, 0.0, -20.0),
                   "time_history": {"kind": "haversine", "rise_time": 5e-5}}],
        "integrator": integrator, **words,
    }  # fmt: skip
    return build(analyses["transient"], settings)


def motion(integrator, frames=12):
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}],
        constraints=[{"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "time_history": {"kind": "haversine", "rise_time": 5e-5}}],
    )  # fmt: skip
    words = {"name": "m", "system": "system", "duration": 1.2e-4, "frames": frames, "integrator": integrator}
    return spec, build(analyses["motion"], words)


def assert_same(found: Results, wanted: Results, rtol: float = 0.0) -> None:
    """Every dataset of all frames is the same."""
    assert found.complete and wanted.complete
    assert found.n_frames == wanted.n_frames
    for name in [*json.loads(wanted.root.attrs["checked"]), "checks"]:
        a, b = np.asarray(found.root[name]), np.asarray(wanted.root[name])
        scale = np.abs(b).max(initial=0.0)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * scale, err_msg=name)


def whole_and_interrupted(run, tmp_path, stops) -> tuple[Results, Results, list[int]]:
    """Return the results of a whole run and of one that was stopped again and again, and the frames at each stop."""
    run(tmp_path / "whole.h5", Silent())
    store, counts = ArtifactStore(tmp_path / "store"), []
    for stop in stops:
        with pytest.raises(Cancelled):
            run(store.begin_results(KEY), StopAfter(stop))
        counts.append(store.results(KEY).reached[1])
    run(store.begin_results(KEY), Silent())
    store.complete_results(KEY)
    assert [p.name for p in store.folder.iterdir()] == [f"{KEY}.results.h5"]
    return Results(tmp_path / "whole.h5"), store.results(KEY).open(), counts


STEPS = {"tolerance": 1e-5, "first_step": 1e-6, "largest_step": 3e-6}
SCHEMES = [
    {"kind": "hht", "alpha": -0.05, **STEPS},
    {"kind": "hht", "fixed_step": True, "largest_step": 2e-6},
    {"kind": "hht", "separate_modes": True, **STEPS},
    {"kind": "generalized_alpha", **STEPS},
    {"kind": "bdf", **STEPS},
]


@pytest.mark.parametrize("integrator", SCHEMES, ids=lambda words: "-".join(map(str, words.values()))[:30])
def test_a_transient_goes_on_to_the_last_bit(plates, tmp_path, integrator):
    """State, history of friction, step size and what the scheme carries on: the same steps, the same numbers."""
    analysis = transient(integrator)
    whole, found, counts = whole_and_interrupted(
        lambda target, progress: analysis.run(plates, target, progress), tmp_path, (25, 0, 9)
    )
    assert counts[0] == counts[1] < counts[2]
    assert found.report["steps"] == whole.report["steps"]
    assert found.report["joints"] == whole.report["joints"]
    assert len(found.report["went_on_at"]) == 2 and "went_on_at" not in whole.report
    assert_same(found, whole)


@pytest.mark.parametrize("integrator", [SCHEMES[0], SCHEMES[4]], ids=["hht", "bdf"])
def test_a_motion_goes_on_with_its_energy_balance(plates, tmp_path, integrator):
    spec, analysis = motion(integrator)
    model = SystemModel(spec, {"plates": plates})
    whole, found, _ = whole_and_interrupted(
        lambda target, progress: analysis.run(model, target, progress), tmp_path, (30, 1)
    )
    assert found.report["energy_balance"] == whole.report["energy_balance"]
    assert found.report["energy_drift"] == whole.report["energy_drift"]
    assert_same(found, whole)


@pytest.mark.parametrize("kind", [pytest.param("transient", marks=pytest.mark.slow), "motion"])
def test_a_run_with_friction_is_stopped_at_every_frame(plates, tmp_path, kind):
    """Each time another process would go on: all frames are those of the run that nobody touched, to the last bit."""
    if kind == "transient":
        model, analysis = plates, transient(SCHEMES[0])
    else:
        spec, analysis = motion(SCHEMES[0])
        model = SystemModel(spec, {"plates": plates})
    analysis.run(model, tmp_path / "whole.h5", Silent())
    store, reached = ArtifactStore(tmp_path / "store"), []
    for frame in range(1, 13):
        with pytest.raises(Cancelled):
            analysis.run(model, store.begin_results(KEY), StopAtFrame(1.2e-4 * frame / 12))
        reached.append(store.results(KEY).reached[1])
    assert reached == list(range(2, 14))
    analysis.run(model, store.begin_results(KEY), Silent())
    store.complete_results(KEY)
    found = store.results(KEY).open()
    assert len(found.report["went_on_at"]) == 12
    assert_same(found, Results(tmp_path / "whole.h5"))


def test_a_run_that_fails_while_a_step_is_written_goes_on_from_the_last_whole_one(
    plates, tmp_path, monkeypatch
):
    """As on a full disk: the scheme has the step already, the state not yet."""
    analysis = transient(SCHEMES[0])
    analysis.run(plates, tmp_path / "whole.h5", Silent())
    store, append = ArtifactStore(tmp_path / "store"), ResultsWriter.append

    def full(writer, value, *others, **data):
        append(writer, value, *others, **data)
        if writer.n_frames == 8:
            raise FayingError("The disk is full.")

    monkeypatch.setattr("faying.results.writer._FLUSH_INTERVAL", 0.0)
    monkeypatch.setattr("faying.results.writer._PATIENCE", 0.0)
    with monkeypatch.context() as patch, pytest.raises(FayingError, match="is full"):
        patch.setattr(ResultsWriter, "append", full)
        analysis.run(plates, store.begin_results(KEY), Silent())
    analysis.run(plates, store.begin_results(KEY), Silent())
    store.complete_results(KEY)
    assert store.results(KEY).open().report["went_on_at"]
    assert_same(store.results(KEY).open(), Results(tmp_path / "whole.h5"))


def test_load_steps_go_on(plates, tmp_path):
    """Static friction goes its way from step to step; a study of load steps is not begun again."""
    settings = {
        "name": "press", "body": "plates", "support": "HOLD", "load_steps": 8, "friction": True,
        "loads": [{"interface": "TIP", "force": (0.0, 0.0, -20.0)}],
    }  # fmt: skip
    analysis = build(analyses["static"], settings)
    analysis.run(plates, tmp_path / "whole.h5", Silent())
    store = ArtifactStore(tmp_path / "store")
    with pytest.raises(Cancelled):
        analysis.run(plates, store.begin_results(KEY), StopAtStep("load step 6"))
    assert store.results(KEY).reached[1] == 5
    seen = Watched()
    analysis.run(plates, store.begin_results(KEY), seen)
    store.complete_results(KEY)
    assert not any("load step 5" in text for text in seen.texts)
    assert_same(store.results(KEY).open(), Results(tmp_path / "whole.h5"))


class StopAtFrame:
    """A progress that is cancelled at the first report of a step that comes from a time on."""

    def __init__(self, time):
        self.time = time

    def report(self, fraction, text="", **values):
        if "steps" in values and float(text.removeprefix("t = ")) >= self.time:
            raise Cancelled


class StopAtStep(StopAfter):
    """A progress that is cancelled at the first report with a text."""

    def __init__(self, text):
        self.text = text

    def report(self, fraction, text="", **values):
        if self.text in text:
            raise Cancelled


class Watched:
    """A progress that keeps what it is told."""

    def __init__(self):
        self.texts = []

    def report(self, fraction, text="", **values):
        self.texts.append(text)


def test_anew_begins_at_the_start_and_supersedes_what_was_there(plates, tmp_path):
    analysis = transient(SCHEMES[0])
    store = ArtifactStore(tmp_path)
    for stop, restart, frames in ((25, False, 8), (3, True, None), (0, False, None)):
        with pytest.raises(Cancelled):
            analysis.run(plates, store.begin_results(KEY, restart=restart), StopAfter(stop))
        reached = store.results(KEY).reached[1]
        assert reached == frames if frames else reached < 8
    analysis.run(plates, store.begin_results(KEY, restart=True), Silent())
    store.complete_results(KEY)
    assert "went_on_at" not in store.results(KEY).open().report


def test_frames_in_a_project_file_are_gone_on_from(plates, tmp_path):
    """The work folder may be gone: what was saved with the project is enough."""
    analysis = transient(SCHEMES[0])
    analysis.run(plates, tmp_path / "whole.h5", Silent())
    store = ArtifactStore(tmp_path / "store")
    with pytest.raises(Cancelled):
        analysis.run(plates, store.begin_results(KEY), StopAfter(25))
    recipe = Recipe("analysis", 1, "plates", "shake", {}, {})
    for path in store.folder.iterdir():
        path.rename(path.with_name(path.name.replace(KEY, recipe.key)))
    project = tmp_path / "p.faying"
    save_project(project, build(Project, {"name": "p", "units": "mm-t-s"}), "", store, [recipe])
    other = ArtifactStore(tmp_path / "other", project)
    place = other.results(recipe.key)
    assert place.path == project and not place.complete and place.reached[1] == 8
    with pytest.raises(Cancelled):  # interrupted before it has done anything: nothing is lost
        analysis.run(plates, other.begin_results(recipe.key), StopAfter(0))
    assert other.results(recipe.key).reached == place.reached
    analysis.run(plates, other.begin_results(recipe.key), Silent())
    other.complete_results(recipe.key)
    found = other.results(recipe.key).open()
    assert found.report["went_on_at"]
    assert_same(found, Results(tmp_path / "whole.h5"))


def test_a_damaged_interrupted_run_is_begun_anew(plates, tmp_path):
    analysis = transient(SCHEMES[0])
    analysis.run(plates, tmp_path / "whole.h5", Silent())
    store = ArtifactStore(tmp_path / "store")
    with pytest.raises(Cancelled):
        analysis.run(plates, store.begin_results(KEY), StopAfter(25))
    with h5py.File(store.partial_path(KEY), "r+") as file:
        file["coordinates"][2, 0] += 1e-9
    analysis.run(plates, store.begin_results(KEY), Silent())
    store.complete_results(KEY)
    found = store.results(KEY).open()
    assert "went_on_at" not in found.report
    assert_same(found, Results(tmp_path / "whole.h5"))


@pytest.mark.skipif(os.name == "nt", reason="limits of processes")
def test_a_full_disk_is_a_sentence_and_the_run_goes_on_when_there_is_room(tmp_path):
    """The limit on file sizes makes writes fail as a full disk does: HDF5 would take the process with it."""
    program = f"""
import resource, sys
import numpy as np
from pathlib import Path
from faying.errors import FayingError
from faying.results.writer import ResultsWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (6_000_000, 6_000_000))
try:
    path = Path({str(tmp_path / "a.h5")!r})
    with ResultsWriter(path, axis="time", sizes={{"coordinates": 1000}}, joints={{}}) as out:
        for i in range(2000):
            out.append(float(i), coordinates=np.full(1000, float(i)))
            out.remember(lambda: {{"steps": i}})
except FayingError as error:
    print(error)
    sys.exit(7)
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=60, capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    assert "disk" in done.stdout and "continues from the last frame" in done.stdout
    found = Results(tmp_path / "a.h5")
    found.verify()
    assert found.n_frames > 100 and not found.complete
    assert unpack(read_memory(found))["steps"] < found.n_frames
    for i in range(found.n_frames):
        assert found.coordinates(i)[-1] == i
