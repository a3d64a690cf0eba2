"""Quasi-static motion: equilibria along prescribed motions and load histories."""

from contextlib import closing

import numpy as np
import pytest

from faying.analyses import SystemModel, analyses
from faying.errors import Cancelled, SolveError
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.systems import BAR, slider_crank, system_of

HINGE = {"first": "ground.origin", "second": "bar.left"}
LINE = {"kind": "table", "points": ((0.0, 0.0), (2.0, 1.0))}


def followed(spec, path, progress=None, **words):
    """Return the opened results of a system that is followed."""
    analysis = build(analyses["quasi_static"], {"name": "slow", "system": spec.name, **words})
    analysis.run(SystemModel(spec, {}), path, progress or Silent())
    return Results(path)


def swung_bar(**spring):
    """Return a heavy bar on a torsion spring, turned by a moment of 1 that grows over two seconds."""
    return system_of(
        parts=[{**BAR, "name": "bar", "mass": 1e6, "placement": {"position": (0.5, 0.0, 0.0)}}],
        constraints=[{"kind": "revolute", "name": "hinge", **HINGE}],
        forces=[
            {"kind": "torsion_spring", "name": "spring", **HINGE, "stiffness": 2.0, **spring},
            {"kind": "point_force", "name": "load", "marker": "bar.left", "moment": (0.0, 0.0, 1.0),
             "time_history": LINE},
        ],
    )  # fmt: skip


def test_a_bar_on_a_spring_follows_its_moment_without_inertia_or_damping(tmp_path):
    with closing(followed(swung_bar(damping=1e3), tmp_path / "r.h5", duration=2.0, frames=8)) as results:
        np.testing.assert_allclose(results.values, np.linspace(0.0, 2.0, 9))
        np.testing.assert_allclose(results.curve("hinge angle"), results.values / 2.0 / 2.0, atol=1e-9)
        rates = results.part("bar").rates(8)
        assert (
            rates is not None and np.abs(rates[:3]).max() > 0.1
        )  # those at which the frames follow each other
        assert not results.warnings


def test_no_duration_is_the_equilibrium_alone(tmp_path):
    """A bar of 2 kg that hangs from a hinge at its end: below it, where the hinge carries its weight."""
    turned = {"position": (0.5 * np.cos(-1.0), 0.5 * np.sin(-1.0), 0.0), "rotation": (0.0, 0.0, -1.0)}
    bar = {**BAR, "name": "bar", "mass": 2.0, "placement": turned}
    spec = system_of(parts=[bar], constraints=[{"kind": "revolute", "name": "hinge", **HINGE}],
                     gravity=(0.0, -9.81, 0.0))  # fmt: skip
    with closing(followed(spec, tmp_path / "r.h5", duration=0.0)) as results:
        assert len(results.values) == 1
        assert results.curve("hinge angle")[0] == pytest.approx(-np.pi / 2, abs=1e-9)
        assert results.curve("hinge force y")[0] == pytest.approx(2.0 * 9.81, rel=1e-9)
        assert not results.warnings


def test_the_torque_of_a_crank_is_that_of_virtual_work(tmp_path):
    """T = F dx/dφ of x = cos φ + √(4 − sin² φ), whatever the parts weigh."""
    spec = slider_crank(0.3)
    turn = {"kind": "prescribed_angular_speed", "name": "drive", "first": "ground.pivot", "second": "crank.left",
            "start": 0.3, "speed": 1.0, "time_history": {"kind": "constant"}}  # fmt: skip
    push = {"kind": "point_force", "name": "gas", "marker": "piston.pin", "force": (-5.0, 0.0, 0.0)}
    words = spec.model_dump() | {"constraints": [*spec.model_dump()["constraints"], turn], "forces": [push]}
    with closing(followed(system_of(**words), tmp_path / "r.h5", duration=2.0, frames=20)) as results:
        angle, torque = results.curve("drive angle"), results.curve("drive moment z")
        np.testing.assert_allclose(angle, 0.3 + results.values, atol=1e-10)
        slope = -np.sin(angle) - np.sin(angle) * np.cos(angle) / np.sqrt(4.0 - np.sin(angle) ** 2)
        np.testing.assert_allclose(torque, 5.0 * slope, atol=1e-7)


def test_what_nothing_holds_is_told_with_its_time(tmp_path):
    loose = swung_bar(stiffness=0.0)
    with pytest.raises(SolveError, match=r"At t = .*'bar'"):
        followed(loose, tmp_path / "r.h5", duration=2.0, frames=4)


def test_an_interrupted_run_ends_as_if_it_had_never_been(tmp_path):
    class Stopped(Silent):
        def report(self, fraction, text="", **values):
            if text.startswith("frame 5"):
                raise Cancelled

    whole = tmp_path / "whole.h5"
    with closing(followed(swung_bar(), whole, duration=2.0, frames=8)) as expected:
        path = tmp_path / "r.h5"
        with pytest.raises(Cancelled):
            followed(swung_bar(), path, Stopped(), duration=2.0, frames=8)
        path.rename(tmp_path / "r.h5.earlier")
        with closing(followed(swung_bar(), path, duration=2.0, frames=8)) as results:
            assert results.report["went_on_at"] == [pytest.approx(1.0)]
            assert results.report["steps"] == expected.report["steps"]
            for name in expected.curve_names:
                np.testing.assert_array_equal(results.curve(name), expected.curve(name))
