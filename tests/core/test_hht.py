"""HHT: order, multipliers, step control. References: exact pendulum (independent), closed forms."""

import numpy as np
import pytest

from faying.errors import SolveError
from faying.progress import CancelFlag, Silent
from faying.solvers.integrators import (
    ContactForces,
    Forces,
    State,
    Unconstrained,
    consistent_start,
    interpolate,
)
from faying.solvers.integrators.hht import Hht
from faying.testing.pendulum import PENDULUM_MULTIPLIER, PENDULUM_Q, PENDULUM_V, Pendulum


class Oscillator(Unconstrained):
    """A chain of two masses without constraints: exact solution by modes."""

    n, scales = 2, np.ones(2)
    stiffness = np.array([[3.0, -1.0], [-1.0, 2.0]]) * 100.0

    def mass(self, q):
        return np.diag([2.0, 1.0])

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(-self.stiffness @ q, -self.stiffness if jacobian else None)


def run(system, start, end, **settings):
    states: list[State] = [start]
    report = Hht(**settings).integrate(system, start, end, lambda b, a: states.append(a), Silent())
    return states, report


def pendulum_start():
    return consistent_start(Pendulum(), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)


def test_consistent_start_of_a_moving_pendulum_has_the_centripetal_force():
    start = consistent_start(Pendulum(), 0.0, np.array([0.0, -1.0]), np.array([3.0, 0.0]), None)
    # C_qᵀ λ stands on the left side: λ = −(tension), tension = m (v²/L + g); here λ · q = −(…) ⇒ λ > 0 along q.
    assert start.multipliers[0] == pytest.approx(9.0 + 9.81, rel=1e-6)
    np.testing.assert_allclose(start.a, [0.0, 9.0], atol=1e-5)


def test_pendulum_converges_with_second_order():
    errors, multipliers = [], []
    for h in (1e-2, 5e-3, 2.5e-3):
        states, _ = run(
            Pendulum(), pendulum_start(), 1.0,
            alpha=-0.3, tolerance=1e-9, fixed_step=True, first_step=h, largest_step=h,
        )  # fmt: skip
        errors.append(np.linalg.norm(states[-1].q - PENDULUM_Q))
        multipliers.append(abs(states[-1].multipliers[0] - PENDULUM_MULTIPLIER))
        assert abs(states[-1].time - 1.0) < 1e-9
    assert errors == pytest.approx(
        [9.0e-4, 2.2e-4, 5.5e-5], rel=0.02
    )  # as measured; the orders below are what is known
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.05)
    assert np.log2(multipliers[0] / multipliers[1]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-6])
def test_step_control_follows_the_tolerance(tolerance):
    states, report = run(
        Pendulum(), pendulum_start(), 1.0, alpha=-0.3, tolerance=tolerance, first_step=1e-4, largest_step=0.1
    )
    q, v = interpolate(states[-2], states[-1], 1.0)
    error = np.linalg.norm(q - PENDULUM_Q)
    # A local error of order h³ held at the tolerance makes a global one of order h² ~ tolerance^(2/3).
    assert error < 8 * tolerance ** (2 / 3)
    assert np.linalg.norm(v - PENDULUM_V) < 30 * tolerance ** (2 / 3)
    assert report.rejected_by_error < 0.2 * report.steps
    assert report.jacobians < report.iterations / 2


def test_smaller_tolerance_gives_smaller_error():
    errors = []
    for tolerance in (1e-4, 1e-6):
        states, _ = run(
            Pendulum(), pendulum_start(), 1.0, tolerance=tolerance, first_step=1e-4, largest_step=0.1
        )
        errors.append(np.linalg.norm(interpolate(states[-2], states[-1], 1.0)[0] - PENDULUM_Q))
    assert errors[1] < errors[0] / 10


def test_linear_oscillator_against_its_modes():
    system = Oscillator()
    values, shapes = np.linalg.eig(np.linalg.solve(system.mass(None), system.stiffness))
    q0 = np.array([1.0, -0.5])
    amplitude = np.linalg.solve(shapes, q0)
    exact = shapes @ (amplitude * np.cos(np.sqrt(values) * 1.0))
    start = consistent_start(system, 0.0, q0, np.zeros(2), None)
    states, report = run(
        system, start, 1.0, alpha=-0.05, tolerance=1e-12, fixed_step=True, first_step=1e-4, largest_step=1e-4
    )
    np.testing.assert_allclose(states[-1].q, exact, atol=2e-4)
    assert report.jacobians == 1  # linear: one factorisation serves the whole run


def test_alpha_damps_and_never_feeds_energy():
    system = Oscillator()
    start = consistent_start(system, 0.0, np.array([1.0, 0.3]), np.zeros(2), None)

    def energy(s):
        return 0.5 * s.v @ system.mass(None) @ s.v + 0.5 * s.q @ system.stiffness @ s.q

    states, _ = run(system, start, 5.0, alpha=-0.3, tolerance=1e-9, fixed_step=True, largest_step=0.08)
    energies = np.array([energy(s) for s in states])
    assert energies[-1] < 0.9 * energies[0]
    assert energies.max() < 1.02 * energies[0]


def test_interpolation_is_exact_for_cubics():
    def at(t):
        return State(t, np.array([t**3 - t]), np.array([3 * t**2 - 1]), np.zeros(1), np.zeros(0), None)

    q, v = interpolate(at(0.5), at(2.0), 1.2)
    assert q[0] == pytest.approx(1.2**3 - 1.2)
    assert v[0] == pytest.approx(3 * 1.2**2 - 1)


def test_force_that_is_not_a_number_ends_with_a_sentence():
    class Broken(Oscillator):
        def forces(self, time, q, v, history, *, jacobian):
            value = np.nan if time > 0.01 else 0.0
            return Forces(np.full(2, value), np.zeros((2, 2)) if jacobian else None)

    start = consistent_start(Broken(), 0.0, np.ones(2), np.zeros(2), None)
    with pytest.raises(SolveError, match="time step became too small at t = 0"):
        run(Broken(), start, 1.0, first_step=1e-3, largest_step=1e-3)


def test_cancel_stops_within_a_step():
    flag = CancelFlag()
    start = consistent_start(Oscillator(), 0.0, np.ones(2), np.zeros(2), None)
    seen = []

    def accepted(before, after):
        seen.append(after.time)
        if len(seen) == 5:
            flag.cancel()

    with pytest.raises(Exception, match="Cancelled"):
        Hht(first_step=1e-4, largest_step=1e-4).integrate(Oscillator(), start, 1.0, accepted, flag)
    assert len(seen) == 5


class Bouncer(Unconstrained):
    """Two masses on a soft spring, the first above a stiff one-sided stop at q = 0."""

    n, scales = 2, np.ones(2)
    soft = np.array([[1.0, -1.0], [-1.0, 1.0]])

    def __init__(self, stop, load=0.0):
        self.stop, self.load = stop, np.array([0.0, load])

    def mass(self, q):
        return np.eye(2)

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(self.load - self.soft @ q, -self.soft)

    def contact(self, q, history, time_step, *, jacobian):
        closed = q[0] < 0
        force = np.array([-self.stop * q[0] if closed else 0.0, 0.0])
        return ContactForces(force, None, np.diag([-self.stop if closed else 0.0, 0.0]))

    def energy(self, s):
        stored = 0.5 * self.stop * min(s.q[0], 0.0) ** 2
        return 0.5 * s.v @ s.v + 0.5 * s.q @ self.soft @ s.q + stored - self.load @ s.q


@pytest.mark.parametrize("stop", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("step", [0.3, 0.03, 0.003])
def test_bouncing_on_a_stiff_stop_never_gains_energy(stop, step):
    """The period of contact is far below the step for the stiff stops: restitution must not exceed one."""
    system = Bouncer(stop)
    start = consistent_start(system, 0.0, np.array([1.0, 1.5]), np.array([-1.0, -1.0]), None)
    states, _ = run(
        system, start, 300 * step + 3.0, alpha=-0.3, tolerance=1e-6, fixed_step=True, largest_step=step
    )
    energies = np.array([system.energy(s) for s in states])
    assert energies.max() <= energies[0] * (1 + 0.05 * step)


def test_equilibrium_on_a_stiff_stop_stays_equilibrium():
    system = Bouncer(1e6, load=-2.0)
    rest = np.array([-2e-6, -2e-6 - 2.0])
    start = consistent_start(system, 0.0, rest, np.zeros(2), None)
    states, _ = run(system, start, 20.0, alpha=-0.3, tolerance=1e-9, fixed_step=True, largest_step=0.1)
    np.testing.assert_allclose(states[-1].q, rest, atol=1e-7)


def test_bounce_converges_to_the_closed_form():
    """A mass on a soft stop: half a period of contact, then free flight back at the speed it came with."""
    system = Bouncer(1e2)
    system.soft = np.zeros((2, 2))
    start = consistent_start(system, 0.0, np.array([0.5, 0.0]), np.array([-1.0, 0.0]), None)
    end = 0.5 + np.pi / 10.0 + 0.4
    states, _ = run(system, start, end, alpha=-0.05, tolerance=1e-9, fixed_step=True, largest_step=end / 4000)
    assert states[-1].v[0] == pytest.approx(1.0, abs=5e-3)
    assert states[-1].q[0] == pytest.approx(0.4, abs=2e-3)


# --- why a run gives up


class Slider(Unconstrained):
    """A mass that a force acts on from t = 0.1 on."""

    n, scales = 1, np.ones(1)

    def __init__(self, force):
        self.force = force

    def mass(self, q):
        return np.eye(1)

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(np.array([self.force if time > 0.1 else 0.0]))


class Flawed(Slider):
    """Its force is no number, once and long before."""

    flawed = True

    def forces(self, time, q, v, history, *, jacobian):
        if self.flawed and 0.02 < time < 0.05:
            self.flawed = False
            return Forces(np.array([np.nan]))
        return super().forces(time, q, v, history, jacobian=jacobian)


class Twice(Oscillator):
    """The same constraint twice, which nobody left out."""

    n_constraints = 2

    def constraints(self, time, q, history):
        rows = np.array([[1.0, 0.0], [1.0, 0.0]])
        return rows @ q, rows

    def constraint_rates(self, time):
        return np.zeros(2), np.zeros(2)


def refused(system, start, guided=False, **settings):
    """Return the error of a run until t = 1."""
    method = Hht(**{"first_step": 1e-3, "largest_step": 1e-2, **settings})
    with pytest.raises(SolveError, match="time step became too small") as caught:
        if guided:
            method.guided(system, start).to(1.0, lambda before, after: None)
        else:
            method.integrate(system, start, 1.0, lambda before, after: None, Silent())
    return caught.value


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("kind", [Slider, Flawed])
def test_a_run_that_gives_up_says_what_it_failed_by_there(kind, guided):
    """A force that jumps is more than error control can pass; what was wrong much earlier is no reason."""
    system = kind(1e9)
    start = consistent_start(system, 0.0, np.ones(1), np.zeros(1), None)
    error = refused(system, start, guided, tolerance=1e-15)
    assert "t = 0.1 [time]: the error of a step stays above the allowed one" in error.message
    assert "jumps at that time" in error.hint


def test_equations_without_a_unique_solution_are_told_as_such():
    start = State(0.0, np.array([0.0, 1.0]), np.zeros(2), np.array([100.0, -200.0]), np.zeros(2), None)
    error = refused(Twice(), start)
    assert error.message.endswith("the equations of a step have no unique solution.")
    assert "constraints away that follow from others" in error.hint


def test_parts_that_turn_too_fast_are_told():
    class Spinning(Slider):
        def fastest_spin(self, v):
            return 1e12

    start = consistent_start(Spinning(0.0), 0.0, np.ones(1), np.zeros(1), None)
    assert "turn or approach each other too fast" in refused(Spinning(0.0), start).message


def test_a_first_step_may_be_as_short_as_one_likes():
    start = consistent_start(Oscillator(), 0.0, np.ones(2), np.zeros(2), None)
    states, _ = run(Oscillator(), start, 0.01, first_step=1e-14, largest_step=1e-3)
    assert states[0].time < 1e-13 and states[-1].time >= 0.01


def test_steps_between_given_times_keep_to_their_limits():
    """A disk that spins up: many short exchanges do not keep the length of the first step for a long one later."""

    class Disk(Slider):
        def forces(self, time, q, v, history, *, jacobian):
            return Forces(np.array([1000.0]))

        def fastest_spin(self, v):
            return abs(float(v[0]))

    start = consistent_start(Disk(0.0), 0.0, np.zeros(1), np.ones(1), None)
    method = Hht(first_step=1e-2, largest_step=1.0, largest_rotation=0.1, tolerance=1e9)
    guided, turned = method.guided(Disk(0.0), start), []

    def accepted(before, after):
        turned.append(float(before.v[0]) * (after.time - before.time))

    for k in range(200):
        guided.to(1e-3 * (k + 1), accepted)
    guided.to(0.25, accepted)
    assert max(turned) < 0.1 * (1 + 1e-9)
