"""Joint modes know the bolts that steps tighten, though the body has no preload case of its own.

Kind of reference: the unreduced steps. With the loads on slack bolts, as if nothing had been tightened, it fails.
"""

import numpy as np
import pytest

import faying
from faying.params import build
from faying.project import mounting
from faying.project.mounting import preload_cases
from faying.project.specs import Project
from faying.project.stage import Target
from support.clamps import clamp_body, write_clamp

STEPS = [
    {"kind": "tighten", "bolt": "bolt", "force": 5000.0},
    {"kind": "load", "loads": [{"interface": "pull", "force": [0.0, 0.0, 1000.0]}]},
    {"kind": "load", "loads": [{"interface": "pull", "force": [400.0, 0.0, 500.0]}]},
]


def words_of(folder, steps=STEPS):
    body = clamp_body(write_clamp(folder / "clamp.inp"), 1e5)
    del body["joint_modes"]  # the default
    for joint in body["joints"]:
        joint["friction_law"] = {"kind": "coulomb", "friction_coefficient": 0.15}
    common = {"body": "clamp", "support": "hold", "steps": steps}
    return {
        "name": "sleeve", "units": "mm-t-s", "bodies": [body],
        "analyses": [
            {"kind": "steps", "name": "reduced", **common},
            {"kind": "unreduced_steps", "name": "full", **common},
        ],
    }  # fmt: skip


def at_ends(run, curve):
    """Return the values of a curve at the ends of the steps."""
    steps = run.curve("step")
    return np.array([run.curve(curve)[np.flatnonzero(np.abs(steps - k) < 1e-9)[-1]] for k in (1, 2, 3)])


def test_bolt_forces_and_slip_are_those_of_unreduced_steps(tmp_path):
    session = faying.build(tmp_path / "artifacts", **build(Project, words_of(tmp_path)).model_dump())
    reduced, full = session.solve("reduced"), session.solve("full")
    working = [np.diff(at_ends(run, "bolt axial force"))[0] for run in (reduced, full)]
    assert working[1] == pytest.approx(171.31, rel=1e-3)
    assert working[0] == pytest.approx(working[1], rel=0.02)
    for curve in ("bolt shear force", "pull ux", "pull uz", "faying normal force"):
        assert at_ends(reduced, curve)[2] == pytest.approx(at_ends(full, curve)[2], rel=0.01), curve
    assert reduced.warnings == ()
    trained = session.compute(Target("basis", "clamp")).trained
    assert [each.load for each in trained] == ["'tightened: bolt'", "load at pull", "load at pull"]
    assert all(each.is_met for each in trained)


def test_on_slack_bolts_it_is_not_learnt(tmp_path, monkeypatch):
    monkeypatch.setattr(mounting, "_states", lambda project, body: iter(()))
    session = faying.build(tmp_path / "artifacts", **build(Project, words_of(tmp_path)).model_dump())
    reduced, full = session.solve("reduced"), session.solve("full")
    curves = ("bolt axial force", "bolt shear force", "pull ux", "faying normal force")
    errors = [abs(at_ends(reduced, curve)[2] / at_ends(full, curve)[2] - 1.0) for curve in curves]
    assert max(errors) > 0.02


def test_states_of_steps_are_preload_cases(tmp_path):
    steps = [
        {"kind": "tighten", "bolt": "bolt", "force": 3000.0},
        {"kind": "tighten", "bolt": "BOLT", "force": 5000.0},
        {"kind": "tighten", "bolt": "bolt", "angle": 0.1, "pitch": 0.7},
        {"kind": "tighten", "bolt": "bolt", "force": 0.0},
    ]
    words = words_of(tmp_path, steps)
    cases = preload_cases(build(Project, words), "clamp")
    assert [[(load.bolt, load.force) for load in case.loads] for case in cases] == [
        [("bolt", 3000.0)],
        [("bolt", 5000.0)],
    ]
    words["bodies"][0]["preloads"] = [
        {"name": "own", "loads": [{"kind": "bolt_force", "bolt": "BOLT", "force": 2950.0}]}
    ]
    assert [case.name for case in preload_cases(build(Project, words), "clamp")] == ["own", "tightened: bolt"]
    words["bodies"][0]["joint_modes"] = {"kind": "weighted_pod", "count": 10}
    assert [case.name for case in preload_cases(build(Project, words), "clamp")] == ["own"]
