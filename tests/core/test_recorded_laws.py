"""What contact and friction laws answer, with other parameters than the usual ones, is what they answered before."""

import os
from itertools import pairwise

import numpy as np
import pytest

from faying.errors import ModelError
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.law_curves import (
    GapRange,
    SlipCycles,
    gaps_of,
    hysteresis_loop,
    matched,
    pressure_at,
    scalable_parameters,
    telling_amplitude,
)
from faying.joints.law_plots import PlotUnits, hysteresis_plot, names_of, pressure_plot
from faying.params import build
from support.recorded_numbers import compare, known

OTHER = {
    "bouc_wen": {"sticking_stiffness": 4e3, "sliding_stiffness": 70.0},
    "coulomb": {"friction_coefficient": 0.4, "sticking_stiffness": 3e3, "sliding_stiffness": 50.0},
    "dahl": {"exponent": 1.7, "sliding_stiffness": 30.0},
    "lugre": {"bristle_damping": 3.0, "viscous_damping": 2.0, "kinetic_share": 0.6},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _was_recorded(request: pytest.FixtureRequest) -> None:
    """A law that is new has nothing to be compared with yet."""
    kind = request.node.callspec.params.get("kind", "") if hasattr(request.node, "callspec") else ""
    if kind and not os.environ.get("FAYING_RECORD") and not any(kind in name for name in known("laws")):
        pytest.skip(f"new: FAYING_RECORD=1 pytest -n 0 tests/core/test_recorded_laws.py -k {kind} records it")


def walked(law, steps=6, n=7):
    """Return what a law answers along random slips, some far and some none, under limits some of which are zero."""
    rng = np.random.default_rng(11)
    path = np.cumsum(rng.normal(scale=8e-4, size=(steps, n, 2)), axis=0)
    path[:, 0] = path[0, 0]  # one that rests
    path[:, 1] = 0.0
    limits = rng.uniform(0.5, 12.0, (steps, n))
    limits[:, 2] = 0.0
    limits[3, 3] = 0.0  # opens on the way
    history = np.zeros((n, law.history_size))
    found = {}
    for k, (slip, limit) in enumerate(zip(path, limits, strict=True)):
        answer = law.traction(slip, limit, history, (1e-3, 2e-4, 0.0)[k % 3])
        history = answer.history
        for name in ("stress", "history", "slipping", "d_slip", "d_limit"):
            found[f"{name} {k}"] = getattr(answer, name)
    return found


def friction_law(kind, words=None):
    """Return a law that sticks with 10 000 N/mm³ and slides on a spring of 500 N/mm³, unless words say otherwise."""
    cls = friction_laws[kind]
    spring = {"sliding_stiffness": 500.0} if "sliding_stiffness" in cls.model_fields else {}
    return build(cls, spring | (words or {})).beside(10_000.0)


@pytest.mark.parametrize("kind", sorted(friction_laws))
def test_friction_laws(kind: str) -> None:
    for name, words in {"as it is": {}, "with others": OTHER.get(kind, {})}.items():
        law = friction_law(kind, words)
        found = walked(law)
        found["limit"], found["slope"] = law.sticking_limit(np.array([0.0, 1.0, 30.0]))
        loop = hysteresis_loop(law, SlipCycles(amplitude=2e-3, pressure=20.0, cycles=2, frequency=7.0))
        found |= {"loop": loop.stress[::17], "slips": loop.slip[::17], "work": loop.work, "steps": loop.steps}
        found["amplitude"] = telling_amplitude(law, 13.0) or 0.0
        compare("laws", f"{kind} {name}", found)


@pytest.mark.parametrize("kind", sorted(set(contact_laws) - {"tabulated"}))
def test_contact_laws(kind: str) -> None:
    law = contact_laws[kind]()
    span = GapRange(penetration=0.004, opening=0.002)
    gaps = gaps_of(span, (law,))
    assert all(a < b for a, b in pairwise(gaps))
    some = np.concatenate([gaps[::40], [law.closing_gap(), -0.03, -1.0, -100.0]])
    pressure, slope = law.pressure(some)
    found = {"gaps": gaps[::40], "closing": law.closing_gap(), "number": len(gaps)}
    # Each by itself: they differ by powers of ten.
    found |= {f"pressure {k}": p for k, p in enumerate(pressure)} | {
        f"slope {k}": s for k, s in enumerate(slope)
    }
    compare("laws", f"pressure of {kind}", found)


@pytest.mark.parametrize("kind", sorted(set(contact_laws) - {"tabulated"}))
def test_matched_contact_laws(kind: str) -> None:
    law, found = contact_laws[kind](), {}
    for name in scalable_parameters(law):
        for target in (0.3, 40.0):
            try:
                same = matched(law, lambda each: pressure_at(each, -0.003), target, name)
            except ModelError:
                found[f"{name} {target}"] = False
                continue
            assert pressure_at(same, -0.003) == pytest.approx(target, rel=1e-6)
            found[f"{name} {target}"] = getattr(same, name)
    compare("laws", f"matched {kind}", found)


def test_plots() -> None:
    laws = [contact_laws[kind]() for kind in ("exponential", "linear_penalty", "linear_penalty")]
    named = list(zip(names_of(laws), laws, strict=True))
    units, found = PlotUnits("mm-t-s"), {}
    plots = {
        "pressure": pressure_plot(named, GapRange(penetration=0.004, opening=0.002), units, (-0.001, 3.0))
    }
    drive = SlipCycles(amplitude=2e-3, pressure=20.0)
    loops = [(kind, hysteresis_loop(friction_law(kind), drive)) for kind in ("coulomb", "dahl")]
    plots["hysteresis"] = hysteresis_plot(loops, units)
    for name, plot in plots.items():
        for k, series in enumerate(plot.series):
            found[f"{name} {k} x"], found[f"{name} {k} y"] = series.x[::50], series.y[::50]
        found[f"{name} limits"] = plot.y.limits or (0.0, 0.0)
    compare("laws", "plots", found)
