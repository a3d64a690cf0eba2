"""Drives whose position follows a measure: the same as a coupler, a cam by its characteristic, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from support.systems import BAR, moved, system_of

ALONG_X = (0.0, np.pi / 2, 0.0)
TURN = {"kind": "angle", "name": "turn", "first": "ground.origin", "second": "wheel.hub"}


def wheel_and_slide(*constraints, measures=(TURN,), **more):
    """Return a wheel about z that spins, and a mass on a rail along x that is to follow it."""
    wheel = {**BAR, "name": "wheel", "markers": [{"name": "hub"}], "placement": {"spin": (0, 0, 5.0)}}
    mass = {**BAR, "name": "mass", "markers": [{"name": "slide", "rotation": ALONG_X}]}
    between = {"first": "ground.rail", "second": "mass.slide"}
    return system_of(
        ground=[{"name": "rail", "rotation": ALONG_X}], parts=[wheel, mass], measures=measures,
        constraints=[
            {"kind": "revolute", "name": "axle", "first": "ground.origin", "second": "wheel.hub"},
            {"kind": "translational", "name": "rail", **between},
            *({**({} if each["kind"] == "coupler" else between), **each} for each in constraints),
        ],
        **more,
    )  # fmt: skip


def follows(**words):
    return {"kind": "prescribed_displacement", "name": "drive", "amplitude": 0.3, "measure": "turn", **words}


def test_a_drive_that_follows_an_angle_is_a_rack(tmp_path: Path):
    """Over whole turns, against the rack and pinion of radius 0.3 with a spring on the mass: motion and energy."""
    spring = {"kind": "spring_damper", "name": "spring", "first": "ground.origin", "second": "mass.frame",
              "stiffness": 0.5}  # fmt: skip
    rack = {"kind": "coupler", "name": "drive", "motions": [
        {"first": "ground.rail", "second": "mass.slide", "of": "displacement"},
        {"first": "ground.origin", "second": "wheel.hub", "of": "angle", "factor": -0.3},
    ]}  # fmt: skip
    words = {"largest_step": 5e-3, "tolerance": 1e-6}
    found = []
    for name, drive in (("follows", follows()), ("rack", rack)):
        (tmp_path / name).mkdir()
        spec = wheel_and_slide(drive, forces=[spring])
        found.append(moved(spec, tmp_path / name, 3.0, **words))
    results, expected = found
    assert expected.curve("turn").max() > 2.0 * np.pi
    for name in ("turn", "mass.frame x", "rail force x", "total energy"):
        np.testing.assert_allclose(results.curve(name), expected.curve(name), atol=1e-7, err_msg=name)
    assert abs(results.report["energy_balance"]["work of drives"]) == 0.0


def test_a_characteristic_makes_a_cam(tmp_path: Path):
    """x = 0.1 (1 − cos φ) of a wheel of any inertia: J φ̇² + m x'(φ)² φ̇² is kept."""
    cam = {"kind": "formula", "formula": "1 - cos(x)"}
    rate = {"kind": "angular_speed", "name": "rate", "second": "wheel.hub"}
    spec = wheel_and_slide(follows(amplitude=0.1, characteristic=cam), measures=(TURN, rate))
    results = moved(spec, tmp_path, 3.0, largest_step=5e-3, tolerance=1e-6)
    angle = results.curve("turn")
    np.testing.assert_allclose(results.curve("mass.frame x"), 0.1 * (1.0 - np.cos(angle)), atol=1e-9)
    rate, j = results.curve("rate"), 1.0 / 12.0
    energy = 0.5 * (j + (0.1 * np.sin(angle)) ** 2) * rate**2
    np.testing.assert_allclose(energy, 0.5 * j * 25.0, rtol=1e-4)


@pytest.mark.parametrize(
    ("measures", "named"),
    [
        ([TURN, {"kind": "angular_speed", "name": "rate", "second": "wheel.hub"}], "rate"),
        ([TURN, {"kind": "formula", "name": "later", "formula": "a + t", "a": "turn"}], "later"),
        ([TURN, {"kind": "time", "name": "clock"}], "clock"),
    ],
)
def test_what_is_no_position_is_refused(measures, named):
    spec = wheel_and_slide(follows(measure=named), measures=measures)
    with pytest.raises(
        ModelError, match=f"cannot follow the measure '{named}': it does not follow from positions"
    ):
        spec.build({})
    found = run_checks(CheckedProject(Project(systems=(spec,)), Path()))
    assert any(f.entity == ("systems", 0, "constraints", 2) and named in f.sentence for f in found)


def test_a_controller_is_left_to_actuators():
    lag = {"kind": "transfer_function", "name": "lag", "input": "turn"}
    spec = wheel_and_slide(follows(measure="lag"), controllers=[lag])
    with pytest.raises(ModelError, match="cannot follow the measure 'lag'") as caught:
        spec.build({})
    assert "let an actuator follow it" in caught.value.hint
