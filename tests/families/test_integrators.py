"""What every integrator promises: order, energy, bounces, equilibrium, trouble in sentences, cancelling.

References: closed forms of a pendulum, oscillators and bounces.
"""

import numpy as np
import pytest

from faying.errors import SolveError
from faying.progress import CancelFlag, Silent
from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import (
    ContactForces,
    Forces,
    State,
    Unconstrained,
    consistent_start,
    integrators,
)
from support.plain_pendulum import PENDULUM_MULTIPLIER, PENDULUM_Q, PENDULUM_V, Pendulum

ALL = sorted(integrators)


class Bouncer(Unconstrained):
    """A mass of one above a stiff stop at q = 0, and one more at the end of a soft spring."""

    n, scales = 2, np.ones(2)

    def __init__(self, stop, soft=1.0, load=0.0):
        self.stop, self.load = stop, np.array([0.0, load])
        self.soft = soft * np.array([[1.0, -1.0], [-1.0, 1.0]])

    def mass(self, q):
        return np.eye(2)

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(self.load - self.soft @ q, -self.soft)

    def contact(self, q, history, time_step, *, jacobian):
        stiffness = self.stop if q[0] < 0 else 0.0
        return ContactForces(np.array([-stiffness * q[0], 0.0]), None, np.diag([-stiffness, 0.0]))

    def energy(self, state):
        stored = 0.5 * self.stop * min(state.q[0], 0.0) ** 2 + 0.5 * state.q @ self.soft @ state.q
        return 0.5 * state.v @ state.v + stored - self.load @ state.q


def run(kind, system, start, end, **settings):
    """Return every accepted state and the report."""
    states: list[State] = [start]
    report = integrators[kind](**settings).integrate(
        system, start, end, lambda before, after: states.append(after), Silent()
    )
    return states, report


def fixed(step, **more):
    return {"tolerance": 1e-9, "fixed_step": True, "largest_step": step, "first_step": step} | more


@pytest.mark.parametrize(
    ("kind", "settings", "order"),
    [
        ("hht", {"alpha": -0.1}, 2),
        ("generalized_alpha", {"spectral_radius": 0.8}, 2),
        ("generalized_alpha", {"spectral_radius": 0.0}, 2),
        ("bdf", {"order": 2}, 2),
        ("bdf", {"order": 1}, 1),
    ],
)
def test_pendulum_converges_with_the_order_of_the_scheme(kind, settings, order):
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        start = consistent_start(Pendulum(), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)
        states, _ = run(kind, Pendulum(), start, 1.0, **fixed(step, **settings))
        last = states[-1]
        assert last.time == pytest.approx(1.0, abs=1e-9)
        errors.append(
            [
                np.linalg.norm(last.q - PENDULUM_Q),
                np.linalg.norm(last.v - PENDULUM_V),
                abs(last.multipliers[0] - PENDULUM_MULTIPLIER),
            ]
        )
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders[:, :2], order, atol=0.12)
    assert orders[-1, 2] == pytest.approx(order, abs=0.3)  # multipliers


@pytest.mark.parametrize("kind", ALL)
def test_every_member_follows_its_tolerance(kind):
    errors, steps = [], []
    for tolerance in (1e-4, 1e-6):
        start = consistent_start(Pendulum(), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)
        states, report = run(
            kind, Pendulum(), start, 1.0, tolerance=tolerance, first_step=1e-4, largest_step=0.1
        )
        lengths = [np.linalg.norm(state.q) - 1.0 for state in states]
        assert np.abs(lengths).max() < 1e-2 * tolerance  # the constraint
        energies = [0.5 * state.v @ state.v + 9.81 * state.q[1] for state in states]
        errors.append(abs(energies[-1] - energies[0]))
        steps.append(report.steps)
        assert report.rejected_by_error < 0.25 * report.steps + 5
    assert steps[1] > 2 * steps[0]
    assert errors[1] < 0.2 * errors[0]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("stop", [1e2, 1e5, 1e8])
@pytest.mark.parametrize("step", [0.3, 0.03])
def test_bouncing_never_gains_energy(kind, stop, step):
    system = Bouncer(stop)
    start = consistent_start(system, 0.0, np.array([1.0, 1.5]), np.array([-1.0, -1.0]), None)
    states, _ = run(kind, system, start, 100 * step + 3.0, **fixed(step, tolerance=1e-6))
    energies = np.array([system.energy(state) for state in states])
    assert energies.max() <= energies[0] * (1 + 0.05 * step)


@pytest.mark.parametrize("kind", ALL)
def test_bounces_on_a_soft_stop_converge_to_the_closed_form(kind):
    """Half a period of contact, then free flight back at the speed it came with."""
    system = Bouncer(1e2, soft=0.0)
    end = 0.5 + np.pi / 10.0 + 0.4
    losses = []
    for steps in (1000, 4000):
        start = consistent_start(system, 0.0, np.array([0.5, 0.0]), np.array([-1.0, 0.0]), None)
        states, _ = run(kind, system, start, end, **fixed(end / steps))
        losses.append(1.0 - states[-1].v[0])
    assert abs(losses[0]) < 2e-2
    assert abs(losses[1]) < 0.4 * abs(losses[0]) + 1e-4


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("stop", [1e3, 1e6])
def test_equilibrium_stays_equilibrium(kind, stop):
    system = Bouncer(stop, load=-2.0)
    rest = np.array([-2.0 / stop, -2.0 / stop - 2.0])
    start = consistent_start(system, 0.0, rest, np.zeros(2), None)
    states, _ = run(kind, system, start, 10.0, **fixed(0.1))
    np.testing.assert_allclose(states[-1].q, rest, atol=1e-7)


@pytest.mark.parametrize("kind", ALL)
def test_a_force_that_is_not_a_number_is_told_with_its_time_and_what_was_reached_is_kept(kind):
    class Broken(Bouncer):
        def forces(self, time, q, v, history, *, jacobian):
            return Forces(np.full(2, np.nan if time > 0.01 else 0.0), np.zeros((2, 2)))

        def diagnose(self, time, q, v, history, change):
            return StepDiagnosis("force 'gust' is not a number")

    system = Broken(0.0)
    start = consistent_start(system, 0.0, np.ones(2), np.zeros(2), None)
    seen = []
    with pytest.raises(SolveError, match=r"t = 0\.01.*not numbers; force 'gust'") as caught:
        integrators[kind](first_step=1e-3, largest_step=1e-3).integrate(
            system, start, 1.0, lambda before, after: seen.append(after.time), Silent()
        )
    assert "expressions" in str(caught.value.hint)
    assert seen[-1] == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("kind", ALL)
def test_cancel_ends_within_a_step(kind):
    flag, seen = CancelFlag(), []

    def accepted(before, after):
        seen.append(after.time)
        if len(seen) == 5:
            flag.cancel()

    system = Bouncer(0.0)
    start = consistent_start(system, 0.0, np.ones(2), np.zeros(2), None)
    with pytest.raises(Exception, match="Cancelled"):
        integrators[kind](first_step=1e-4, largest_step=1e-4).integrate(system, start, 1.0, accepted, flag)
    assert len(seen) == 5


@pytest.mark.parametrize("kind", ALL)
def test_the_report_accounts_for_the_time(kind):
    start = consistent_start(Pendulum(), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)
    _, report = run(kind, Pendulum(), start, 0.5, tolerance=1e-5, first_step=1e-4, largest_step=0.01)
    assert {"forces", "constraints", "Jacobians", "output"} <= set(report.seconds)
    assert all(seconds >= 0.0 for seconds in report.seconds.values())
    assert report.summary()["steps"] == report.steps > 0
    assert report.jacobians < report.iterations
