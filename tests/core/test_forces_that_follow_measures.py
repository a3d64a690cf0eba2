"""Forces whose amount follows a measure, against springs and closed forms."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from support.systems import BAR, DOWN_Y, moved, system_of

PRECISE = {"tolerance": 1e-7, "largest_step": 2e-3}
LENGTH = {"kind": "distance", "name": "stretch", "first": "ground.origin", "second": "bar.right"}
CLOSING = {
    "kind": "velocity",
    "name": "rate",
    "first": "ground.origin",
    "second": "bar.right",
    "component": "distance",
}
PULLS = {"kind": "actuator", "name": "strut", "first": "ground.origin", "second": "bar.right", "push": 1.0}


def swing(force, *measures):
    """Return a pendulum whose lower end a force pulls to the origin; nothing is along an axis."""
    place = {"position": (0.5, 0.2, 0.1), "rotation": (0.1, 0.2, 0.3)}
    bar = {**BAR, "name": "bar", "placement": {**place, "spin": (0.5, -0.3, 1.0)}}
    pin = {"kind": "spherical", "name": "pin", "first": "ground.pin", "second": "bar.left"}
    return system_of(
        ground=[{"name": "pin", "position": (0.02, 0.05, 0.2)}], parts=[bar], constraints=[pin], forces=[force],
        measures=measures, gravity=DOWN_Y,
    )  # fmt: skip


def linear(stiffness, zero=0.0):
    return {"kind": "polynomial", "coefficients": (-stiffness * zero, stiffness)}


def test_an_actuator_that_follows_a_distance_is_a_spring(tmp_path):
    """A push of −k (l − l₀) N: the same motion, force and power as the spring's, in the same steps."""
    spring = {k: v for k, v in PULLS.items() if k != "push"} | {"kind": "spring_damper", "stiffness": 60.0,
                                                                "free_length": 0.7}  # fmt: skip
    follows = {**PULLS, "push": -1.0, "measure": "stretch", "characteristic": linear(60.0, 0.7)}
    results = []
    for name, force in (("spring", spring), ("actuator", follows)):
        (tmp_path / name).mkdir()
        results.append(moved(swing(force, LENGTH), tmp_path / name, 0.5, **PRECISE))
    expected, found = results
    names = ["strut axial force", "strut length", "strut force x", "strut moment y", "strut power", "stretch"]
    for name in ["bar.right x", "bar.right y", "bar.right z", *names]:
        wanted = expected.curve(name)
        np.testing.assert_allclose(
            found.curve(name), wanted, atol=1e-8 * max(1.0, np.abs(wanted).max()), err_msg=name
        )
    assert np.ptp(expected.curve("stretch")) > 0.1


def test_a_formula_of_measures_is_a_damper(tmp_path):
    """k (l − l₀) + c l̇ by a formula of two measures, without a characteristic."""
    spring = {k: v for k, v in PULLS.items() if k != "push"} | {"kind": "spring_damper", "stiffness": 60.0,
                                                                "free_length": 0.7, "damping": 3.0}  # fmt: skip
    pull = {"kind": "formula", "name": "pull", "formula": "60*(a - 0.7) + 3*b", "a": "stretch", "b": "rate"}
    (tmp_path / "spring").mkdir()
    expected = moved(swing(spring, LENGTH, CLOSING), tmp_path / "spring", 0.4, **PRECISE)
    found = moved(
        swing({**PULLS, "push": -1.0, "measure": "pull"}, LENGTH, CLOSING, pull), tmp_path, 0.4, **PRECISE
    )
    for name in ("bar.right x", "bar.right y", "bar.right z", "strut axial force"):
        np.testing.assert_allclose(found.curve(name), expected.curve(name), atol=1e-7, err_msg=name)


def test_a_moment_that_follows_an_angle_counts_turns(tmp_path):
    """θ̈ = −(k/J) θ from rest at no angle with a spin that turns it four times: θ = (ω₀/w) sin w t."""
    inertia, stiffness, spin = 1.0 / 12.0, 0.02, 12.0
    rate = np.sqrt(stiffness / inertia)
    rotor = {**BAR, "name": "rotor", "markers": [{"name": "hub"}], "placement": {"spin": (0, 0, spin)}}
    between = {"first": "ground.origin", "second": "rotor.hub"}
    motor = {"kind": "rotary_actuator", "name": "motor", **between, "torque": -1.0, "measure": "turn",
             "characteristic": linear(stiffness)}  # fmt: skip
    spec = system_of(
        parts=[rotor], constraints=[{"kind": "revolute", "name": "pin", **between}], forces=[motor],
        measures=[{"kind": "angle", "name": "turn", **between}],
    )  # fmt: skip
    results = moved(spec, tmp_path, 0.55 * np.pi / rate, frames=100, **PRECISE)
    angle = spin / rate * np.sin(rate * results.values)
    assert angle.max() > 3.5 * 2.0 * np.pi
    np.testing.assert_allclose(results.curve("turn"), angle, atol=2e-3 * angle.max())
    np.testing.assert_allclose(results.curve("motor moment z"), -stiffness * results.curve("turn"), atol=1e-9)


def test_the_load_history_and_the_measure_multiply(tmp_path):
    """A force at a marker of 2 N times x times t: in the curves as in the motion, m ẍ."""
    history = {"kind": "table", "points": [(0.0, 0.0), (1.0, 1.0)]}
    bar = {**BAR, "name": "bar", "placement": {"position": (0.3, 0, 0)}}
    way = {"kind": "displacement", "name": "way", "second": "bar.frame", "component": "x"}
    push = {"kind": "point_force", "name": "push", "marker": "bar.frame", "force": (2.0, 0, 0),
            "time_history": history, "measure": "way"}  # fmt: skip
    felt = {"kind": "acceleration", "name": "felt", "second": "bar.frame", "component": "x"}
    results = moved(system_of(parts=[bar], forces=[push], measures=[way, felt]), tmp_path, 1.0, **PRECISE)
    expected = 2.0 * results.values * results.curve("way")
    np.testing.assert_allclose(results.curve("push force x"), expected, atol=1e-9)
    np.testing.assert_allclose(results.curve("felt"), expected, atol=2e-3)


@pytest.mark.parametrize(
    ("measures", "sentence"),
    [
        ([], "there is no measure 'pull'"),
        ([{"kind": "force_element", "name": "pull", "force": "strut"}], "cannot follow the measure 'pull'"),
        (
            [
                {"kind": "force_element", "name": "own", "force": "strut"},
                {"kind": "formula", "name": "pull", "formula": "2*a", "a": "own"},
            ],
            "cannot follow the measure 'own' through 'pull'",
        ),
        (
            [{**CLOSING, "kind": "acceleration", "name": "pull", "component": "x"}],
            "cannot follow the measure 'pull'",
        ),
    ],
)
def test_a_measure_that_is_not_known_before_the_force_is_refused(measures, sentence):
    """By the check and by the run."""
    spec = swing({**PULLS, "measure": "pull"}, *measures)
    found = run_checks(CheckedProject(Project(name="p", units="m-kg-s", systems=(spec,)), Path()))
    assert any(sentence in each.sentence for each in found if each.severity == "error"), found
    with pytest.raises(ModelError, match=sentence[1:]):
        spec.build({})
