"""What a step says of its own error, and when its iteration ends. References: local errors in closed form, units."""

from dataclasses import replace

import numpy as np
import pytest

from faying.progress import Silent
from faying.solvers.integrators import (
    Forces,
    State,
    Unconstrained,
    consistent_start,
    integrators,
)
from faying.solvers.integrators._newton import Accuracy, Solved, solve_step
from faying.solvers.integrators._step import Method, begin, contact_inertia, correct, predict, step_error
from faying.solvers.integrators.bdf import BdfScheme, LastStep
from faying.solvers.integrators.generalized_alpha import GeneralizedAlpha
from faying.solvers.integrators.hht import Hht
from faying.testing.pendulum import Pendulum
from support.stops import stopped


def _state(time, q, v, a):
    return State(time, *(np.array([x]) for x in (q, v, a)), np.zeros(0), None)


@pytest.mark.parametrize(
    ("integrator", "shift"),
    [(Hht(alpha=alpha), alpha) for alpha in (-1.0 / 3.0, -0.3, -0.05, 0.0)]
    + [(GeneralizedAlpha(spectral_radius=rho), (rho - 1.0) / (rho + 1.0)) for rho in (0.0, 0.6, 1.0)],
)
def test_the_error_of_a_newmark_step_is_estimated_exactly_where_the_jerk_is_constant(integrator, shift):
    """q = t³/6. In the long run the scheme's own acceleration is that at t + (αₘ − α_f) h."""
    scheme, h = integrator.scheme(), 0.3
    before = _state(7.0, 0.0, 0.0, shift * h)
    rule = scheme.rule(np.zeros(1), before, h)
    a = (h - rule.rest) / rule.weight  # so that q̈₁ = h
    q, v = rule.free_q + rule.by_q * a, rule.free_v + rule.by_v * a
    assert v[0] == pytest.approx(h**2 / 2.0, rel=1e-12)
    after = _state(7.0 + h, q[0], v[0], a[0])
    assert scheme.with_step(np.zeros(1), rule, before, after, np.zeros(1))[0] == pytest.approx(h)
    assert scheme.error(np.zeros(1), before, after)[0] == pytest.approx(q[0] - h**3 / 6.0, rel=1e-12)


@pytest.mark.parametrize("last", [0.2, 0.3, 0.5])
def test_the_error_of_backward_differences_is_estimated_exactly(last):
    """Of order 2 for q = t³/6, whatever the step before was; of order 1 for q = t²/2."""
    h, scheme = 0.3, BdfScheme(2)
    before, past = (
        _state(7.0, 0.0, 0.0, 0.0),
        LastStep(last, np.array([last**3 / 6]), np.array([-(last**2) / 2])),
    )
    rule = scheme.rule(past, before, h)
    after = _state(7.0 + h, (rule.free_q + rule.by_q * h)[0], (rule.free_v + rule.by_v * h)[0], h)
    assert after.v[0] == pytest.approx(h**2 / 2.0, rel=1e-12)
    assert scheme.error(past, before, after)[0] == pytest.approx(after.q[0] - h**3 / 6.0, rel=1e-12)

    first = BdfScheme(1)
    before = _state(7.0, 0.0, 0.0, 1.0)
    rule = first.rule(first.beginning(before), before, h)
    after = _state(7.0 + h, (rule.free_q + rule.by_q)[0], (rule.free_v + rule.by_v)[0], 1.0)
    assert after.v[0] == pytest.approx(h)
    assert first.error(first.beginning(before), before, after)[0] == pytest.approx(after.q[0] - h**2 / 2.0)


@pytest.mark.parametrize("last", [0.0, 0.2, 0.3, 0.5])
@pytest.mark.parametrize("order", [1, 2])
def test_backward_differences_keep_a_body_at_rest_on_what_holds_it(order, last):
    """Weight −1 and contact +1: the changes of smooth motion that are carried along cancel what contact brings."""
    h, scheme = 0.3, BdfScheme(order)
    before, past = _state(7.0, 0.0, 0.0, -1.0), scheme.beginning(_state(7.0, 0.0, 0.0, -1.0))
    resting = replace(before, contact_a=np.ones(1))
    if last:
        rule = scheme.rule(past, resting, last)
        past = scheme.with_step(past, rule, resting, resting, np.zeros(1))
    rule = scheme.rule(past, resting, h)
    a = -1.0 + rule.share
    assert (rule.free_q + rule.by_q * a)[0] == pytest.approx(0.0, abs=1e-15)
    assert (rule.free_v + rule.by_v * a + rule.contact_speed)[0] == pytest.approx(0.0, abs=1e-15)


class Stop(Unconstrained):
    """Two masses on a soft spring with a damper, the first one against a one-sided stop at q = 0.

    Args:
        unit: of time: as many count as one second.
        told: whether it tells which pair is closed.
    """

    n, scales = 2, np.ones(2)

    def __init__(self, stop, spring=0.0, damper=0.0, unit=1.0, told=True):
        pattern = np.array([[1.0, -1.0], [-1.0, 1.0]])
        self.stop, self.told, self._mass = stop / unit**2, told, np.eye(2)
        self.spring, self.damper = spring / unit**2 * pattern, damper / unit * pattern

    def mass(self, q):
        return self._mass

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(-self.spring @ q - self.damper @ v, -self.spring, -self.damper)

    def contact(self, q, history, time_step, *, jacobian, before=None):
        return stopped(q[0], np.eye(2)[0], self.stop, before, told=self.told)


@pytest.mark.parametrize(
    ("integrator", "shift"),
    [(Hht(alpha=-0.3), -0.3), (Hht(alpha=-0.05), -0.05), (GeneralizedAlpha(spectral_radius=0.6), -0.25)],
)
@pytest.mark.parametrize("place", [-1.0, 0.0])
def test_the_error_by_contact_is_estimated_to_leading_order(integrator, shift, place):
    """A mass moves into a stop, closed all along the step, or touching at its start. Closed form: a vibration.

    The scheme's own acceleration lags by (αₘ − α_f) h, as in a long run.
    """
    stop, h = 1e-2, 0.1
    system = Stop(stop)
    start = consistent_start(system, 0.0, np.array([place, 0.0]), np.array([-1.0, 0.0]), None)
    method = Method(system, integrator.scheme(), Accuracy.of(system, 1e-9, 15), h, 1.0, True)
    if place < 0.0:
        start = replace(start, a=np.array([shift * h * stop, 0.0]))
    carried, inertia = begin(method, start, h), contact_inertia(system, 0.0, start.q, None)
    carried = replace(carried, past=np.zeros(2))
    prediction = predict(method, carried, inertia)
    solved = solve_step(prediction.equations, prediction.guess, carried.matrices, method.accuracy)
    assert isinstance(solved, Solved)
    assert bool(solved.equations.continued.before[0].lasting[0]) == (place < 0.0)
    end, omega = correct(solved), np.sqrt(stop)
    exact = place * np.cos(omega * h) - np.sin(omega * h) / omega
    found = step_error(method.scheme, carried.past, solved, end)
    assert found[0] == pytest.approx(end.state.q[0] - exact, rel=2e-2)
    assert found[1] == 0.0


def test_what_is_out_of_balance_counts_by_how_far_it_moves_the_system_within_the_step():
    """A force of 3 on a mass of one for h = 0.1: h² f, over the weight of the acceleration."""
    system, h = Stop(1.0), 0.1
    start = consistent_start(system, 0.0, np.array([-1.0, 0.0]), np.zeros(2), None)
    inertia = contact_inertia(system, 0.0, start.q, None)
    for integrator, weight in ((Hht(alpha=-0.2), 1.0 / 0.8), (integrators["bdf"](), 1.0)):
        method = Method(system, integrator.scheme(), Accuracy.of(system, 1e-9, 15), h, 1.0, True)
        equations = predict(method, begin(method, start, h), inertia).equations
        np.testing.assert_allclose(equations.drift(np.array([3.0, 0.0])), [0.03 / weight, 0.0], rtol=1e-12)


@pytest.mark.parametrize("kind", sorted(integrators))
@pytest.mark.parametrize("told", [True, False])
def test_the_unit_of_time_changes_nothing(kind, told):
    """Seconds or 1024ths of them: the same steps, the same corrections, the same places to the last digit.

    So all that is compared with a length is one: a correction of an acceleration times h², never times h.
    """
    found = []
    for unit in (1.0, 1024.0):
        system = Stop(1e4, 3.0, 0.1, unit, told)
        start = consistent_start(system, 0.0, np.array([0.1, 0.5]), np.array([-1.0, -1.0]) / unit, None)
        states = [start]
        integrator = integrators[kind](tolerance=1e-5, first_step=1e-4 * unit, largest_step=0.05 * unit)
        report = integrator.integrate(system, start, unit, lambda b, a, to=states: to.append(a), Silent())
        counts = report.steps, report.iterations, report.jacobians, report.rejected_by_error
        found.append((counts, [s.time / unit for s in states], np.array([s.q for s in states])))
    (counts, times, places), (other_counts, other_times, other_places) = found
    assert other_counts == counts and counts[0] > 20
    assert other_times == times
    np.testing.assert_array_equal(other_places, places)


def test_a_constraint_counts_alike_in_every_unit_of_time():
    """The same for a pendulum, whose multiplier is a force."""
    found = []
    for unit in (1.0, 1024.0):
        start = consistent_start(_Slowed(unit), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)
        states = [start]
        integrator = Hht(alpha=-0.05, tolerance=1e-5, first_step=1e-4 * unit, largest_step=0.1 * unit)
        report = integrator.integrate(
            _Slowed(unit), start, unit, lambda b, a, to=states: to.append(a), Silent()
        )
        found.append((report.steps, report.iterations, states[-1].q.tolist()))
    assert found[0] == found[1]


class _Slowed(Pendulum):
    def __init__(self, unit):
        self._weight = np.array([0.0, -9.81]) / unit**2

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(self._weight)
