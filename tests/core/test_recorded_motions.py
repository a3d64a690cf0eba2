"""What the integrators give for small systems, step by step and with their effort, is what they gave before.

That they are right is shown elsewhere, by closed forms and by orders of convergence; this only sees changes.
"""

from dataclasses import replace

import numpy as np
import pytest

from faying.progress import Silent
from faying.solvers.integrators import (
    Forces,
    RunReport,
    State,
    Unconstrained,
    consistent_start,
    integrators,
)
from faying.solvers.integrators._stepping import SteppedIntegrator
from support.recorded_numbers import compare
from support.stops import stopped

COUNTS = ("steps", "rejected_by_error", "rejected_by_iteration", "iterations", "jacobians", "tiny_steps")


class Swing(Unconstrained):
    """Three masses on a hardening spring, dampers and a load that swings; their mass grows with the first place."""

    n, scales = 3, np.array([1.0, 0.5, 2.0])
    springs = np.array([[60.0, -20.0, 0.0], [-20.0, 50.0, -30.0], [0.0, -30.0, 400.0]])
    dampers = np.diag([0.3, 0.1, 0.2])

    def mass(self, q):
        return np.array([[2.0 + q[0] ** 2, 0.1, 0.0], [0.1, 1.0, 0.2], [0.0, 0.2, 0.5]])

    def forces(self, time, q, v, history, *, jacobian):
        load = np.array([3.0 * np.sin(4.0 * time), 1.0, -2.0])
        force = load - self.springs @ q - self.dampers @ v - np.array([0.0, 200.0 * q[1] ** 3, 0.0])
        stiffness = self.springs + np.diag([0.0, 600.0 * q[1] ** 2, 0.0])
        return Forces(force, -stiffness, -self.dampers)

    def inertia_and_constraint_jacobian(self, time, q, a, multipliers, history):
        change = np.zeros((3, 3))
        change[0, 0] = 2.0 * q[0] * a[0]
        return change


class Driven(Swing):
    """The same, of which one runs on a curve and one is driven."""

    n_constraints = 2

    def constraints(self, time, q, history):
        drive = q[2] - 0.05 * np.sin(6.0 * time)
        return np.array([q[0] - 0.4 * q[1] - q[1] ** 2, drive]), np.array(
            [[1.0, -0.4 - 2.0 * q[1], 0.0], [0.0, 0.0, 1.0]]
        )

    def constraint_rates(self, time):
        rate = np.array([0.0, -0.3 * np.cos(6.0 * time)])
        return rate, np.array([0.0, 1.8 * np.sin(6.0 * time)])

    def inertia_and_constraint_jacobian(self, time, q, a, multipliers, history):
        change = super().inertia_and_constraint_jacobian(time, q, a, multipliers, history)
        change[1, 1] -= 2.0 * multipliers[0]
        return change


class Rubbing(Unconstrained):
    """Two masses fall on stops, one on the other's, and a third one rubs: friction that sticks, with a history.

    Args:
        pairs: whether closed pairs can be told.
        lasting: whether friction is told as what never comes and goes.
        carries: whether a constraint holds the last mass and the second together.
    """

    n, scales = 4, np.array([1.0, 1.0, 0.5, 1.0])
    springs = np.array(
        [
            [90.0, -60.0, 0.0, 0.0],
            [-60.0, 110.0, -50.0, 0.0],
            [0.0, -50.0, 70.0, -20.0],
            [0.0, 0.0, -20.0, 20.0],
        ]
    )
    stops, rub, most = np.array([2e4, 5e4]), 3e3, 0.8

    def __init__(self, pairs=True, lasting=True, carries=False):
        self.pairs, self.has_lasting_contact, self.n_constraints = pairs, lasting, int(carries)
        self._mass = np.array(
            [[1.0, 0.0, 0.1, 0.0], [0.0, 0.4, 0.0, 0.0], [0.1, 0.0, 0.7, 0.0], [0.0, 0.0, 0.0, 0.3]]
        )

    def initial_history(self):
        return 0.0

    def mass(self, q):
        return self._mass

    def forces(self, time, q, v, history, *, jacobian):
        load = np.array([-8.0, -4.0, 3.0 * np.sin(9.0 * time), 0.5])
        return Forces(load - self.springs @ q - 0.02 * v, -self.springs, -0.02 * np.eye(4))

    def constraints(self, time, q, history):
        if not self.n_constraints:
            return super().constraints(time, q, history)
        return np.array([q[3] - q[1] - q[1] ** 2]), np.array([[0.0, -1.0 - 2.0 * q[1], 0.0, 1.0]])

    def constraint_rates(self, time):
        return np.zeros(self.n_constraints), np.zeros(self.n_constraints)

    def contact(self, q, history, time_step, *, jacobian, before=None, last=None):
        rows = np.array([[1.0, 0.0, 0.0, 0.0], [-1.0, 1.0, 0.0, 0.0]])
        found = stopped(rows @ q + np.array([0.0, 2e-3]), rows, self.stops, before, told=self.pairs)
        force, sudden, change = found.force, found.sudden, found.d_position
        slip = q[2] - history
        held = np.clip(self.rub * slip, -self.most, self.most)
        sticks = abs(self.rub * slip) < self.most
        friction, stiffness = np.array([0.0, 0.0, -held, 0.0]), np.diag([0.0, 0.0, -self.rub * sticks, 0.0])
        now = q[2] - held / self.rub
        if not self.has_lasting_contact:
            force, sudden, change = force + friction, sudden + friction, change + stiffness
        return replace(
            found, force=force, history=now, d_position=change if jacobian else None, sudden=sudden,
            lasting=Forces(friction, stiffness) if self.has_lasting_contact else None,
        )  # fmt: skip


class Separable(Rubbing):
    """The same; the second and the last mass may follow their statics."""

    separable_stiffness = np.array([0.0, 110.0, 0.0, 20.0])


class Meeting(Rubbing):
    """The same, which tells how near the stop is and when it was jumped over."""

    may_meet = True

    def longest_approach(self, state):
        return 0.5 * state.q[0] / -state.v[0] + 1e-4 if state.q[0] > 0.0 > state.v[0] else np.inf

    def has_overrun(self, before, after):
        return bool(before.q[0] > 0.0 > after.q[0] + 1e-4)


CASES = {
    "swing": (Swing(), [0.1, 0.3, -0.02], [1.0, 0.0, 2.0], 2.0, {}),
    "driven": (Driven(), [0.0, 0.0, 0.0], [0.12, 0.3, 0.3], 1.0, {}),
    "rubbing": (Rubbing(), [1e-3, 1e-3, 0.0, 0.0], [-0.3, -0.2, 0.1, 0.0], 0.1, {}),
    "separated with joined masses": (
        Separable(carries=True), [1e-3, 0.0, 0.0, 0.0], [-0.3, 0.1, 0.1, 0.1], 0.1,
        {"separate_modes": True, "separation_frequency": 0.5},
    ),
    "meeting": (Meeting(), [5e-3, 5e-3, 0.0, 0.0], [-0.3, -0.2, 0.1, 0.0], 0.2, {"tolerance": 1e-2}),
}  # fmt: skip
RUNS = (
    ("swing", "bdf"), ("driven", "hht"), ("rubbing", "hht"), ("separated with joined masses", "generalized_alpha"),
    ("meeting", "bdf"),
)  # fmt: skip
SETTINGS = {"tolerance": 1e-4, "first_step": 1e-4, "largest_step": 0.02}


def told(states: list[State], report: RunReport, fast: bool = False) -> dict[str, object]:
    """Return what a run gave: counts, its steps, and two of its states; without slopes of fast coordinates, a noise."""
    found: dict[str, object] = {name: getattr(report, name) for name in COUNTS}
    found["lengths"] = [report.smallest_step, report.largest_step, report.last_time]
    found["times"] = [s.time for s in states[:: max(len(states) // 10, 1)]]
    for name in ("q", "v", "a", "multipliers", "contact_a", "contact_multipliers", "followed_v"):
        for place, state in (("half", states[len(states) // 2]), ("end", states[-1])):
            value = getattr(state, name)
            if value is not None and not (name == "followed_v" and fast):
                found[f"{name} at the {place}"] = value
    pairs = [[int(p.sum()) for p in s.closed] for s in states if s.closed is not None]
    found["closed pairs"] = int(np.sum(pairs))
    continued = [
        [int(p.lasting.sum()) for p in s.continued.before] for s in states if s.continued is not None
    ]
    found["continued pairs"] = int(np.sum(continued))
    return found


def _tolerance(system) -> dict[str, float]:
    """Return how far processors may differ: stiff stops, piece by piece linear, leave nothing but their round-off."""
    return {"rtol": 1e-2, "effort": 0.12} if isinstance(system, Rubbing) else {}


def start_of(system, q, v) -> State:
    return consistent_start(system, 0.0, np.array(q), np.array(v), system.initial_history())


@pytest.mark.parametrize(("name", "kind"), RUNS)
def test_runs(name, kind):
    system, q, v, end, own = CASES[name]
    member = integrators[kind](**(SETTINGS | own))
    start = start_of(system, q, v)
    states = [start]
    report = member.integrate(system, start, end, lambda _, after: states.append(after), Silent())
    compare(
        "motions",
        f"{name} with {kind}",
        told(states, report, isinstance(system, Separable)),
        **_tolerance(system),
    )


def test_a_guided_run():
    system, q, v, _, own = CASES["rubbing"]
    member = integrators["hht"](**(SETTINGS | own))
    assert isinstance(member, SteppedIntegrator)
    run = member.guided(system, start_of(system, q, v))
    states: list[State] = []
    for time in (0.003, 0.0031, 0.05, 0.1, 0.2):
        run.to(time, lambda _, after: states.append(after))
        assert run.state.time == pytest.approx(time, rel=1e-9)
    found = {"number": len(states)} | told(states, RunReport())
    compare("motions", "guided, rubbing with hht", found, **_tolerance(system))
