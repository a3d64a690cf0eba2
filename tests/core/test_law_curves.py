"""Curves of laws and laws matched to one another, for every member of both families."""

import math

import numpy as np
import pytest

from faying.errors import ModelError
from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws.coulomb import Coulomb
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
from faying.joints.law_plots import PlotUnits, hysteresis_plot, pressure_plot, usually

# The point of figure 4.31 of the thesis, in millimetres and N/mm².
GAP, PRESSURE = -0.0025, 1.0


def made(kind):
    """Return a law with its defaults; None for one that needs to be told something first."""
    try:
        return kind()
    except (ModelError, ValueError):
        return None


CONTACT = {kind: law for kind, cls in contact_laws.items() if (law := made(cls)) is not None}
FRICTION = {kind: usually(law) for kind, cls in friction_laws.items() if (law := made(cls)) is not None}


def test_gaps_hold_the_ends_and_zero():
    gaps = gaps_of(GapRange(penetration=0.005, opening=0.001))
    assert gaps[0] == -0.005
    assert gaps[-1] == 0.001
    assert 0.0 in gaps
    assert np.all(np.diff(gaps) > 0.0)


def test_a_linear_law_is_matched_exactly():
    law = matched(LinearPenalty(), lambda one: pressure_at(one, GAP), PRESSURE)
    assert law.stiffness == pytest.approx(400.0, rel=1e-12)  # table 4.6 (A)


@pytest.mark.parametrize("kind", CONTACT)
def test_every_contact_law_meets_the_point(kind):
    law = CONTACT[kind]
    if not scalable_parameters(law):
        pytest.skip("nothing to scale")
    found = matched(law, lambda one: pressure_at(one, GAP), PRESSURE)
    assert pressure_at(found, GAP) == pytest.approx(PRESSURE, rel=1e-9)
    assert type(found) is type(law)


def test_matching_changes_the_chosen_parameter_alone():
    law = Coulomb(sticking_stiffness=1e4)
    drive = SlipCycles(amplitude=0.01, pressure=10.0)
    target = 0.5 * hysteresis_loop(law, drive).work
    found = matched(law, lambda one: hysteresis_loop(one, drive).work, target, "friction_coefficient")
    assert hysteresis_loop(found, drive).work == pytest.approx(target, rel=1e-9)
    assert found.with_(friction_coefficient=law.friction_coefficient) == law
    # The same work is also lost with so much friction that hardly anything slips; the nearer one is meant.
    assert found.friction_coefficient < law.friction_coefficient


@pytest.mark.parametrize(
    ("roots", "nearest"),
    [
        ((0.6, 1.4), 0.6),
        ((-1.4, -0.6), -0.6),
        ((-0.5, 1.5), -0.5),
        ((-1.5, 0.5), 0.5),
        ((2.5, 3.5), 2.5),
        ((-3.5, -2.5), -2.5),
    ],
)
def test_the_nearest_of_two_values_is_found(roots, nearest):
    """The target is met at two powers of two, on one side of the start or on both."""

    def measure(law):
        power = math.log2(law.stiffness)
        return math.exp((power - roots[0]) * (power - roots[1]))

    found = matched(LinearPenalty(stiffness=1.0), measure, 1.0)
    assert math.log2(found.stiffness) == pytest.approx(nearest, abs=1e-9)


@pytest.mark.parametrize(("start", "beyond"), [(1.0, 8.0), (64.0, 8.0)])
def test_where_there_is_no_end_is_above_the_target_and_nothing_below(start, beyond):
    """From below and from above: the search does not stop at a value that is infinite, nor at zero."""

    def measure(law):
        return 0.0 if law.stiffness < 0.5 else math.inf if law.stiffness > beyond else law.stiffness

    found = matched(LinearPenalty(stiffness=start), measure, 3.0)
    assert found.stiffness == pytest.approx(3.0)


def test_an_amplitude_that_tells_is_five_times_the_slip_that_ends_sticking():
    law = Coulomb(friction_coefficient=0.15, sticking_stiffness=1000.0, sliding_stiffness=0.0)
    assert telling_amplitude(law, 10.0) == pytest.approx(5.0 * 0.15 * 10.0 / 1000.0)
    assert telling_amplitude(law, 0.0) is None
    assert telling_amplitude(law, 1e9) == pytest.approx(5.0 * 0.15 * 1e9 / 1000.0)


def test_bounds_of_a_parameter_end_the_search():
    """Sliding has to be softer than sticking: sticking cannot be scaled below, and the sentence says so."""
    law = Coulomb(sticking_stiffness=1000.0, sliding_stiffness=999.0)
    drive = SlipCycles(amplitude=1e-4, pressure=10.0)
    with pytest.raises(ModelError, match="sticking stiffness"):
        matched(law, lambda one: hysteresis_loop(one, drive).work, 1e6, "sticking_stiffness")


def test_a_target_of_nothing_is_refused():
    with pytest.raises(ModelError, match="above zero"):
        matched(LinearPenalty(), lambda one: pressure_at(one, GAP), 0.0)
    with pytest.raises(ModelError, match="contact stiffness"):
        matched(LinearPenalty(), lambda one: pressure_at(one, 0.001), 1.0)


def test_work_of_the_jenkins_element():
    """4 R (A − R/c₁) per cycle; c₂ stores and gives back. Parameters of the single element, case Coulomb."""
    law = Coulomb(friction_coefficient=0.15, sticking_stiffness=1000.0, sliding_stiffness=50.0)
    loop = hysteresis_loop(law, SlipCycles(amplitude=5e-4, pressure=1.0))
    assert loop.work == pytest.approx(2.0526316e-4, rel=2e-3)
    assert np.abs(loop.stress).max() == pytest.approx(0.15 + 50.0 * 5e-4, rel=1e-9)
    sticking = hysteresis_loop(law, SlipCycles(amplitude=1e-4, pressure=1.0))
    assert sticking.work == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("kind", FRICTION)
def test_a_loop_closes_and_loses_energy(kind):
    law = FRICTION[kind]
    amplitude = telling_amplitude(law, 10.0) or 0.01
    drive = SlipCycles(amplitude=amplitude, pressure=10.0, cycles=3)
    loop = hysteresis_loop(law, drive)
    assert np.all(np.isfinite(loop.stress))
    assert loop.work >= -1e-9 * np.abs(loop.stress).max() * amplitude
    # The last cycle ends where it began.
    assert loop.stress[-1] == pytest.approx(
        loop.stress[-1 - loop.steps], abs=0.02 * np.abs(loop.stress).max()
    )


def test_plots_speak_in_their_units():
    units = PlotUnits("mm-t-s")
    law = LinearPenalty(stiffness=400.0)
    plot = pressure_plot([("A", law)], GapRange(penetration=0.005), units, (GAP, PRESSURE))
    assert plot.x.label == "Gap [µm]"
    assert plot.y.label == "Pressure [MPa]"
    assert plot.mark == pytest.approx((-2.5, 1.0))
    assert plot.series[0].x.min() == pytest.approx(-5.0)
    assert plot.series[0].y.max() == pytest.approx(2.0)
    # The same law, counted in metres.
    si = PlotUnits("m-kg-s", length="mm", stress="kPa")
    again = pressure_plot([("A", LinearPenalty(stiffness=400e9))], GapRange(penetration=5e-6), si)
    assert again.series[0].x.min() == pytest.approx(-0.005)
    assert again.series[0].y.max() == pytest.approx(2000.0)


def test_one_steep_law_does_not_flatten_the_others():
    laws = [("a", LinearPenalty(stiffness=400.0)), ("b", LinearPenalty(stiffness=500.0)),
            ("steep", LinearPenalty(stiffness=4e6))]  # fmt: skip
    plot = pressure_plot(laws, GapRange(penetration=0.005), PlotUnits("mm-t-s"))
    assert plot.y.limits is not None
    assert plot.y.limits[1] < 10.0


def test_the_name_of_a_loop_tells_its_work():
    law = Coulomb(friction_coefficient=0.15, sticking_stiffness=1000.0, sliding_stiffness=50.0)
    loop = hysteresis_loop(law, SlipCycles(amplitude=5e-4, pressure=1.0))
    plot = hysteresis_plot([("Coulomb", loop)], PlotUnits("mm-t-s"))
    # 2.05e-4 N/mm are 0.205 J/m².
    assert plot.series[0].name.startswith("Coulomb: 0.205")
