"""Questions about results, answered by the worker process from files alone."""

import numpy as np
import pytest

from faying.exporters import export_content
from faying.exporters.questions import OverRunQuestion, TimeHistoryQuestion
from faying.project import edits
from faying.project.pipeline import Pipeline
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.results.fields import fields
from faying.worker import WorkerProcess
from support.plate_deck import write_study


@pytest.fixture(scope="module")
def press(tmp_path_factory):
    """The pressed plates, computed: (project, store, folder)."""
    folder = tmp_path_factory.mktemp("asked")
    project, store = read_study(write_study(folder)), ArtifactStore(folder / "store")
    Pipeline(STAGES).run(project, Target("analysis", "plates", "press"), store, folder)
    return project, store, folder


@pytest.fixture(scope="module")
def worker():
    with WorkerProcess(threads=1) as process:
        yield process


def asked(worker, press, question):
    project, store, folder = press
    worker.ask(project, question, store.folder, base=folder)
    return worker.wait()


def test_extremes_and_histories_are_those_of_the_frames(worker, press):
    project, store, folder = press
    context = export_content(project, store, "press", base=folder).context
    pressures = np.array([fields["pressure"]().evaluate(context, "lap", i) for i in range(3)])
    messages = asked(worker, press, OverRunQuestion("press", "pressure", "lap"))
    assert any(m[0] == "progress" and "Pressure" in m[2] for m in messages)
    kind, found = messages[-1]
    assert kind == "answer"
    np.testing.assert_array_equal(found.maximum, pressures.max(axis=0))
    np.testing.assert_array_equal(found.minimum, pressures.min(axis=0))
    row = int(pressures[-1].argmax())
    _, history = asked(worker, press, TimeHistoryQuestion("press", "pressure * 2", "lap", (row, 0)))[-1]
    np.testing.assert_array_equal(history, 2 * pressures[:, [row, 0]])
    assert history[-1, 0] > 0


def test_what_cannot_be_answered_is_a_sentence_and_the_worker_stays(worker, press):
    kind, sentence, *_ = asked(worker, press, OverRunQuestion("press", "wear", "lap"))[-1]
    assert kind == "failed" and "no friction law" in sentence
    process = worker.process_id  # which begins with the first question
    assert asked(worker, press, OverRunQuestion("pull", "gap", "lap"))[-1][0] == "failed"
    project, store, folder = press
    stale = edits.set_value(("bodies", 0, "joints", 0, "contact_law", "stiffness"), 7.0)(project)
    worker.ask(stale, OverRunQuestion("press", "gap", "lap"), store.folder, base=folder)
    assert "no results yet" in worker.wait()[-1][1]  # never those of other decisions
    assert worker.process_id == process
