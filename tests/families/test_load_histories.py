"""Contract of the load histories: finite, the integral's derivative is the factor, plain words and back."""

import math

import numpy as np
import pytest

from faying.errors import ModelError, SolveError
from faying.load_histories import load_histories
from faying.params import build
from faying.testing import LoadHistoryContract


class TestLoadHistories(LoadHistoryContract):
    pass


def test_a_formula_may_say_what_happens_when() -> None:
    history = load_histories["expression"](formula="0.5*(1 - cos(pi*t/0.25)) if t < 0.25 else 1")
    assert history.factor(0.125) == pytest.approx(0.5)
    assert history.factor(1.0) == 1.0


@pytest.mark.parametrize("formula", ["open('x')", "t.__class__", "2 +", "y", "__import__('os')", "'a'"])
def test_a_formula_is_nothing_but_a_formula(formula: str) -> None:
    with pytest.raises(ModelError, match="no formula in t"):
        build(load_histories["expression"], {"formula": formula})


@pytest.mark.parametrize("formula", ["1/(t - 1)", "sqrt(-t)", "exp(1000*t)"])
def test_a_formula_without_value_says_when(formula: str) -> None:
    with pytest.raises(SolveError, match="t = 1"):
        build(load_histories["expression"], {"formula": formula}).factor(1.0)


def test_a_table_in_disorder_is_refused() -> None:
    with pytest.raises(ModelError, match=r"0\.5 follows 1"):
        build(load_histories["table"], {"points": [(0.0, 0.0), (1.0, 1.0), (0.5, 0.0)]})


def test_the_integral_of_a_formula_goes_on_from_what_is_known():
    """Each step of a run asks for a little more; at 10 s it took 30 000 evaluations, from zero at each call."""
    history, asked = load_histories["expression"](formula="sin(2*pi*5*t)**2"), []
    factor = type(history).factor

    class Counted(type(history)):
        def factor(self, time):
            asked.append(time)
            return factor(self, time)

    history = Counted(formula=history.formula)
    wanted = [0.5 * t - math.sin(20 * math.pi * t) / (40 * math.pi) for t in (10.0, 10.0005)]
    assert history.integral(10.0) == pytest.approx(wanted[0], abs=1e-10)
    asked.clear()
    assert history.integral(10.0005) == pytest.approx(wanted[1], abs=1e-10)
    assert len(asked) <= 63 and min(asked) >= 10.0
    asked.clear()
    history.integral(10.0005)
    assert not asked


@pytest.mark.parametrize("formula", ["1 if 7.2 < t < 7.2004 else 0", "max(0, 1 - abs(t - 7.2)/4e-4)"])
def test_a_short_event_is_not_overlooked(formula):
    """Even when somebody asks for its end at once; the area of both is 0.4 ms."""
    assert load_histories["expression"](formula=formula).integral(10.0) == pytest.approx(4e-4, rel=1e-9)


def test_a_short_smooth_event_is_seen_by_the_steps_of_a_run():
    history = load_histories["expression"](formula="exp(-((t - 7.2)/1e-3)**2)")
    found = [history.integral(float(t)) for t in np.arange(0.0, 10.0, 0.01)]
    assert found[-1] == pytest.approx(1e-3 * math.sqrt(math.pi), rel=1e-8)


def test_what_was_evaluated_makes_no_difference_to_what_was_decided():
    one, other = (load_histories["expression"](formula="2*t") for _ in range(2))
    one.integral(1.0)
    assert one == other and hash(one) == hash(other)
    assert one != load_histories["expression"](formula="3*t")
