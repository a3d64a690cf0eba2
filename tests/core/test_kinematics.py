"""Kinematics and inverse dynamics, against closed forms, virtual work, energy, and motions over time."""

from contextlib import closing

import numpy as np
import pytest

from faying.analyses import BodyModel, SystemModel, analyses
from faying.errors import Cancelled, ModelError, SolveError
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.flexible_bodies import held_bar
from support.loaded_bodies import STEEL
from support.systems import BAR, moved, slider_crank, system_of

SWING = {"kind": "harmonic", "frequency": 0.5}
CRANK = {"name": "drive", "first": "ground.pivot", "second": "crank.left"}
SPEED = 2.0


def driven(spec, path, bodies=None, progress=None, **words):
    """Return the opened results of a system whose drives are followed."""
    analysis = build(analyses["kinematics"], {"name": "run", "system": spec.name, "duration": 1.0, **words})
    analysis.run(SystemModel(spec, bodies or {}), path, progress or Silent())
    return Results(path)


def driven_crank(*more, **words):
    """Return a slider-crank in the x-y plane that turns at a constant speed from 0.3 rad."""
    spec = slider_crank(0.3).model_dump()
    turn = {"kind": "prescribed_angular_speed", **CRANK, "start": 0.3, "speed": SPEED,
            "time_history": {"kind": "constant"}}  # fmt: skip
    return system_of(**(spec | {"constraints": [*spec["constraints"], turn, *more], **words}))


def test_the_motion_of_a_slider_crank_is_exact(tmp_path):
    """x = cos φ + √(4 − sin² φ), with its first derivative; a motion over time is 1e5 times further off."""
    with closing(driven(driven_crank(), tmp_path / "r.h5", duration=4.0, frames=37)) as results:
        angle = 0.3 + SPEED * results.values
        sine, cosine = np.sin(angle), np.cos(angle)
        root = np.sqrt(4.0 - sine**2)
        np.testing.assert_allclose(results.curve("piston.pin x"), cosine + root, atol=1e-10)
        slope = -sine - sine * cosine / root
        np.testing.assert_allclose(results.curve("piston.pin vx"), SPEED * slope, atol=1e-9)
        assert not results.warnings


def test_the_torque_of_a_drive_is_that_of_virtual_work(tmp_path):
    """T = (m ẍ − F) dx/dφ of the piston, whose mass is a million times that of the other parts."""
    push = {"kind": "point_force", "name": "gas", "marker": "piston.pin", "force": (-5.0, 0.0, 0.0)}
    spec = driven_crank(forces=[push]).model_dump()
    for part in spec["parts"]:
        scale = 1.0 if part["name"] == "piston" else 1e-9
        part["mass"] *= scale
        part["moments_of_inertia"] = tuple(scale * x for x in part["moments_of_inertia"])
    mass = next(part["mass"] for part in spec["parts"] if part["name"] == "piston")
    with closing(driven(system_of(**spec), tmp_path / "r.h5", duration=3.0, frames=30)) as results:
        angle = 0.3 + SPEED * results.values
        sine, cosine = np.sin(angle), np.cos(angle)
        root = np.sqrt(4.0 - sine**2)
        slope = -sine - sine * cosine / root
        curvature = -cosine - (np.cos(2 * angle) / root + sine**2 * cosine**2 / root**3)
        torque = (mass * SPEED**2 * curvature + 5.0) * slope
        np.testing.assert_allclose(results.curve("drive moment z"), torque, atol=1e-6 * np.abs(torque).max())
        np.testing.assert_allclose(results.curve("drive power"), SPEED * torque, atol=1e-5)


def test_a_motion_over_time_comes_to_the_same_torque_as_its_steps_get_shorter(tmp_path):
    """Second order: a tenth of the step, a hundredth of the difference."""
    spec = driven_crank(gravity=(0.0, -9.81, 0.0))
    with closing(driven(spec, tmp_path / "r.h5", frames=8)) as results:
        exact, apart = results.curve("drive moment z"), []
        for step in (1e-2, 1e-3):
            steps = {"first_step": step, "largest_step": step, "fixed_step": True, "alpha": -0.3}
            with closing(moved(spec, tmp_path, 1.0, frames=8, tolerance=1e-9, **steps)) as run:
                apart.append(np.abs(run.curve("drive moment z") - exact)[4:].max() / np.abs(exact).max())
    assert apart[1] < 1e-5
    assert 40.0 < apart[0] / apart[1] < 250.0


def test_what_drives_do_becomes_energy(tmp_path):
    """Work of all drives = change of kinetic and potential energy, to the error of trapezoids over the frames."""
    spec, lost = driven_crank(gravity=(0.0, -9.81, 0.0)), []
    for frames in (50, 100):
        with closing(driven(spec, tmp_path / f"{frames}.h5", frames=frames)) as results:
            energy = results.curve("kinetic energy") + results.curve("potential energy")
            work = results.curve("work of drives")
            lost.append(np.abs(work - (energy - energy[0])).max() / np.abs(work).max())
    assert lost[1] < 2e-4
    assert lost[0] / lost[1] == pytest.approx(4.0, rel=0.1)


def test_motions_that_no_drive_determines_are_named(tmp_path):
    with pytest.raises(ModelError, match=r"one motion is free, of '(crank|rod|piston)'.*"):
        driven(slider_crank(0.3), tmp_path / "r.h5")


def test_a_dead_point_is_named_with_its_time_and_its_drive(tmp_path):
    """The piston is pulled out to 3.2, and reaches no further than 3."""
    reach = np.cos(0.3) + np.sqrt(4.0 - np.sin(0.3) ** 2)
    pull = {"kind": "prescribed_displacement", "name": "pull", "amplitude": 3.2 - reach,
            "time_history": {"kind": "table", "points": ((0.0, 0.0), (1.0, 1.0))}}  # fmt: skip
    with pytest.raises(SolveError, match=r"At t = .*dead point.*'pull' grows without bound") as caught:
        driven(slider_crank(0.3, pull), tmp_path / "r.h5", frames=20)
    time = float(caught.value.message.split("t = ")[1].split()[0])
    assert time == pytest.approx((3.0 - reach) / (3.2 - reach), abs=0.02)


def test_friction_in_a_pin_costs_its_drive_what_it_takes(tmp_path):
    """M = μ R m g about a pin that carries the weight of a bar whose centre is on it."""
    bar = {**BAR, "name": "bar", "markers": [{"name": "pin"}]}
    pin = {"first": "ground.origin", "second": "bar.pin"}
    drive = {"kind": "prescribed_angular_speed", "name": "drive", **pin, "speed": 3.0,
             "time_history": {"kind": "constant"}}  # fmt: skip
    friction = {"kind": "joint_friction", "name": "rub", "constraint": "hinge", "radius": 0.05,
                "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2}}  # fmt: skip
    spec = system_of(
        parts=[bar], constraints=[{"kind": "revolute", "name": "hinge", **pin}, drive], forces=[friction],
        gravity=(0.0, -9.81, 0.0),
    )  # fmt: skip
    with closing(driven(spec, tmp_path / "r.h5", frames=20)) as results:
        wanted = 0.2 * 0.05 * BAR["mass"] * 9.81
        np.testing.assert_allclose(results.curve("drive moment z")[2:], wanted, rtol=1e-6)


def test_a_flexible_bar_bends_as_its_inertia_demands(tmp_path):
    """Tip deflection under Euler's force: a cantilever of length L turned at α bends by 11 ρA α L⁵/(120 EI).

    The deflection of w'''' = ρA α x/EI, clamped at x = 0 and free at L; rigid faces stiffen little.
    """
    length, width = 1.0, 0.04
    body = held_bar((10, 2, 2), (length, width, width), (0.0, -width / 2, -width / 2), STEEL, 6,
                    element="hex8_incompatible", faces=("XMIN", "XMAX"))  # fmt: skip
    turn = 0.01
    drive = {"kind": "prescribed_angle", "name": "drive", "first": "ground.origin", "second": "bar.start",
             "amplitude": turn, "time_history": SWING}  # fmt: skip
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "bar.start"}
    spec = system_of(parts=[{"kind": "flexible", "name": "bar", "body": "bar"}], constraints=[hinge, drive])
    bodies = {"bar": BodyModel("bar", body, (), {"start": 0, "end": 0})}
    with closing(driven(spec, tmp_path / "r.h5", bodies, frames=8)) as results:
        acceleration = -turn * np.pi**2 * np.sin(np.pi * results.values)
        angle = turn * np.sin(np.pi * results.values)
        tip = results.curve("bar.end y") - length * np.sin(angle)
        inertia = width**4 / 12.0
        bent = -11.0 / 120.0 * STEEL.density * width**2 * acceleration * length**5
        bent = bent / (STEEL.youngs_modulus * inertia)
        np.testing.assert_allclose(tip[1:-1], bent[1:-1], rtol=0.05, atol=1e-3 * np.abs(bent).max())


def test_an_interrupted_run_ends_as_if_it_had_never_been(tmp_path):
    class Stopped(Silent):
        def report(self, fraction, text="", **values):
            if text.startswith("frame 5"):
                raise Cancelled

    spec = driven_crank()
    with closing(driven(spec, tmp_path / "whole.h5", frames=8)) as expected:
        path = tmp_path / "r.h5"
        with pytest.raises(Cancelled):
            driven(spec, path, progress=Stopped(), frames=8)
        with closing(driven(spec, path, frames=8)) as results:
            for name in ("drive moment z", "work of drives"):
                np.testing.assert_array_equal(results.curve(name), expected.curve(name))
