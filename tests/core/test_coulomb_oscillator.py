"""Free vibration of a mass with dry friction against its closed form, with the joints' law and integrator."""

import numpy as np
import pytest

from faying.joints.friction_laws import friction_laws
from faying.params import build
from faying.progress import Silent
from faying.solvers.integrators import ContactForces, Forces, State, Unconstrained, consistent_start
from faying.solvers.integrators.hht import Hht

MASS, SPRING, LIMIT, START = 1.0, 400.0, 2.0, 0.05


class RubbingMass(Unconstrained):
    """A mass on a spring that rubs on the ground with a constant sticking limit."""

    n, scales = 1, np.ones(1)

    def __init__(self, law):
        self.law = law

    def initial_history(self):
        return np.zeros((1, self.law.history_size))

    def mass(self, q):
        return np.array([[MASS]])

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(-SPRING * q, np.array([[-SPRING]]) if jacobian else None)

    def contact(self, q, history, time_step, *, jacobian):
        slip = np.array([[q[0] - START, 0.0]])
        answer = self.law.traction(slip, np.array([LIMIT]), history, time_step, derivatives=jacobian)
        return ContactForces(
            -answer.stress[0, :1], answer.history, -answer.d_slip[0, :1, :1] if jacobian else None
        )


@pytest.mark.parametrize(
    ("kind", "words"), [("coulomb", {}), pytest.param("bouc_wen", {"exponent": 30.0}, marks=pytest.mark.slow)]
)
def test_free_decay(kind, words):
    # Analytical: the amplitude falls by 4 μN/k = 0.02 a cycle, so it turns at 0.04, 0.03, 0.02, 0.01 and rests at zero,
    # where friction holds the spring. The law's own spring adds the little that it takes to turn.
    stiffness = 800.0 * SPRING
    law = build(friction_laws[kind], {"sticking_stiffness": stiffness, "sliding_stiffness": 0.0, **words})
    system, turns = RubbingMass(law), []

    def accepted(before: State, after: State) -> None:
        if before.v[0] * after.v[0] < 0.0:
            turns.append(max(abs(before.q[0]), abs(after.q[0])))

    start = consistent_start(system, 0.0, np.array([START]), np.zeros(1), system.initial_history())
    Hht(tolerance=1e-5).integrate(system, start, 0.85, accepted, Silent())
    np.testing.assert_allclose(turns[:4], [0.04, 0.03, 0.02, 0.01], atol=2e-4)
    assert max(turns[4:]) < 0.2 * LIMIT / SPRING
