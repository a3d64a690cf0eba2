"""Contact is solved within each correction of a step: many stiff pairs cost evaluations of contact alone."""

import itertools

import numpy as np
import pytest

from faying.progress import Silent
from faying.solvers.integrators import Forces, Unconstrained, consistent_start
from faying.solvers.integrators._equations import SmoothMatrix
from faying.solvers.integrators._newton import ContactProblem
from faying.solvers.integrators._scheme import Rule
from faying.solvers.integrators.hht import Hht
from support.stops import stopped

N, STOP = 60, 1e6


class Mattress(Unconstrained):
    """A chain of masses that falls on as many stiff stops of uneven height; counts what it is asked for."""

    n, scales = N, np.ones(N)

    def __init__(self):
        self.heights = -1e-3 * np.random.default_rng(5).uniform(0.0, 1.0, N)
        self.springs = 100.0 * (2.0 * np.eye(N) - np.eye(N, k=1) - np.eye(N, k=-1))
        self._mass = np.eye(N)
        self.asked = 0

    def mass(self, q):
        return self._mass

    def forces(self, time, q, v, history, *, jacobian):
        self.asked += 1
        return Forces(-10.0 - self.springs @ q, -self.springs)

    def contact(self, q, history, time_step, *, jacobian, before=None):
        return stopped(q - self.heights, np.eye(N), STOP, before)


def moved(system, end):
    start = consistent_start(system, 0.0, np.zeros(N), np.zeros(N), None)
    states = [start]
    report = Hht(tolerance=1e-6, first_step=1e-4, largest_step=5e-3).integrate(
        system, start, end, lambda before, after: states.append(after), Silent()
    )
    return states, report


def test_stiff_stops_neither_shorten_steps_nor_ask_for_other_forces():
    """Stops vibrate with 1000 rad/s; a step of milliseconds leaps over dozens of their periods."""
    system = Mattress()
    states, report = moved(system, 0.1)
    changes = sum(int((a.closed[0] ^ b.closed[0]).sum()) for a, b in itertools.pairwise(states))
    assert changes > 100  # stops open and close all the time
    assert report.rejected_by_iteration <= 0.05 * report.steps
    assert system.asked <= 4 * (report.steps + report.rejected_by_error)


def test_a_contact_problem_is_solved_by_its_corrections():
    """Theorem: Newton with an exact enough search ends on a piecewise quadratic convex problem."""
    system, rule = Mattress(), Rule(1.0, np.zeros(N), np.zeros(N), 1.0, 1.0, 1.0, 1.0, np.zeros(N))

    def contact(q):
        return system.contact(q, None, 0.0, jacobian=False).force

    def tangent(q, last):
        return system.contact(q, None, 0.0, jacobian=True).d_position, None

    smooth = SmoothMatrix(np.eye(N) + system.springs, rule)
    problem = ContactProblem(
        smooth, np.full(N, 10.0), np.zeros(N), rule, contact, lambda force: force, tangent
    )

    def energy(x):
        stops = STOP / 2 * (np.maximum(system.heights - x, 0.0) ** 2).sum()
        return x @ (smooth.matrix @ x) / 2 + 10.0 * x.sum() + stops

    x = np.zeros(N)
    residual = problem.residual(x)
    for _ in range(25):
        change = problem.jacobian(x)[0].solve(-residual)
        length, residual = problem.search(x, change, residual)
        x = x + length * change
    assert np.abs(residual).max() < 1e-9
    for way in np.random.default_rng(1).normal(size=(20, N)):
        assert energy(x + 1e-6 * way) >= energy(x) - 1e-12
    assert problem.place(x) == pytest.approx(x)
