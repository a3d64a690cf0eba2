"""Contract of the integrators, and the order of each scheme; reference: the closed form of a pendulum."""

import numpy as np
import pytest

from faying.solvers.integrators import consistent_start, integrators
from faying.testing import IntegratorContract
from faying.testing.contracts.integrators import fixed_steps, integrated
from faying.testing.pendulum import PENDULUM_MULTIPLIER, PENDULUM_Q, PENDULUM_V, Pendulum


class TestIntegrators(IntegratorContract):
    pass


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
        states, _ = integrated(integrators[kind](**fixed_steps(step, **settings)), Pendulum(), start, 1.0)
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
