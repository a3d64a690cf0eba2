"""Screw, rack, belt, coupler and primitive constraints: kinematics, degrees of freedom and reactions."""

import numpy as np
import pytest

from support.systems import BAR, moved, ready, system_of

ALONG_X = (0.0, np.pi / 2, 0.0)
PRECISE = {"tolerance": 1e-7, "largest_step": 2e-3}


def wheel(name, x=0.0, **more):
    return {**BAR, "name": name, "markers": [{"name": "hub"}], "placement": {"position": (x, 0, 0), **more}}


def hinged(*wheels):
    ground = [{"name": part["name"], "position": part["placement"]["position"]} for part in wheels]
    hinges = [
        {"kind": "revolute", "name": f"{part['name']} hinge", "first": f"ground.{part['name']}",
         "second": f"{part['name']}.hub"}
        for part in wheels
    ]  # fmt: skip
    return ground, hinges


def test_a_screw_moves_by_its_pitch(tmp_path):
    """A moment M turns it: (J + m (p/2π)²) φ̈ = M."""
    pitch, torque = 0.3, 0.2
    part = {**BAR, "name": "screw", "moments_of_inertia": (1 / 12, 1 / 12, 0.05), "markers": [{"name": "axis"}],
            "placement": {"position": (0, 0, 0.7)}}  # fmt: skip
    spec = system_of(
        ground=[{"name": "nut"}], parts=[part],
        constraints=[{"kind": "screw", "name": "thread", "first": "ground.nut", "second": "screw.axis",
                      "pitch": pitch}],
        forces=[{"kind": "rotary_actuator", "name": "motor", "first": "ground.nut", "second": "screw.axis",
                 "torque": torque}],
    )  # fmt: skip
    results = moved(spec, tmp_path, 2.0, **PRECISE)
    assert results.report["degrees_of_freedom"] == 1
    travel, angle = results.curve("screw.axis z") - 0.7, results.curve("motor angle")
    np.testing.assert_allclose(travel, pitch * angle / (2.0 * np.pi), atol=1e-9)
    expected = 0.5 * torque / (0.05 + (pitch / (2.0 * np.pi)) ** 2) * results.values**2
    np.testing.assert_allclose(angle, expected, rtol=1e-4, atol=1e-5)


def test_a_pinion_moves_its_rack(tmp_path):
    radius = 0.1
    pinion = wheel("pinion", velocity=(0, 0, 0), spin=(0, 0, 3.0))
    rack = {**BAR, "name": "rack", "markers": [{"name": "slide", "rotation": ALONG_X}],
            "placement": {"position": (0.2, -0.1, 0)}}  # fmt: skip
    ground, hinges = hinged(pinion)
    ground.append({"name": "guide", "position": (0, -0.1, 0), "rotation": ALONG_X})
    guide = {"kind": "translational", "name": "guide", "first": "ground.guide", "second": "rack.slide"}
    mesh = {"kind": "rack_and_pinion", "name": "mesh", "carrier": "ground.pinion", "pinion": "pinion.hub",
            "guide": "ground.guide", "rack": "rack.slide", "radius": radius}  # fmt: skip
    spec = system_of(ground=ground, parts=[pinion, rack], constraints=[*hinges, guide, mesh])
    results = moved(spec, tmp_path, 1.0, **PRECISE)
    assert results.report["degrees_of_freedom"] == 1
    angle, x = results.curve("pinion hinge angle"), results.curve("rack.slide x")
    np.testing.assert_allclose(x - 0.2, radius * angle, atol=1e-9)
    assert angle[-1] > 2.0


@pytest.mark.parametrize(("crossed", "sign"), [(False, 1.0), (True, -1.0)])
def test_a_belt_turns_its_pulleys(tmp_path, crossed, sign):
    one, two = wheel("one", spin=(0, 0, 10.0)), wheel("two", 1.0, rotation=(0, 0, 0.4))
    ground, hinges = hinged(one, two)
    belt = {"kind": "belt", "name": "belt", "first_carrier": "ground.one", "first_pulley": "one.hub",
            "second_carrier": "ground.two", "second_pulley": "two.hub", "first_radius": 0.1, "second_radius": 0.25,
            "crossed": crossed}  # fmt: skip
    spec = system_of(ground=ground, parts=[one, two], constraints=[*hinges, belt])
    results = moved(spec, tmp_path, 2.0, **PRECISE)
    assert results.report["degrees_of_freedom"] == 1
    first, second = (results.curve(f"{name} hinge angle") for name in ("one", "two"))
    assert first[-1] > 2.0 * np.pi
    np.testing.assert_allclose(second - 0.4, sign * 0.4 * first, atol=1e-8)


def test_a_coupler_is_a_differential(tmp_path):
    """φ₁ + φ₂ = 2 φ₃: a moment on the cage is shared equally, whatever the wheels do."""
    parts = [wheel("one"), wheel("two", 1.0, spin=(0, 0, 2.0)), wheel("cage", 2.0)]
    ground, hinges = hinged(*parts)
    motions = [
        {"first": f"ground.{name}", "second": f"{name}.hub", "factor": factor}
        for name, factor in (("one", 1.0), ("two", 1.0), ("cage", -2.0))
    ]
    coupler = {"kind": "coupler", "name": "differential", "motions": motions}
    motor = {
        "kind": "rotary_actuator",
        "name": "motor",
        "first": "ground.cage",
        "second": "cage.hub",
        "torque": 0.3,
    }
    spec = system_of(ground=ground, parts=parts, constraints=[*hinges, coupler], forces=[motor])
    results = moved(spec, tmp_path, 1.0, **PRECISE)
    assert results.report["degrees_of_freedom"] == 2
    one, two, cage = (results.curve(f"{name} hinge angle") for name in ("one", "two", "cage"))
    np.testing.assert_allclose(one + two, 2.0 * cage, atol=1e-9)
    spread = two - one
    np.testing.assert_allclose(spread, (spread[-1] / results.values[-1]) * results.values, atol=3e-6)


@pytest.mark.parametrize(
    ("kind", "left"),
    [("parallel_axes", 4), ("perpendicular", 5), ("in_plane", 5), ("orientation", 3), ("screw", 1)],
)
def test_degrees_of_freedom_left(kind, left):
    turned = {"rotation": (np.pi / 2, 0, 0)} if kind == "perpendicular" else {}
    part = {**BAR, "name": "bar", "placement": {"position": (0.3, 0.2, 0.0), **turned}}
    place = {"position": (0, 0, 0)} if kind != "screw" else {"position": (0.3, 0.2, 0)}
    at = ready(system_of(
        ground=[{"name": "base", **place}], parts=[part],
        constraints=[{"kind": kind, "name": "it", "first": "ground.base", "second": "bar.frame"}],
    ))  # fmt: skip
    assert at.freedom.degrees == left and not at.freedom.redundant


def test_primitives_hold_what_they_say(tmp_path):
    """A bar that falls and turns: its z axis stays at right angles to the ground's, its frame in the plane."""
    part = {**BAR, "name": "bar", "placement": {"rotation": (np.pi / 2, 0, 0), "velocity": (1.0, 0.5, 0.0),
                                                "spin": (0.0, 2.0, 3.0)}}  # fmt: skip
    pair = {"first": "ground.origin", "second": "bar.frame"}
    words = [
        {"kind": "perpendicular", "name": "square", **pair},
        {"kind": "in_plane", "name": "table", **pair},
    ]
    spec = system_of(parts=[part], constraints=words, gravity=(0, 0, -9.81),
                     measures=[{"kind": "displacement", "name": "height", "second": "bar.frame", "component": "z"},
                               {"kind": "angle", "name": "turn", "second": "bar.frame"},
                               {"kind": "reaction", "name": "held", "constraint": "table"}])  # fmt: skip
    results = moved(spec, tmp_path, 0.5, **PRECISE)
    np.testing.assert_allclose(results.curve("height"), 0.0, atol=1e-9)
    np.testing.assert_allclose(results.curve("held"), 9.81, rtol=1e-6)
    assert np.ptp(results.curve("turn")) > 0.1
