"""A valve train in motion: round cam, flat tappet, progressive spring. Kind of reference: closed forms."""

import numpy as np
import pytest

from support.systems import moved, system_of

RADIUS, OFF, MASS, SPEED = 20.0, 6.0, 1e-4, 200.0  # mm, t, rad/s
PRELOAD, RATE, GROWTH = 100.0, 20.0, 1.0  # N, N/mm, N/mm²
UP = (-np.pi / 2.0, 0.0, 0.0)  # turns z into y


def valve_train():
    turns = np.linspace(0.0, 2.0 * np.pi, 120, endpoint=False)
    outline = [(float(RADIUS * np.cos(t)), float(OFF + RADIUS * np.sin(t)), 0.0) for t in turns]
    rotor = {"kind": "rigid", "mass": 1e-3, "moments_of_inertia": (0.1, 0.1, 0.1)}
    cam = {**rotor, "name": "cam", "placement": {"spin": (0, 0, SPEED)}}
    tappet = {
        **rotor, "name": "tappet", "mass": MASS, "markers": [{"name": "stem", "rotation": UP}],
        "placement": {"position": (0.0, RADIUS + OFF, 0.0)},
    }  # fmt: skip
    spring = {
        "kind": "spring_damper", "name": "spring", "first": "ground.retainer", "second": "tappet.frame",
        "free_length": 100.0 - (RADIUS + OFF), "preload": -PRELOAD - RATE * 2.0 * OFF - GROWTH * (2.0 * OFF) ** 2,
        "characteristic": {"kind": "polynomial", "coefficients": (0.0, RATE + 4.0 * OFF * GROWTH, -GROWTH)},
    }  # fmt: skip
    shaft = {"first": "ground.origin", "second": "cam.frame"}
    return system_of(
        ground=[{"name": "guide", "rotation": UP}, {"name": "retainer", "position": (0.0, 100.0, 0.0)}],
        parts=[cam, tappet], forces=[spring],
        constraints=[
            {"kind": "revolute", "name": "shaft", **shaft},
            {"kind": "prescribed_angular_speed", "name": "drive", **shaft, "speed": SPEED},
            {"kind": "translational", "name": "guide", "first": "ground.guide", "second": "tappet.stem"},
            {"kind": "curve_on_curve", "name": "cam face", "first": "cam.frame", "second": "tappet.frame",
             "points": outline, "second_points": [(-30.0, 0, 0), (0.0, 0, 0), (30.0, 0, 0)]},
        ],
    )  # fmt: skip


def test_lift_force_and_torque_of_a_cam_over_two_turns(tmp_path):
    """Lift e (1 + cos φ), force of spring and inertia, torque of that force, which acts e sin φ off the axis."""
    results = moved(
        valve_train(), tmp_path, 4.0 * np.pi / SPEED, tolerance=1e-5, largest_step=2e-4, frames=60
    )
    angle = results.curve("shaft angle")
    assert angle[-1] > 3.5 * np.pi
    steady = angle > 0.5 * np.pi  # the drive starts smoothly
    lift = OFF * (1.0 + np.cos(angle))
    assert results.curve("tappet.frame y") == pytest.approx(RADIUS - OFF + lift, abs=2e-3)
    spring = PRELOAD + RATE * lift + GROWTH * lift**2
    force = spring - MASS * OFF * SPEED**2 * np.cos(angle)
    found = [results.curve(f"cam face force {axis}") for axis in "xyz"]
    assert np.linalg.norm(found, axis=0)[steady] == pytest.approx(force[steady], rel=0.02)
    torque = force * OFF * np.sin(angle)
    drive = np.abs(results.curve("drive moment z"))
    assert drive[steady] == pytest.approx(np.abs(torque)[steady], abs=0.02 * np.abs(torque).max())
