"""Arrows of all that acts on a body: what pictures, films, report and window draw alike."""

import numpy as np
import pytest

from faying.analyses.static import Static
from faying.analyses.steps import Steps
from faying.exporters.shown_loads import StoredFactors, loads_of
from faying.params import build
from faying.project.bodies import interface_rows
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from support.clamps import clamp_body, write_clamp


@pytest.fixture(scope="module")
def clamp(tmp_path_factory):
    """The clamp's body, its model, and the rows of its interface nodes."""
    folder = tmp_path_factory.mktemp("clamp")
    bolts = {"name": "bolts", "loads": [{"kind": "bolt_force", "bolt": "bolt", "force": 3000.0}]}
    pair = [
        {"kind": "node_force", "interface": "hold", "force": (0.0, 0.0, 40.0)},
        {"kind": "node_force", "interface": "pull", "force": (0.0, 0.0, -40.0)},
    ]
    body = clamp_body(
        write_clamp(folder / "clamp.inp"), 1e5, preloads=[bolts, {"name": "pair", "loads": pair}]
    )
    project = build(Project, {"bodies": [body]})
    model = PIPELINE.run(project, Target("model", "clamp"), ArtifactStore(folder / "store"))
    return project.bodies[0], model, interface_rows(project.bodies[0], model)


def test_an_analysis_shows_its_loads_its_bolts_and_how_the_body_was_mounted(clamp):
    body, model, rows = clamp
    pull = {"interface": "pull", "force": (0.0, 0.0, 100.0)}
    words = {"name": "a", "body": "clamp", "support": "hold", "loads": [pull]}
    both = loads_of(build(Static, {**words, "preloads": ["bolts", "pair"]}), body, model, rows, "mm-t-s")
    assert [load.text for load in both] == ["", "bolt: 3000 N", "40 N", "", "100 N"]
    first, second, *_, last = both
    assert np.allclose(first.vector, np.negative(second.vector)) and last.node == rows["pull"]
    # Cases that the analysis leaves out do not act; a body by itself shows all of them.
    alone = loads_of(build(Static, words), body, model, rows, "mm-t-s")
    assert [load.text for load in alone] == ["", "bolt", "100 N"]
    assert len(loads_of(None, body, model, rows, "mm-t-s")) == 4


def test_steps_show_each_node_once_at_the_largest_of_its_loads(clamp):
    body, model, rows = clamp
    steps = [
        {"kind": "tighten", "bolt": "bolt", "force": 3000.0},
        {"kind": "load", "loads": [{"interface": "pull", "force": (0.0, 0.0, 500.0)}]},
        {"kind": "load", "loads": [{"interface": "pull", "force": (0.0, 0.0, 1000.0)}]},
    ]
    row = build(Steps, {"name": "row", "body": "clamp", "support": "hold", "steps": steps})
    assert [load.text for load in loads_of(row, body, model, rows, "mm-t-s")] == [
        "",
        "bolt: 3000 N",
        "1000 N",
    ]


def test_a_stored_course_is_met_between_its_frames():
    time_history = StoredFactors("step", (0.0, 1.0, 2.0), (0.0, 1.0, 0.5))
    assert [time_history.factor(value) for value in (0.5, 1.0, 1.5)] == pytest.approx([0.5, 1.0, 0.75])
