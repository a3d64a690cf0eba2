"""A pendulum in Cartesian coordinates, with its position at t = 1 in closed form."""

from typing import Any

import numpy as np
from scipy.special import ellipj, ellipk

from faying.solvers.integrators import Forces, Unconstrained


def _at_one_second() -> tuple[np.ndarray, np.ndarray, float]:
    """Return position, velocity and multiplier: sin(φ/2) = k sn(K + ωt) (Jacobi), φ from below, k² = 1/2."""
    squared, speed = 0.5, np.sqrt(9.81)
    sn, cn, _, _ = ellipj(ellipk(squared) + speed, squared)
    angle, rate = 2.0 * np.arcsin(np.sqrt(squared) * sn), 2.0 * np.sqrt(squared) * speed * cn
    along = np.array([np.cos(angle), np.sin(angle)])
    return np.array([along[1], -along[0]]), rate * along, rate**2 + 9.81 * along[0]


# m = L = 1, g = 9.81, from horizontal, at t = 1.
PENDULUM_Q, PENDULUM_V, PENDULUM_MULTIPLIER = _at_one_second()


class Pendulum(Unconstrained):
    """m = L = 1, g = 9.81, C = (x² + y² − 1)/2."""

    n, n_constraints, scales = 2, 1, np.ones(2)

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return (2, 2) the unit matrix."""
        return np.eye(2)

    def forces(self, time: float, q: np.ndarray, v: np.ndarray, history: Any, *, jacobian: bool) -> Forces:
        """Return the weight."""
        return Forces(np.array([0.0, -9.81]))

    def constraints(self, time: float, q: np.ndarray, history: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the constraint (1,) and its row (1, 2)."""
        return np.array([(q @ q - 1.0) / 2.0]), q[None]

    def constraint_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return zeros (1,), twice."""
        return np.zeros(1), np.zeros(1)

    def inertia_and_constraint_jacobian(
        self, time: float, q: np.ndarray, a: np.ndarray, multipliers: np.ndarray, history: Any
    ) -> np.ndarray:
        """Return (2, 2) λ times the unit matrix."""
        return np.asarray(multipliers[0] * np.eye(2))
