"""The energy balance of a motion: what drives give, what friction and damping take, and what is left over."""

import numpy as np
import pytest

from support.systems import BAR, DOWN_Y, jointed_plates_model, moved, system_of

LEFT_TO_GROUND = {"first": "ground.origin", "second": "bar.left"}


def swinging(**more):
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    part = {**BAR, "name": "bar", "placement": {"position": (0.5, 0, 0)}}
    return system_of(**({"parts": [part], "gravity": DOWN_Y, "constraints": [hinge]} | more))


def test_a_drive_gives_what_the_bar_gains(tmp_path):
    """Theorem: ½ J ω² with J = 1/3 about the pin."""
    drive = {
        "kind": "prescribed_angular_speed", "name": "drive", **LEFT_TO_GROUND, "speed": 6.0,
        "course": {"kind": "haversine", "rise_time": 0.1},
    }  # fmt: skip
    hinge = {"kind": "revolute", "name": "hinge", **LEFT_TO_GROUND}
    spec = swinging(gravity=(0, 0, 0), constraints=[hinge, drive])
    balance = moved(spec, tmp_path, 0.12, tolerance=1e-6, largest_step=1e-3).report["energy_balance"]
    assert balance["work of drives"] == pytest.approx(0.5 / 3.0 * 36.0, rel=1e-4)
    assert balance["taken by the integration"] == pytest.approx(0.0, abs=1e-3)


def test_a_damper_takes_what_the_weight_gives(tmp_path):
    brake = {
        "kind": "torsion_spring", "name": "brake", **LEFT_TO_GROUND, "stiffness": 2.0, "damping": 0.5,
    }  # fmt: skip
    results = moved(swinging(forces=[brake]), tmp_path, 0.3, tolerance=1e-6, largest_step=2e-3)
    time, angle = results.values, results.curve("hinge angle")
    taken = 0.5 * np.trapezoid(np.gradient(angle, time) ** 2, time)
    stored = 0.5 * 2.0 * angle[-1] ** 2
    assert results.curve("work of forces")[-1] == pytest.approx(-taken - stored, rel=2e-3)
    # The last step ends after the last frame.
    assert abs(results.report["energy_balance"]["taken by the integration"]) < 1e-3 * taken


def test_a_joint_that_rubs_in_motion_is_in_balance(tmp_path):
    """Theorem: work of the push = energy + friction + damping + what the scheme takes, which is little here."""
    plates = jointed_plates_model()
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "stiffness_damping": 1e-7}],
        constraints=[{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "course": {"kind": "haversine", "rise_time": 1e-4}}],
    )  # fmt: skip
    results = moved(
        spec,
        tmp_path,
        2e-4,
        {"plates": plates},
        frames=20,
        tolerance=1e-6,
        first_step=1e-7,
        largest_step=2e-6,
    )
    balance = results.report["energy_balance"]
    assert balance["friction work"] > 0.0
    assert balance["damping work"] > 0.0
    assert (np.diff(results.curve("damping work")) >= 0.0).all()
    assert abs(balance["taken by the integration"]) < 0.03 * balance["work of forces"]
