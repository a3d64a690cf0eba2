"""Measures over time of a motion that another program steps, whose input changes on the way."""

import numpy as np
import pytest

import faying
from faying.errors import ModelError
from faying.project import edits
from faying.project.serialization import project_from_dict
from faying.session.co_simulation import CoSimulation
from support.systems import BAR

# Frames of another program and steps of the run do not end together: at 2 PACE the run is at 2.1 PACE.
PACE, COUNT, STEP = 0.01, 12, 0.7 * 0.01
CHANGE, BEFORE, AFTER = 2, 3.0, -27.0  # the input falls from one value to another at the second frame


def pushed(history):
    """Return a free mass of 1 kg under a force over time, with measures of its speed and position over time."""
    over_time = {"kind": "over_time", "measure": "speed"}
    system = {
        "name": "mass", "parts": [{**BAR, "name": "mass", "mass": 1.0}],
        "forces": [{"kind": "point_force", "name": "push", "marker": "mass.frame", "force": (1.0, 0.0, 0.0),
                    "time_history": history}],
        "measures": [
            {"kind": "velocity", "name": "speed", "second": "mass.frame", "component": "x"},
            {"kind": "displacement", "name": "way", "second": "mass.frame", "component": "x"},
            {"kind": "time", "name": "clock"},
            {**over_time, "name": "travelled", "statistic": "integral"},
            {**over_time, "name": "fastest", "statistic": "maximum"},
            {**over_time, "name": "latest", "measure": "clock", "statistic": "maximum"},
        ],
    }  # fmt: skip
    run = {"kind": "motion", "name": "run", "system": "mass", "duration": COUNT * PACE, "frames": COUNT,
           "integrator": {"kind": "hht", "largest_step": STEP, "first_step": STEP, "fixed_step": True}}  # fmt: skip
    return project_from_dict({"name": "Push", "units": "m-kg-s", "systems": [system], "analyses": [run]})


@pytest.fixture(scope="module")
def stepped(tmp_path_factory):
    """Return the outputs at each frame of a motion whose input changes on the way."""
    history = {"kind": "input", "input": "push", "value": BEFORE}
    with faying.Session(pushed(history), tmp_path_factory.mktemp("stepped")) as session:
        motion = CoSimulation(session, "run")
        rows = [motion.outputs]
        for frame in range(COUNT):
            motion.set("push", BEFORE if frame < CHANGE else AFTER)
            motion.advance((frame + 1) * PACE)
            rows.append(motion.outputs)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def test_an_integral_is_that_of_a_run_with_the_same_input(stepped, tmp_path):
    """To the error of the trapezoidal rule over the steps, which end elsewhere: a h²/12 times the time."""
    falls = CHANGE * PACE
    points = [(0.0, BEFORE), (falls, BEFORE), (falls + PACE, AFTER), (COUNT * PACE, AFTER)]
    project = pushed({"kind": "table", "points": points})
    fine = project.analyses[0].integrator.with_(largest_step=STEP / 28.0, first_step=STEP / 28.0)
    project = project.with_(analyses=(project.analyses[0].with_(integrator=fine),))
    with faying.Session(project, tmp_path) as session:
        run = session.move("run")
        expected = run.curve("travelled")
        np.testing.assert_allclose(stepped["way"], run.curve("way"), atol=2.0 * abs(AFTER) * STEP**2)
    np.testing.assert_allclose(stepped["travelled"], expected, atol=2.0 * abs(AFTER) * STEP**2)
    assert np.abs(expected).max() > 20.0 * 2.0 * abs(AFTER) * STEP**2


def test_a_step_that_is_taken_back_leaves_nothing_in_extremes(stepped):
    """At the change the run was 0.1 PACE farther, as if the input were constant: what it saw there did not happen."""
    time = PACE * np.arange(COUNT + 1)
    np.testing.assert_allclose(stepped["latest"], time, atol=1e-12)
    # The force crosses zero a tenth of a frame after the change.
    fastest = BEFORE * PACE * (CHANGE + 0.5 * BEFORE / (BEFORE - AFTER))
    at_change = BEFORE * PACE * CHANGE
    assert at_change * (1 - 1e-9) <= stepped["fastest"][-1] <= fastest * (1 + 1e-9)
    assert stepped["speed"][-1] < 0.0


def test_a_system_with_events_is_refused(tmp_path):
    project = pushed({"kind": "input", "input": "push", "value": BEFORE})
    event = {"kind": "at_time", "name": "end", "time": 0.1}
    project = edits.add_event("mass", event)(project)
    with faying.Session(project, tmp_path) as session:
        with pytest.raises(ModelError, match="has events, which do not happen"):
            CoSimulation(session, "run")
        assert session.move("run").results.report["event_counts"] == {"end": 1}
