"""Contract of time integrators: energy, bounces, equilibrium, diagnosis in sentences, cancelling.

References: closed forms of a pendulum and of bounces.
"""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import Cancelled, SolveError
from faying.progress import CancelFlag, Silent
from faying.solvers.diagnosis import StepDiagnosis
from faying.solvers.integrators import (
    Before,
    ContactForces,
    Forces,
    Integrator,
    RunReport,
    State,
    Unconstrained,
    consistent_start,
    integrators,
)
from faying.testing.contracts.members import MemberContract
from faying.testing.pendulum import Pendulum


class Bouncer(Unconstrained):
    """A unit mass above a stiff stop at q = 0, and another one at the end of a soft spring."""

    n, scales = 2, np.ones(2)

    def __init__(self, stop: float, soft: float = 1.0, load: float = 0.0) -> None:
        self.stop, self.load = stop, np.array([0.0, load])
        self.soft = soft * np.array([[1.0, -1.0], [-1.0, 1.0]])

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return (2, 2) the unit matrix."""
        return np.eye(2)

    def forces(self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool) -> Forces:
        return Forces(self.load - self.soft @ q, -self.soft)

    def contact(
        self,
        q: np.ndarray,
        history: Any,
        time_step: float,
        *,
        jacobian: bool,
        before: Before | None = None,
        last: Any = None,
    ) -> ContactForces:
        stiffness = self.stop if q[0] < 0 else 0.0
        return ContactForces(np.array([-stiffness * q[0], 0.0]), None, np.diag([-stiffness, 0.0]))

    def energy(self, state: State) -> float:
        stored = 0.5 * self.stop * min(state.q[0], 0.0) ** 2 + 0.5 * state.q @ self.soft @ state.q
        return float(0.5 * state.v @ state.v + stored - self.load @ state.q)


class _Broken(Bouncer):
    """A system whose force becomes NaN after some time."""

    def forces(self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool) -> Forces:
        return Forces(np.full(2, np.nan if time > 0.01 else 0.0), np.zeros((2, 2)))

    def diagnose(
        self, time: float, q: np.ndarray, v: np.ndarray, history: Any, change: np.ndarray
    ) -> StepDiagnosis:
        return StepDiagnosis("force 'gust' is not a number")


def integrated(
    integrator: Integrator, system: Any, start: State, end: float
) -> tuple[list[State], RunReport]:
    """Return every accepted state, the start first, and the report."""
    states: list[State] = [start]
    report = integrator.integrate(system, start, end, lambda before, after: states.append(after), Silent())
    return states, report


def fixed_steps(step: float, **more: Any) -> dict[str, Any]:
    """Return the settings of an integrator for steps of one length."""
    return {"tolerance": 1e-9, "fixed_step": True, "largest_step": step, "first_step": step} | more


class IntegratorContract(MemberContract):
    """Tolerances are met, bounces gain no energy, rest stays rest, failures are reported, cancelling works."""

    family: ClassVar[Any] = integrators

    def test_it_follows_its_tolerance(self, member: Integrator) -> None:
        errors, steps = [], []
        for tolerance in (1e-4, 1e-6):
            start = consistent_start(Pendulum(), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)
            chosen = member.with_(tolerance=tolerance, first_step=1e-4, largest_step=0.1)
            states, report = integrated(chosen, Pendulum(), start, 1.0)
            lengths = [np.linalg.norm(state.q) - 1.0 for state in states]
            assert np.abs(lengths).max() < 1e-2 * tolerance  # the constraint
            energies = [0.5 * state.v @ state.v + 9.81 * state.q[1] for state in states]
            errors.append(abs(energies[-1] - energies[0]))
            steps.append(report.steps)
            assert report.rejected_by_error < 0.25 * report.steps + 5
        assert steps[1] > 2 * steps[0]
        assert errors[1] < 0.2 * errors[0]

    @pytest.mark.parametrize("stop", [1e2, 1e5, 1e8])
    @pytest.mark.parametrize("step", [0.3, 0.03])
    def test_bouncing_never_gains_energy(self, member: Integrator, stop: float, step: float) -> None:
        system = Bouncer(stop)
        start = consistent_start(system, 0.0, np.array([1.0, 1.5]), np.array([-1.0, -1.0]), None)
        chosen = member.with_(**fixed_steps(step, tolerance=1e-6))
        states, _ = integrated(chosen, system, start, 100 * step + 3.0)
        energies = np.array([system.energy(state) for state in states])
        assert energies.max() <= energies[0] * (1 + 0.05 * step)

    def test_bounces_on_a_soft_stop_converge_to_the_closed_form(self, member: Integrator) -> None:
        """Half a period of contact, then free flight back at the speed it came with."""
        system = Bouncer(1e2, soft=0.0)
        end = 0.5 + np.pi / 10.0 + 0.4
        losses = []
        for steps in (500, 2000):
            start = consistent_start(system, 0.0, np.array([0.5, 0.0]), np.array([-1.0, 0.0]), None)
            states, _ = integrated(member.with_(**fixed_steps(end / steps)), system, start, end)
            losses.append(1.0 - states[-1].v[0])
        assert abs(losses[0]) < 2e-2
        assert abs(losses[1]) < 0.4 * abs(losses[0]) + 1e-4

    @pytest.mark.parametrize("stop", [1e3, 1e6])
    def test_equilibrium_stays_equilibrium(self, member: Integrator, stop: float) -> None:
        system = Bouncer(stop, load=-2.0)
        rest = np.array([-2.0 / stop, -2.0 / stop - 2.0])
        start = consistent_start(system, 0.0, rest, np.zeros(2), None)
        states, _ = integrated(member.with_(**fixed_steps(0.1)), system, start, 10.0)
        np.testing.assert_allclose(states[-1].q, rest, atol=1e-7)

    def test_a_force_that_is_not_a_number_is_told_with_its_time_and_what_was_reached_is_kept(
        self, member: Integrator
    ) -> None:
        system = _Broken(0.0)
        start = consistent_start(system, 0.0, np.ones(2), np.zeros(2), None)
        seen: list[float] = []
        with pytest.raises(SolveError, match=r"t = 0\.01.*not numbers; force 'gust'") as caught:
            member.with_(first_step=1e-3, largest_step=1e-3).integrate(
                system, start, 1.0, lambda before, after: seen.append(after.time), Silent()
            )
        assert "expressions" in str(caught.value.hint)
        assert seen[-1] == pytest.approx(0.01, rel=1e-3)

    def test_cancel_ends_within_a_step(self, member: Integrator) -> None:
        flag, seen = CancelFlag(), []

        def accepted(before: State, after: State) -> None:
            seen.append(after.time)
            if len(seen) == 5:
                flag.cancel()

        system = Bouncer(0.0)
        start = consistent_start(system, 0.0, np.ones(2), np.zeros(2), None)
        with pytest.raises(Cancelled):
            member.with_(first_step=1e-4, largest_step=1e-4).integrate(system, start, 1.0, accepted, flag)
        assert len(seen) == 5

    def test_the_report_accounts_for_the_time(self, member: Integrator) -> None:
        start = consistent_start(Pendulum(), 0.0, np.array([1.0, 0.0]), np.zeros(2), None)
        chosen = member.with_(tolerance=1e-5, first_step=1e-4, largest_step=0.01)
        _, report = integrated(chosen, Pendulum(), start, 0.5)
        assert {"forces", "constraints", "Jacobians", "output"} <= set(report.seconds)
        assert all(seconds >= 0.0 for seconds in report.seconds.values())
        assert report.summary()["steps"] == report.steps > 0
        assert report.jacobians < report.iterations
