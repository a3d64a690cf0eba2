"""What was computed, as the window sees it while another process writes it."""

import gc
import subprocess
import sys
import weakref
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from faying.project import edits
from faying.project.document import Document
from faying.project.file import open_project
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.results.difference import Difference
from faying.results.fields import FieldContext
from faying.results.formula import find_field
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.testing.plates import plates, write_plate_deck
from faying_app.computed import Computed
from faying_app.item_models.project_tree import ProjectTreeModel
from faying_app.scene.at_nodes import AtNodes
from faying_app.scene.content import SceneContent, ShownFrame
from faying_app.scene.visuals.caption import caption_text
from support.keyed import give_keys

WRITER = """
import sys
from pathlib import Path
import numpy as np
from faying.results import writer as module
from faying.results.curve_key import CurveKey
from faying.results.writer import ResultsWriter

module._FLUSH_INTERVAL = float(sys.argv[2])
writer = ResultsWriter(
    Path(sys.argv[1]), axis="load", body="plates", frame="hold", sizes={"coordinates": 3}, joints={},
    curves=(CurveKey("tip uz"),), tables={"points": (2, ("a", "b"))},
)
for frame in (1.0, 2.0):
    print("ready", flush=True)
    sys.stdin.readline()
    writer.append(frame, {"curves/tip uz": frame}, coordinates=np.full(3, frame))
    writer.write_table("points", np.full((2, 2), frame))
    writer.flush()
print("ready", flush=True)
sys.stdin.readline()
writer.close({"iterations": 7})
"""


class Writer:
    """Another process that goes on by one step when told."""

    def __init__(self, path, interval=1.0):
        pipes, words = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}, [str(path), str(interval)]
        self._process = subprocess.Popen([sys.executable, "-c", WRITER, *words], text=True, **pipes)
        self._process.stdout.readline()

    def step(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._process.stdout.readline()  # the next "ready", or its end

    def end(self):
        self._process.communicate()


@pytest.fixture
def computed(qapp, tmp_path):
    project = plates(write_plate_deck(tmp_path / "plates.inp"))
    return Computed(Document(project), ArtifactStore(tmp_path / "store"))


def test_tables_of_contact_laws_count_from_the_folder_of_the_project(qapp, tmp_path):
    law, at = {"kind": "tabulated", "path": "law.csv"}, ("bodies", 0, "joints", 0, "contact_law")
    project = edits.set_value(at, law)(plates(write_plate_deck(tmp_path / "plates.inp")))
    (tmp_path / "law.csv").write_text("gap,pressure\n0,0\n-0.001,5\n", encoding="utf-8")
    computed = Computed(Document(project, tmp_path / "project.faying"), ArtifactStore(tmp_path / "store"))
    computed.pipeline.run(project, Target("body", "plates"), computed.store, tmp_path)
    laws = computed.modes_context("plates").contact_laws
    assert laws["lap"].pressure(np.array([-0.001]))[0] == pytest.approx([5.0])


@pytest.mark.parametrize("interval", [0.0, 100.0])  # s between frames brought to disk
def test_results_seen_before_their_first_frame_are_whole_at_the_end(computed, interval):
    """A second handle of a file shares what the first one remembers of it, which is no frame at all."""
    target = Target("analysis", "plates", "press")
    key = computed.pipeline.key_of(computed.project, target, computed.base)
    writer = Writer(computed.store.begin_results(key), interval)
    released = []
    computed.releasing.connect(lambda: released.append(True))
    assert computed.results("press") is None  # opened, but without a frame
    writer.step()
    growing = computed.results("press")
    assert growing.n_frames == 1
    np.testing.assert_array_equal(growing.table("points")[1], 1.0)
    assert not released
    writer.step()
    writer.step()
    writer.end()
    computed.store.complete_results(key)
    computed.refresh()
    whole = computed.results("press")
    assert released == [True]
    assert whole is not growing and whole.complete and whole.n_frames == 2
    assert whole.report == {"iterations": 7}
    np.testing.assert_array_equal(whole.table("points")[1], 2.0)
    assert computed.results("press") is whole
    computed.release()


def test_a_growing_file_is_read_again_only_after_it_has_changed(computed, monkeypatch):
    """Many parts of the window ask in every moment of a run."""
    key = computed.pipeline.key_of(computed.project, Target("analysis", "plates", "press"), computed.base)
    writer = Writer(computed.store.begin_results(key))
    writer.step()
    read, refresh = [], Results.refresh
    monkeypatch.setattr(Results, "refresh", lambda results: (read.append(1), refresh(results))[1])
    for _ in range(5):
        assert computed.results("press").n_frames == 1
    assert len(read) == 1
    writer.step()
    assert computed.results("press").n_frames == 2 and len(read) == 2
    writer.end()
    computed.release()


def test_files_that_grew_are_closed_before_anybody_is_told_that_a_run_has_ended(computed):
    """A handle from before can hide from the one who looks then that the results are complete (seen now and then)."""
    key = computed.pipeline.key_of(computed.project, Target("analysis", "plates", "press"), computed.base)
    writer = Writer(computed.store.begin_results(key))
    computed.set_running(frozenset({key}))
    writer.step()
    growing = computed.results("press")
    assert growing.n_frames == 1
    writer.step()
    writer.step()
    writer.end()
    computed.store.complete_results(key)
    told = []
    computed.changed.connect(lambda: told.append(bool(growing._file)))
    computed.set_running(frozenset())
    assert told == [False]
    assert computed.results("press").n_frames == 2
    computed.release()


def test_a_file_may_get_its_other_name_while_it_is_looked_at(computed, monkeypatch):
    """The run ends between the question where its results are and the look at them."""
    key = computed.pipeline.key_of(computed.project, Target("analysis", "plates", "press"), computed.base)
    writer = Writer(computed.store.begin_results(key))
    writer.step()
    asked = computed.store.results

    def results(key):
        found = asked(key)
        if computed.store.partial_path(key).exists():
            computed.store.complete_results(key)
        return found

    computed.state(Target("analysis", "plates", "press"))
    monkeypatch.setattr(computed.store, "results", results)
    computed.results("press")
    writer.end()
    computed.release()


def test_results_of_an_earlier_version_of_the_program_are_shown_as_out_of_date_and_compared(qapp, tmp_path):
    with zipfile.ZipFile(Path(__file__).parents[1] / "decks" / "before_digests" / "plates.zip") as packed:
        packed.extractall(tmp_path)
    give_keys(tmp_path)
    project = open_project(tmp_path / "plates.faying").project
    store = ArtifactStore(tmp_path / "fresh", below=tmp_path / "plates.faying")
    computed = Computed(Document(project), store)
    press = Target("analysis", "plates", "press")
    mark = computed.state(press)
    assert mark.kind == "stale" and mark.reasons[0] == "the program is newer"
    assert computed.model("plates") is not None and len(computed.pairs("plates", "lap")) == 15
    before = computed.results_context("press")
    shown = find_field("displacement").evaluate(before, "", before.frames.n_frames - 1)
    assert np.abs(shown).max() == pytest.approx(0.0722, rel=0.05)
    assert not computed.has_earlier(project.analyses[0])  # it is what is shown
    # Only the body is computed again: the results keep the one that they belong to.
    computed.pipeline.run(project, Target("body", "plates"), store)
    computed.refresh()
    again = computed.results_context("press")
    np.testing.assert_array_equal(find_field("displacement").evaluate(again, "", 0), shown)
    computed.pipeline.run(project, press, store)
    computed.refresh()
    assert computed.state(press).kind == "ready" and computed.has_earlier(project.analyses[0])
    new, old = computed.results_context("press"), computed.results_context("press (earlier)")
    difference = Difference(find_field("displacement"), old, "press (earlier)").evaluate(new, "", 0)
    assert np.abs(difference).max() < 1e-6


def test_results_in_doubt_are_marked_in_the_tree_and_under_the_picture(computed):
    target = Target("analysis", "plates", "press")
    key = computed.pipeline.key_of(computed.project, target, computed.base)
    sizes = {"coordinates": 3}
    with ResultsWriter(
        computed.store.begin_results(key), axis="time", body="plates", frame="hold", sizes=sizes, joints={}
    ) as writer:
        for time in (0.0, 0.1):
            writer.append(time, coordinates=np.zeros(3))
        writer.close({"energy_balance": {"taken by the integration": 3.0, "turned over": 10.0}})
    computed.store.complete_results(key)
    computed.refresh()
    mark = computed.state(target)
    assert mark.kind == "ready" and mark.look == "doubtful"
    results = computed.results("press")  # it can be looked at
    tree = ProjectTreeModel(computed, tuple)
    tree.refresh()
    number = [analysis.name for analysis in computed.project.analyses].index("press")
    line = tree.find(("analyses", number)).siblingAtColumn(1)
    assert tree.data(line, Qt.ItemDataRole.AccessibleTextRole).startswith("Doubtful")
    assert "lost 30 % of the energy" in tree.data(line, Qt.ItemDataRole.ToolTipRole)
    content = SceneContent(
        context=FieldContext(results, None, {}, {}, {}, None),
        frame=ShownFrame(1, None, "", 1.0, (0.0, 1.0), AtNodes(np.zeros((0, 3))), None),
    )
    lines = caption_text(content).splitlines()
    assert lines[1].startswith(
        "Doubtful: The time integration lost 30 % of the energy that was turned over, which"
    )
    assert max(map(len, lines)) <= 88
    computed.release()


def test_what_was_made_of_a_model_goes_when_the_model_is_an_older_one(computed):
    def made_of(modulus):
        material = {"kind": "isotropic", "name": "steel", "youngs_modulus": modulus, "density": 7.85e-9}
        edit = edits.set_value(("bodies", 0, "materials"), (material,))
        computed._document.apply("Give", edit)
        computed.refresh()
        target = Target("model", "plates")
        model = computed.pipeline.run(computed.project, target, computed.store, computed.base)
        computed.refresh()
        assert model is not None
        return weakref.ref(computed.skin("plates"))

    first, second, third = (made_of(1e5 * n) for n in (1, 2, 3))
    gc.collect()
    assert first() is None and second() is not None and third() is not None
    computed.use_store(computed.store)
    gc.collect()
    assert second() is None and third() is None
