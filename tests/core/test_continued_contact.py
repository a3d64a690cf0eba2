"""Contact over a step: second order where it stays closed, and all of its energy back where it closes and opens."""

import numpy as np
import pytest

from faying.progress import Silent
from faying.solvers.integrators import Forces, State, Unconstrained, consistent_start
from faying.solvers.integrators.generalized_alpha import GeneralizedAlpha
from faying.solvers.integrators.hht import Hht
from support.stops import stopped

SCHEMES = {"hht": Hht(alpha=-0.3), "hht mild": Hht(alpha=-0.05), "generalized-α": GeneralizedAlpha()}


@pytest.fixture(params=sorted(SCHEMES))
def scheme(request):
    return SCHEMES[request.param]


class Stopped(Unconstrained):
    """Two masses on a spring; the first rests on a one-sided stop at q = 0, whose pair can be told."""

    n, scales = 2, np.ones(2)

    def __init__(self, stop, spring, load):
        self.stop, self.load = stop, np.array([load, 0.0])
        self.spring = spring * np.array([[1.0, -1.0], [-1.0, 1.0]])
        self._mass = np.eye(2)

    def mass(self, q):
        return self._mass

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(self.load - self.spring @ q, -self.spring)

    def contact(self, q, history, time_step, *, jacobian, before=None):
        return stopped(q[0], np.eye(2)[0], self.stop, before)

    def energy(self, s: State) -> float:
        contact = 0.5 * self.stop * min(s.q[0], 0.0) ** 2
        return float(0.5 * s.v @ s.v + 0.5 * s.q @ self.spring @ s.q + contact - self.load @ s.q)


def run(scheme, system, start, end, step):
    states = [start]
    fixed = scheme.with_(tolerance=1e-8, fixed_step=True, largest_step=step)
    report = fixed.integrate(system, start, end, lambda before, after: states.append(after), Silent())
    return states, report


def test_a_closed_contact_is_a_spring(scheme):
    """Closed form: a mass pressed on a stop vibrates with √k about its rest. Second order, hardly damped."""
    system, errors = Stopped(1.0, 0.0, -2.0), []
    start = consistent_start(system, 0.0, np.array([-1.0, 0.0]), np.zeros(2), None)
    for step in (0.2, 0.1, 0.05):
        states, _ = run(scheme, system, start, 20.0, step)
        times = np.array([s.time for s in states])
        motion = np.array([s.q[0] for s in states])
        errors.append(np.abs(motion - (np.cos(times) - 2.0)).max())
        # Three periods of 31 steps: with force at the end of the steps alone 46 % of the amplitude are left.
        assert np.abs(motion[times > 14.0] + 2.0).max() > 0.995
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.1)


@pytest.mark.parametrize(
    ("stop", "step"), [(1e1, 0.3), (1e3, 0.3), (1e6, 0.3), (1e3, 0.03), (1e6, 0.03), (1e6, 0.003)]
)
def test_a_stop_never_gives_energy(scheme, stop, step):
    """Theorem: restitution is one at most, whatever the period of the contact is against the step."""
    system = Stopped(stop, 1.0, 0.0)
    start = consistent_start(system, 0.0, np.array([1.0, 1.5]), np.array([-1.0, -1.0]), None)
    states, _ = run(scheme, system, start, 300 * step + 3.0, step)
    energies = np.array([system.energy(s) for s in states])
    assert energies.max() <= energies[0] * (1.0 + 0.05 * step)


@pytest.mark.parametrize("steps", [0.6, 2.0, 7.3, 50.0])
def test_an_elastic_bounce_keeps_its_energy_however_long_the_steps_are(scheme, steps):
    """Theorem: restitution is one; closed form for the way, half a period in contact and then free flight."""
    system, half = Stopped(1e2, 0.0, 0.0), np.pi / 10.0
    start = consistent_start(system, 0.0, np.array([0.5, 0.0]), np.array([-1.0, 0.0]), None)
    states, _ = run(scheme, system, start, 0.9 + half, half / steps)
    last = states[-1]
    assert last.v[0] == pytest.approx(1.0, abs=1e-6)
    if steps > 5.0:
        assert last.q[0] == pytest.approx(last.time - 0.5 - half, abs=0.2 * half / steps)


def test_rest_on_a_stop_stays_rest(scheme):
    system = Stopped(1e6, 0.0, -2.0)
    start = consistent_start(system, 0.0, np.array([-2e-6, 0.0]), np.zeros(2), None)
    states, _ = run(scheme, system, start, 20.0, 0.1)
    np.testing.assert_allclose(states[-1].q, [-2e-6, 0.0], atol=1e-9)
