"""Actuators between parts: action and reaction, so that the momentum of the whole stays."""

import numpy as np
import pytest

from faying.multibody.forces import Force, forces
from faying.params import build
from faying.testing.contracts.forces import markers_of
from support.systems import BAR, moved, system_of


def two_free_bars(force):
    parts = [
        {**BAR, "name": name, "placement": {"position": place, "velocity": velocity}}
        for name, place, velocity in (
            ("one", (0, 0, 0), (0.3, 0.1, 0)),
            ("two", (2.0, 0.5, 0.3), (0, -0.2, 0.1)),
        )
    ]
    return system_of(parts=parts, forces=[{"name": "drive", **force}])


@pytest.mark.parametrize(
    "force",
    [
        {"kind": "actuator", "first": "one.right", "second": "two.left", "push": 3.0,
         "time_history": {"kind": "harmonic", "frequency": 2.0}},
        {"kind": "rotary_actuator", "first": "one.frame", "second": "two.frame", "torque": 0.05},
    ],
)  # fmt: skip
def test_an_actuator_changes_no_momentum(tmp_path, force):
    """Theorem: linear and angular momentum of the whole, to round-off of the time integration."""
    results = moved(two_free_bars(force), tmp_path, 0.5, tolerance=1e-8, largest_step=2e-3)
    assert (
        np.abs(results.curve("two.frame vx")).max() + np.abs(np.ptp(results.curve("kinetic energy"))) > 1e-4
    )
    for axis, start in zip("xyz", (0.3, -0.1, 0.1), strict=True):
        both = results.curve(f"one.frame v{axis}") + results.curve(f"two.frame v{axis}")
        np.testing.assert_allclose(both, start, atol=1e-11)


def test_an_actuator_works_what_its_power_curve_says(tmp_path):
    force = {"kind": "actuator", "first": "one.right", "second": "two.left", "push": 3.0}
    results = moved(two_free_bars(force), tmp_path, 0.5, frames=500, tolerance=1e-8, largest_step=2e-3)
    gained = np.trapezoid(results.curve("drive power"), results.values)
    kinetic = results.curve("kinetic energy")
    assert kinetic[-1] - kinetic[0] == pytest.approx(gained, rel=1e-4)
    assert kinetic[-1] > kinetic[0] + 0.1
    np.testing.assert_allclose(results.curve("drive axial force"), -3.0)


@pytest.mark.parametrize("kind", ["actuator", "rotary_actuator"])
def test_changes_of_an_actuator_agree_with_differences(kind):
    """Those of its formula, and central differences of its wrenches."""
    amount = {"push": 3.0} if kind == "actuator" else {"torque": 3.0}
    force = build(forces[kind], {**forces[kind].example(), **amount, "time_history": {"kind": "constant"}})
    markers = markers_of(force, 5)
    for own, other in zip(
        force.changes(markers, 0.2, force.first_angles()),
        Force.changes(force, markers, 0.2, force.first_angles()),
        strict=True,
    ):
        np.testing.assert_allclose(own, other, atol=1e-8)
    assert np.abs(force.changes(markers, 0.2, force.first_angles())[0]).max() > 0.1
