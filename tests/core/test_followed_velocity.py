"""Frames between steps: vibrations too fast for a step do not bulge them, what a step follows stays as exact."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from faying.progress import Silent
from faying.solvers.integrators import Forces, Unconstrained, consistent_start, interpolate
from faying.solvers.integrators.generalized_alpha import GeneralizedAlpha
from faying.solvers.integrators.hht import Hht
from support.stops import stopped

SCHEMES = {"hht": Hht(alpha=-0.3), "generalized-α": GeneralizedAlpha()}
LITTLE = {
    Hht: {"alpha": -0.02},
    GeneralizedAlpha: {"spectral_radius": 0.96},
}  # damping of what no step follows
STIFF, STEP = 1e10, 1e-2  # ω h = 1000


@pytest.fixture(params=sorted(SCHEMES))
def scheme(request):
    return SCHEMES[request.param].with_(tolerance=1e-6, fixed_step=True, largest_step=STEP)


class Pressed(Unconstrained):
    """A unit mass that a force of 2 presses onto a one-sided stop."""

    n, scales = 1, np.ones(1)

    def __init__(self, stop):
        self.stop = stop

    def mass(self, q):
        return np.eye(1)

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(np.array([-2.0]))

    def contact(self, q, history, time_step, *, jacobian, before=None):
        return stopped(q[0], np.eye(len(q))[0], self.stop, before)


class Arm(Unconstrained):
    """A unit mass on the end of an arm that is pressed into its socket, without weight.

    q = (x, y, z, …): the socket gives by z at a stiff stop, and (x + z)² + y² = 1.
    """

    n, n_constraints, scales = 3, 1, np.ones(3)

    def mass(self, q):
        return np.diag([1.0, 1.0, 1e-2])

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(np.array([0.0, 0.0, -50.0]))

    def contact(self, q, history, time_step, *, jacobian, before=None):
        return stopped(q[2], np.eye(3)[2], STIFF, before)

    def constraints(self, time, q, history):
        along = q[0] + q[2]
        return np.array([0.5 * (along**2 + q[1] ** 2 - 1.0)]), np.array([[along, q[1], along]])

    def constraint_rates(self, time):
        return np.zeros(1), np.zeros(1)

    def inertia_and_constraint_jacobian(self, time, q, a, multipliers, history):
        one = np.array([1.0, 0.0, 1.0])
        return multipliers[0] * (np.outer(one, one) + np.diag([0.0, 1.0, 0.0]))


def states_of(scheme, system, q, v, end):
    start = consistent_start(system, 0.0, np.array(q), np.array(v), None)
    states = [start]
    scheme.integrate(system, start, end, lambda before, after: states.append(after), Silent())
    return states


def middles(states):
    pairs = itertools.pairwise(states)
    return np.array([interpolate(a, b, 0.5 * (a.time + b.time))[0] for a, b in pairs])


def with_velocities(states):
    return [replace(s, followed_v=None) for s in states]


def off_circle(q):
    return float(np.abs(np.hypot(q[:, 0] + q[:, 2], q[:, 1]) - 1.0).max())


def test_a_vibration_that_no_step_follows_does_not_bulge_the_frames(scheme):
    """The rest is −2/k, the vibration's amplitude a tenth of it, and its speed changes its sign from step to step."""
    scheme = scheme.with_(**LITTLE[type(scheme)])
    rest = -2.0 / STIFF
    speed = 0.1 * abs(rest) * np.sqrt(STIFF)
    states = states_of(scheme, Pressed(STIFF), [rest], [speed], 1.0)
    ends = np.array([s.q[0] for s in states])
    assert min(abs(s.v[0]) for s in states[:6]) > 0.5 * speed
    assert np.abs(ends / rest - 1.0).max() < 0.1
    assert np.abs(middles(states[1:])[:, 0] / rest - 1.0).max() < 0.1
    # With the velocities for slopes the middles were h v/4 off, 25 times the rest.
    assert np.abs(middles(with_velocities(states[1:6]))[:, 0] / rest - 1.0).max() > 10.0


def test_a_vibration_that_steps_follow_is_drawn_as_exactly_as_before(scheme):
    """Closed form: a mass on a closed stop. The slope differs from the velocity by (ω h)⁴ of v − Δq/h alone."""
    differences = []
    for stiffness in (400.0, 100.0):  # ω h = 0.2 and 0.1
        states = states_of(scheme, Pressed(stiffness), [-3.0 / stiffness], [0.0], 2.0)
        rate = np.sqrt(stiffness)
        differences.append(max(abs(s.slope[0] - s.v[0]) for s in states[1:]) * rate)
        middle = 0.5 * (np.array([s.q[0] for s in states[1:-1]]) + np.array([s.q[0] for s in states[2:]]))
        bulge = middles(states[1:])[:, 0] - middle
        exact = np.array([0.125 * STEP**2 * stiffness * (q + 2.0 / stiffness) for q in middle])
        np.testing.assert_allclose(bulge, exact, atol=0.02 * np.abs(exact).max())
    assert np.log2(differences[0] / differences[1]) > 4.5


def test_the_circle_of_a_constraint_is_kept_between_steps(scheme):
    """The end of an arm goes round with 2 rad/s; its socket vibrates, which no step follows."""
    rest = -(50.0 - 4.0) / STIFF
    states = states_of(scheme, Arm(), [-rest, 1.0, rest], [-2.0, 0.0, 2e-5], 0.8)[10:]
    ends, drawn, before = np.array([s.q for s in states]), middles(states), middles(with_velocities(states))
    # The socket is nowhere deeper or higher than at the steps about it, where velocities throw it off its stop.
    depths = np.sort([ends[:-1, 2], ends[1:, 2]], axis=0)
    assert (drawn[:, 2] > depths[0] + 0.05 * rest).all()
    assert (drawn[:, 2] < depths[1] - 0.05 * rest).all()
    assert before[:, 2].max() > 100.0 * abs(rest)
    assert off_circle(drawn) < 1.2 * off_circle(before)
    # Most of the start has died out; straight lines between the steps would be (2 h)²/8 = 5e-5 off.
    assert off_circle(drawn[-20:]) < 1e-5
