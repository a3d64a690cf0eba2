"""Contract of the load histories: finite, integral and rates belong to the factor, plain words and back."""

import math
from time import process_time

import numpy as np
import pytest

from faying.errors import ModelError, SolveError
from faying.load_histories import load_histories
from faying.multibody.constraints import constraints
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


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("sin()", r"sin takes 1 argument, and is given 0"), ("min(1)", r"min takes 2 or more arguments, .* 1"),
        ("atan2(t)", r"atan2 takes 2 arguments, .* 1"), ("floor(1, 2)", r"floor takes 1 argument, .* 2"),
        ("log(t + 1, 2, 3)", r"log takes 1 or 2 arguments, .* 3"), ("y if t > 1 else 0", r"'y' is not known here"),
        ("sin(1, 2) if t > 1 else 0", r"sin takes 1 argument"), ("sin + t", r"sin is a function"),
        ("t(2)", r"t is no function"),
    ],
)  # fmt: skip
def test_a_formula_that_can_never_be_evaluated_is_refused_at_once(formula: str, words: str) -> None:
    """It was accepted, and failed in the run."""
    with pytest.raises(ModelError, match=words):
        build(load_histories["expression"], {"formula": formula})


def test_functions_take_the_arguments_that_they_have() -> None:
    history = load_histories["expression"](
        formula="log(8, 2) + log(e) + hypot(3, 4) + max(1, 2, 3) + atan2(0, 1) + min(0, t)"
    )
    assert history.factor(1.0) == pytest.approx(3.0 + 1.0 + 5.0 + 3.0)


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


@pytest.mark.parametrize("time", [0.0, 1.0, 10.0, 100.0])
def test_a_drive_follows_its_history_late_in_a_run(time):
    """Steps of differences that grew with the time passed over whole periods: no speed was left at 100 s."""
    omega = 2.0 * math.pi * 100.0
    for kind, name in (("prescribed_displacement", "amplitude"), ("prescribed_speed", "speed")):
        words = {"name": "it", "first": "ground.origin", "second": "bar.left", name: 3.0}
        drive = build(constraints[kind], words | {"time_history": {"kind": "harmonic", "frequency": 100.0}})
        speed, change = drive.rates(time)
        if kind == "prescribed_speed":
            assert change == pytest.approx(-3.0 * omega)
        else:
            assert speed == pytest.approx(-3.0 * omega) and abs(change) < 1e-9 * omega**2


@pytest.mark.parametrize(
    ("kind", "words", "time", "wanted"),
    [
        ("haversine", {"rise_time": 0.5}, 0.0, (0.0, 0.5 * (math.pi / 0.5) ** 2)),
        ("haversine", {"rise_time": 0.5}, 0.5, (0.0, 0.0)),
        ("haversine", {"rise_time": 0.5}, -0.1, (0.0, 0.0)),
        ("pulse", {"start": 1.0, "length": 0.5}, 1.0, (0.0, 0.5 * (math.pi / 0.25) ** 2)),
        ("pulse", {"start": 1.0, "length": 0.5}, 1.5, (0.0, 0.0)),
        ("table", {"points": [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]}, 1.0, (-1.0, 0.0)),
        ("table", {"points": [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]}, 0.0, (2.0, 0.0)),
        ("table", {"points": [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]}, 2.0, (0.0, 0.0)),
        ("table", {"points": [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]}, -1.0, (0.0, 0.0)),
        ("table", {"points": [(0.0, 3.0)]}, 0.0, (0.0, 0.0)),
    ],
)
def test_rates_at_a_corner_are_those_to_its_right(kind, words, time, wanted):
    assert build(load_histories[kind], words).rates(time) == pytest.approx(wanted)


def test_a_formula_without_values_after_the_run_has_rates_to_the_left():
    history = load_histories["expression"](formula="asin(t) if t <= 0.5 else log(-t)")
    assert history.rates(0.5) == pytest.approx((1.0 / math.sqrt(0.75), 0.5 / 0.75**1.5), rel=1e-4)


def test_the_rate_of_an_input_is_the_slope_of_its_last_piece():
    history = load_histories["input"](value=3.0)
    assert history.rates(0.0) == (0.0, 0.0)
    for time, value in ((0.0, 0.0), (1.0, 2.0), (3.0, 0.0)):
        history.reach(time, value)
        if time:
            assert history.rates(time) == ({1.0: 2.0, 3.0: -1.0}[time], 0.0)
    assert [history.rates(time)[0] for time in (-1.0, 0.0, 1.0, 4.0)] == [0.0, 2.0, -1.0, 0.0]


def test_the_integral_of_a_table_before_time_zero():
    """By hand: the triangle to the left of zero, and nothing before it."""
    history = load_histories["table"](points=((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0)))
    assert [history.integral(t) for t in (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)] == pytest.approx(
        [-0.5, -0.5, -0.375, 0.0, 0.375, 0.5, 0.5]
    )
    assert load_histories["table"](points=((1.0, 2.0),)).integral(-3.0) == pytest.approx(-6.0)


def test_a_table_of_many_points_is_integrated_at_once():
    """Each call asked for the factor at every point, which went through all points: seconds for 10 000."""
    asked = []

    class Counted(load_histories["table"]):
        def factor(self, time):
            asked.append(time)
            return super().factor(time)

    times = np.linspace(0.0, 1.0, 10_001)
    history = Counted(points=tuple(zip(times.tolist(), np.sin(times).tolist(), strict=True)))
    assert history.integral(0.01) == pytest.approx(1.0 - math.cos(0.01), abs=1e-8)
    assert len(asked) <= 2
    assert history.integral(0.9) == pytest.approx(1.0 - math.cos(0.9), abs=1e-8)


@pytest.mark.parametrize(
    "formula",
    [
        "1 if t > 3**3999999 % 7**3999999 * 3**3999999 * 7**3999999 else 0",
        "max(" + ",".join(f"{k}*t-{k * k}" for k in range(90)) + ")",
        " + ".join(f"max({','.join('t' * 90)})" for _ in range(10)),
    ],
)
def test_no_formula_takes_long_to_find_where_it_switches(formula: str) -> None:
    """Whole numbers grew without end there, for 7 s of 70 letters, and no cancel was heard."""
    history = load_histories["expression"](formula=formula)
    began = process_time()
    breaks = history.breaks()
    assert process_time() - began < 2.0
    assert len(breaks) < 90


def test_a_maximum_of_lines_has_the_corners_of_their_envelope() -> None:
    """k t - k²: neighbours meet at 2 k + 1; all other meetings are below."""
    lines = ",".join(f"{k}*t-{k * k}" for k in range(6))
    assert load_histories["expression"](formula=f"max({lines})").breaks() == pytest.approx((1, 3, 5, 7, 9))
    falling = lines.replace("*t", "*(-t)").replace("-", "+").replace("(+t)", "(-t)")
    assert load_histories["expression"](formula=f"min({falling})").breaks() == pytest.approx((1, 3, 5, 7, 9))
    assert load_histories["expression"](formula="max(t, 2 - t, 100)").breaks() == pytest.approx((-98, 100))
    assert load_histories["expression"](
        formula="1 if 0.1 < t < 0.3 else abs(t - 2)"
    ).breaks() == pytest.approx((0.1, 0.3, 2.0))
    assert load_histories["expression"](formula="max(sin(t), sin(t) + t - 1)").breaks() == pytest.approx(
        (1.0,)
    )
