"""Which bolt is nearest to each limit, and whether it holds."""

import math

import pytest

from faying.results.bolt_table import BoltRow
from faying.results.bolt_verdicts import bolt_results


def row(name, **known):
    return BoltRow(name, 16500.0, 16400.0, 17000.0, 10.0, 5.0, **known)


def test_the_weakest_bolt_of_each_limit_is_told_with_a_verdict():
    rows = (
        row("left", separation_reserve=0.8, gaping=0.0, slip_reserve=1.1, proof=1.9, fatigue=1.1),
        row("bolt 2", separation_reserve=0.3, gaping=0.25, slip_reserve=math.inf, proof=0.9, fatigue=3.0),
    )
    found = {number.title: number for number in bolt_results(rows)}
    clamp = found["Least clamp load left"]
    assert (clamp.where, clamp.verdict, clamp.text("mm-t-s")) == ("bolt 2", "acceptable", "30 %")
    assert clamp.why == "25 % of its clamped area gapes"
    slip = found["Least reserve against slip"]
    assert (slip.where, slip.verdict) == ("bolt left", "acceptable") and "VDI 2230" in slip.why
    assert found["Least safety against proof load"].verdict == "doubtful"
    assert found["Least safety against fatigue"].verdict == "acceptable"
    assert "Least safety against yielding of a bolt" not in found  # without a strength class nobody knows


@pytest.mark.parametrize(
    ("known", "verdict"),
    [
        ({"separation_reserve": 0.0, "gaping": 1.0}, "doubtful"),
        ({"separation_reserve": 0.9, "gaping": 0.0}, "good"),
        ({"slip_reserve": 1.0}, "doubtful"),
        ({"slip_reserve": 1.3}, "good"),
    ],
)
def test_a_joint_that_opens_or_slips_does_not_hold(known, verdict):
    (found,) = bolt_results((row("M8", **known),))
    assert found.verdict == verdict


def test_bolts_that_nothing_threatens_have_no_verdict():
    assert bolt_results((row("M8", slip_reserve=math.inf),)) == ()
