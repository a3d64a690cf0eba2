"""Contact whose force turns with its part, against one that pushes as hard: what is left is that of the motion."""

from dataclasses import replace

import numpy as np
import pytest

from faying.progress import Silent
from faying.solvers.integrators import Forces, Unconstrained, consistent_start
from faying.solvers.integrators.generalized_alpha import GeneralizedAlpha
from faying.solvers.integrators.hht import Hht
from support.stops import stopped

SPEED, STOP, LOAD = 1000.0, 1e9, 1e8  # rad/s; the load is a hundred times the centrifugal force
STEP = 1e-4  # a tenth of a radian
SCHEMES = {"hht": Hht(alpha=-0.3), "hht mild": Hht(alpha=-0.05), "generalized-α": GeneralizedAlpha()}


class Bead(Unconstrained):
    """A unit mass on an arm that turns with a given speed; a load presses it outwards onto a stop at radius one."""

    n, n_constraints, scales = 2, 1, np.ones(2)

    def mass(self, q):
        return np.eye(2)

    def forces(self, time, q, v, history, *, jacobian):
        r = np.hypot(*q)
        out = q / r
        return Forces(LOAD * out, LOAD / r * (np.eye(2) - np.outer(out, out)))

    def contact(self, q, history, time_step, *, jacobian, before=None):
        r = np.hypot(*q)
        out = q / r
        found = stopped(1.0 - r, -out, STOP, before)
        bent = out @ (found.sudden + found.going_on) / r * (np.eye(2) - np.outer(out, out))
        return replace(found, d_position=found.d_position + bent)

    def constraints(self, time, q, history):
        across = np.array([-np.sin(SPEED * time), np.cos(SPEED * time)])
        return np.array([across @ q]), across[None]

    def constraint_rates(self, time):
        return np.array([-SPEED]), np.zeros(1)

    def inertia_and_constraint_jacobian(self, time, q, a, multipliers, history):
        return None


@pytest.mark.parametrize("kind", sorted(SCHEMES))
def test_a_steady_turn_needs_no_moment(kind):
    """Closed form: the bead goes round, the arm bears nothing across, the stop bears load and centrifugal force."""
    system = Bead()
    radius = 1.0 + (LOAD + SPEED**2) / (STOP - SPEED**2)
    start = consistent_start(
        system, 0.0, np.array([radius, 0.0]), np.array([0.0, SPEED * radius]), system.initial_history()
    )
    across, radii = [], []

    def seen(before, after):
        across.append(float(after.all_multipliers[0]))
        radii.append(np.hypot(*after.q))

    scheme = SCHEMES[kind].with_(tolerance=1e-6, fixed_step=True, largest_step=STEP)
    scheme.integrate(system, start, 200 * STEP, seen, Silent())
    # With mass and constraints of the start of a step, half of its turn times the load was left: 0.05.
    assert np.abs(across[100:]).max() < 5e-3 * LOAD
    assert abs(np.mean(across[100:])) < 4e-3 * LOAD
    np.testing.assert_allclose(radii[100:], radius, rtol=3e-4)
