"""Elastic touches give back what they take, with default settings and any others, in every unit system.

Kinds of reference: conservation of energy; the same motion in other units.
"""

import itertools
from typing import get_args

import numpy as np
import pytest

from faying.analyses.motion import Motion
from faying.analyses.recording.contact_records import ContactTally
from faying.multibody.assembly import assemble
from faying.progress import Silent
from faying.project.serialization import project_from_dict
from faying.solvers.balance import EnergyBalance
from faying.solvers.integrators import consistent_start
from faying.units import UnitSystemName, factor_to_si

UNITS = get_args(UnitSystemName)
MASS, GRAVITY = 2.0, 9.81  # of the bar
ABOUT_PIVOT = 0.1067 + MASS * 0.4**2  # its moment of inertia
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def write_cube(path, half):
    """Write a cube about the origin as STL."""
    lines = ["solid cube"]
    for a, b, c, d in FACES:
        for triangle in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += ["vertex {:.9g} {:.9g} {:.9g}".format(*(half * CORNERS[i])) for i in triangle]
            lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid cube", ""]), encoding="utf-8")
    return str(path)


class Numbers:
    """SI numbers in a unit system."""

    def __init__(self, units):
        self.units = units

    def __call__(self, value, quantity):
        factor = 1.0 / factor_to_si(quantity, self.units)
        if isinstance(value, (tuple, list)):
            return [float(f"{factor * x:.12g}") for x in value]
        return float(f"{factor * value:.12g}")


def drop(units, folder, integrator=None, stiffness=2e8, spin=(0.0, 0.0, 0.0)):
    """A cube of 2 kg and 80 mm comes down on an elastic floor from 10 mm above it, as fast as after a fall of 50 mm."""
    n = Numbers(units)
    skin = {
        "kind": "surface_mesh",
        "name": "skin",
        "path": write_cube(folder / "cube.stl", n(0.04, "length")),
    }
    block = {
        "kind": "rigid", "name": "block", "mass": n(2.0, "mass"),
        "moments_of_inertia": n([2e-3, 2.2e-3, 2.5e-3], "moment_of_inertia"), "contact_surfaces": [skin],
        "placement": {
            "position": n([0.0, 0.0, 0.05], "length"), "spin": n(spin, "angular_velocity"),
            "velocity": n([0.0, 0.0, -float(np.sqrt(2.0 * GRAVITY * 0.04))], "velocity"),
        },
    }  # fmt: skip
    hit = {
        "name": "hit", "master": "ground.floor", "slave": "block.skin", "reach": n(0.01, "length"),
        "contact_law": {"kind": "linear_penalty", "stiffness": n(stiffness, "contact_stiffness")},
    }  # fmt: skip
    system = {
        "name": "drop", "gravity": n([0.0, 0.0, -9.81], "acceleration"), "parts": [block], "contacts": [hit],
        "ground_surfaces": [{"kind": "plane", "name": "floor"}],
    }  # fmt: skip
    return study(units, system, n(0.04, "time"), integrator)


def pendulum(units, folder, integrator=None):
    """A bar of 2 kg and 0.8 m strikes a stop as it hangs; it begins shortly before, as fast as from the horizontal."""
    n = Numbers(units)
    angle = np.radians(75.0)
    place = 0.4 * np.array([np.cos(angle), 0.0, -np.sin(angle)])
    spin = np.sqrt(2.0 * MASS * GRAVITY * -place[2] / ABOUT_PIVOT)
    turned = [-np.pi / 2.0, 0.0, 0.0]
    tip = {
        "kind": "surface_mesh", "name": "tip", "path": write_cube(folder / "tip.stl", n(0.02, "length")),
        "position": n([0.4, 0.0, 0.0], "length"),
    }  # fmt: skip
    bar = {
        "kind": "rigid", "name": "bar", "mass": n(MASS, "mass"), "contact_surfaces": [tip],
        "moments_of_inertia": n([1e-3, 0.1067, 0.1067], "moment_of_inertia"),
        "markers": [{"name": "end", "position": n([-0.4, 0.0, 0.0], "length"), "rotation": turned}],
        "placement": {
            "position": n(place.tolist(), "length"), "rotation": [0.0, float(angle), 0.0],
            "velocity": n([float(spin * place[2]), 0.0, float(-spin * place[0])], "velocity"),
            "spin": n([0.0, float(spin), 0.0], "angular_velocity"),
        },
    }  # fmt: skip
    stop = {
        "kind": "plane",
        "name": "stop",
        "point": n([-0.02, 0.0, 0.0], "length"),
        "normal": [1.0, 0.0, 0.0],
    }
    hit = {
        "name": "hit", "master": "ground.stop", "slave": "bar.tip", "reach": n(0.01, "length"),
        "contact_law": {"kind": "linear_penalty", "stiffness": n(1e9, "contact_stiffness")},
    }  # fmt: skip
    system = {
        "name": "stop", "gravity": n([0.0, 0.0, -9.81], "acceleration"), "parts": [bar], "contacts": [hit],
        "ground_surfaces": [stop], "ground": [{"name": "pivot", "rotation": turned}],
        "constraints": [{"kind": "revolute", "name": "pivot", "first": "ground.pivot", "second": "bar.end"}],
    }  # fmt: skip
    return study(units, system, n(0.1, "time"), integrator)


def study(units, system, duration, integrator):
    motion = {"kind": "motion", "name": "motion", "system": system["name"], "duration": duration}
    if integrator:
        motion["integrator"] = integrator
    return project_from_dict({"units": units, "systems": [system], "analyses": [motion]})


def moved(project):
    """Return all states of the study's motion, its touches, its energy balance and the number of steps."""
    (spec,), (motion,) = project.systems, project.analyses
    assert isinstance(motion, Motion)
    at = assemble(spec, {})
    system = at.system.without(at.freedom.redundant)
    history = system.resting_history(at.position, system.accepted(0.0, at.position, at.history))
    start = consistent_start(system, 0.0, at.position, at.velocity, history)
    tally, balance, states = ContactTally(system, start), EnergyBalance(system, start), [start]

    def accepted(before, after):
        tally.see(before, after)
        balance.see(before, after)
        states.append(after)

    report = motion.integrator.integrate(system, start, motion.duration, accepted, Silent())
    return states, tally.summary()["contacts"]["hit"], balance.summary(), report.steps


@pytest.fixture(scope="module")
def drops(tmp_path_factory):
    return {
        units: moved(drop(units, tmp_path_factory.mktemp("drop"), spin=(2.0, 1.0, 0.0))) for units in UNITS
    }


def test_a_drop_is_the_same_in_every_unit_system(drops):
    """The same number of steps and the same motion, with nothing decided but the system itself."""
    counts, ways = {}, {}
    for units, (states, *_, steps) in drops.items():
        length, time = factor_to_si("length", units), factor_to_si("time", units)
        counts[units] = steps
        ways[units] = np.array([[time * s.time, *(length * s.q[:3]), *s.q[3:7]] for s in states])
    assert len(set(counts.values())) == 1, counts
    first = ways[UNITS[0]]
    for units in UNITS[1:]:
        np.testing.assert_allclose(ways[units], first, atol=1e-7, err_msg=units)


@pytest.mark.parametrize("units", ["m-kg-s", "mm-t-s"])
def test_an_elastic_drop_has_a_restitution_of_one(units, tmp_path):
    _, touches, balance, _ = moved(drop(units, tmp_path))
    assert touches["touches"] == 1
    assert touches["strongest_touch"]["restitution"] == pytest.approx(1.0, abs=1e-3)
    assert abs(balance["taken by the integration"]) < 1e-3 * balance["turned over"]


@pytest.mark.parametrize(
    ("kind", "share"), [("hht", 0.02), ("hht", 0.1), ("generalized_alpha", 0.4), ("hht", 1.3)]
)
def test_no_step_makes_an_elastic_drop_gain_or_lose(kind, share, tmp_path):
    """Fixed steps from a fiftieth of the time of contact to more than all of it, and no error that is judged."""
    contact = np.pi * np.sqrt(2.0 / (2e8 * 0.08**2))
    step = share * contact
    settings = {"kind": kind, "fixed_step": True, "largest_step": step, "first_step": step}
    _, touches, _, _ = moved(drop("m-kg-s", tmp_path, settings))
    assert touches["strongest_touch"]["restitution"] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("stiffness", [2e7, 2e10, 2e13])
def test_a_floor_of_any_stiffness_gives_back_all(stiffness, tmp_path):
    """With default settings; steps of 0.5 ms are a twenty-fifth of the blow, or as long as 40 blows."""
    _, touches, _, _ = moved(drop("mm-t-s", tmp_path, stiffness=stiffness))
    assert touches["strongest_touch"]["restitution"] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("settings", [None, {"kind": "generalized_alpha", "spectral_radius": 0.8,
    "fixed_step": True, "largest_step": 1e-3}])  # fmt: skip
def test_a_pendulum_comes_back_from_an_elastic_stop(settings, tmp_path):
    """Closed form: on its way back as fast as before at each height. It lost 68 % of its energy."""
    states, touches, balance, _ = moved(pendulum("m-kg-s", tmp_path, settings))
    assert touches["touches"] == 1
    assert touches["strongest_touch"]["restitution"] == pytest.approx(1.0, abs=1e-3)
    heights, speeds = np.array([s.q[2] for s in states]), np.array([s.v[0] for s in states])
    assert heights.min() == pytest.approx(-0.4, rel=1e-3)
    assert speeds[0] < 0.0 < speeds[-1] and heights[-1] > heights[0]
    end = states[-1]
    moving = 0.5 * ABOUT_PIVOT * (end.v[:3] @ end.v[:3]) / 0.4**2
    assert moving == pytest.approx(-MASS * GRAVITY * heights[-1], rel=2e-3)  # as from the horizontal, at rest
    assert abs(balance["taken by the integration"]) < 2e-3 * balance["turned over"]
