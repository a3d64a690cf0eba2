"""From an unstable equilibrium to a stable one. Kind of reference: closed forms of pendulums and of springs."""

from contextlib import closing

import numpy as np
import pytest
from scipy.optimize import brentq

from faying.analyses import SystemModel, analyses
from faying.errors import SolveError
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from faying.results.verdicts import facts_of
from support.systems import BAR, system_of

G = 9.81


def rest(spec, path, **words):
    words = {"name": "rest", "system": spec.name, "duration": 0.0, "stable": True, **words}
    build(analyses["quasi_static"], words).run(SystemModel(spec, {}), path / "r.h5", Silent())
    return Results(path / "r.h5")


def bar_at(angle, name="bar", foot=(0.0, 0.0)):
    place = (foot[0] + 0.5 * np.cos(angle), foot[1] + 0.5 * np.sin(angle), 0.0)
    return {**BAR, "name": name, "placement": {"position": place, "rotation": (0.0, 0.0, angle)}}


def hinge(first, second, name="hinge"):
    return {"kind": "revolute", "name": name, "first": first, "second": second}


@pytest.mark.parametrize("count", [1, 2])
def test_pendulums_that_stand_come_to_hang(tmp_path, count):
    """A bar, and two that stand on each other, of which several equilibria are unstable."""
    bars = [bar_at(np.pi / 2, f"bar {k}", (0.0, float(k))) for k in range(count)]
    joints = [
        hinge(f"bar {k - 1}.right" if k else "ground.origin", f"bar {k}.left", f"hinge {k}")
        for k in range(count)
    ]
    spec = system_of(parts=bars, constraints=joints, gravity=(0.0, -G, 0.0))
    with closing(rest(spec, tmp_path, stable=False)) as results:
        assert results.report["unstable_equilibria"]["count"] == 1
        assert results.curve("bar 0.right y")[0] == pytest.approx(1.0, abs=1e-9)
    with closing(rest(spec, tmp_path)) as results:
        for k in range(count):
            assert results.curve(f"bar {k}.right y")[0] == pytest.approx(-1.0 - k, abs=1e-8)
        assert "unstable_equilibria" not in results.report
        assert results.report["left_unstable"]["parts"][0].startswith("bar")
        assert not results.warnings


@pytest.mark.parametrize("start", [0.0, 0.4])
def test_a_lever_snaps_over_its_dead_centre(tmp_path, start):
    """A pressed spring k along a lever of length 1: at the dead centre or past it, to where it is unloaded.

    Spring between the head and a pivot at distance a opposite: length² = 1 + a² + 2 a cos φ about φ = 0 in line.
    """
    pivot, stiffness, moment = 0.5, 200.0, 8.0
    free = np.sqrt(1.0 + pivot**2)
    spring = {"kind": "spring_damper", "name": "spring", "first": "ground.pivot", "second": "bar.right",
              "stiffness": stiffness, "free_length": 1.2 * free}  # fmt: skip
    load = {"kind": "point_force", "name": "load", "marker": "bar.left", "moment": (0.0, 0.0, moment * start),
            "time_history": {"kind": "constant"}}  # fmt: skip
    spec = system_of(
        ground=[{"name": "pivot", "position": (0.5, 0.0, 0.0)}], parts=[bar_at(0.0)],
        constraints=[hinge("ground.origin", "bar.left")], forces=[spring, load],
    )  # fmt: skip

    def turning(angle):
        """Moment of the spring and the load about the hinge at an angle of the lever."""
        head = np.array([np.cos(angle) - pivot, np.sin(angle)])
        length = np.linalg.norm(head)
        pull = stiffness * (length - 1.2 * free) * head / length
        return -(np.cos(angle) * pull[1] - np.sin(angle) * pull[0]) + moment * start

    with closing(rest(spec, tmp_path)) as results:
        angle = float(results.curve("hinge angle")[0])
        report = dict(results.report)
        if not start:
            assert report["left_unstable"]["parts"] == ["bar"]
            assert any(
                fact.title == "Unstable equilibrium left" for fact in facts_of(results.report, "m-kg-s")
            )
    assert turning(angle) == pytest.approx(0.0, abs=1e-5)
    assert turning(angle + 1e-3) < 0.0 < turning(angle - 1e-3)


def test_a_shallow_arch_snaps_through(tmp_path):
    """Two springs between walls and a mass on a rail: 2 k (l₀/l − 1) h = F; loaded past the limit, it hangs below."""
    half, rise, stiffness = 1.0, 0.2, 1e3
    free = float(np.hypot(half, rise))
    up = (-np.pi / 2, 0.0, 0.0)  # turns z to y
    springs = [
        {"kind": "spring_damper", "name": side, "first": f"ground.{side}", "second": "mass.frame",
         "stiffness": stiffness, "free_length": free}
        for side in ("left", "right")
    ]  # fmt: skip
    mass = {**BAR, "name": "mass", "markers": [{"name": "slide", "rotation": up}]}
    spec = system_of(
        ground=[{"name": "left", "position": (-half, 0, 0)}, {"name": "right", "position": (half, 0, 0)},
                {"name": "rail", "rotation": up}],
        parts=[mass],
        constraints=[{"kind": "translational", "name": "rail", "first": "ground.rail", "second": "mass.slide"}],
        forces=springs, gravity=(0.0, -0.1, 0.0),
    )  # fmt: skip

    def upwards(height):
        length = np.hypot(half, height)
        return 2.0 * stiffness * (free / length - 1.0) * height - 0.1

    with closing(rest(spec, tmp_path)) as results:
        height = float(results.curve("mass.frame y")[0])
    wanted = [brentq(upwards, 0.5 * side * rise, 1.5 * side * rise) for side in (1, -1)]
    assert min(abs(height - each) for each in wanted) < 1e-8


def test_it_goes_downhill_where_newton_finds_no_equilibrium(tmp_path):
    """A free bar that stands on two springs without a rail: it ends where it hangs from them, its weight in balance."""
    springs = [
        {"kind": "spring_damper", "name": name, "first": f"ground.{name}", "second": "bar.right", "stiffness": 100.0,
         "free_length": 0.2}
        for name in ("a", "b")
    ]  # fmt: skip
    spec = system_of(
        ground=[{"name": "a", "position": (0.2, 0, 0)}, {"name": "b", "position": (-0.2, 0, 0)}],
        parts=[bar_at(-np.pi / 2, foot=(0.0, 1.0))], forces=springs, gravity=(0.0, -G, 0.0),
    )  # fmt: skip
    with pytest.raises(SolveError, match="No static equilibrium"):
        rest(spec, tmp_path, stable=False)
    with closing(rest(spec, tmp_path)) as results:
        low, high = results.curve("bar.left y")[0], results.curve("bar.right y")[0]
        assert "unstable_equilibria" not in results.report
    assert high - low == pytest.approx(1.0, abs=1e-6)
    length = np.hypot(0.2, high)
    assert -2.0 * 100.0 * (length - 0.2) * high / length == pytest.approx(G, rel=1e-6)
    assert low < high < 0.0


def test_what_nothing_holds_is_named(tmp_path):
    """A mass at the top of a repelling spring runs away."""
    spring = {"kind": "spring_damper", "name": "spring", "first": "ground.origin", "second": "mass.frame",
              "characteristic": {"kind": "linear", "factor": -5.0}}  # fmt: skip
    spec = system_of(
        parts=[{**BAR, "name": "mass"}],
        constraints=[{"kind": "translational", "name": "rail", "first": "ground.origin", "second": "mass.frame"}],
        forces=[spring],
    )  # fmt: skip
    with pytest.raises(SolveError, match="'mass' moves on and on"):
        rest(spec, tmp_path)
