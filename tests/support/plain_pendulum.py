"""A pendulum in Cartesian coordinates, with its place at t = 1 by an independent code."""

import numpy as np

from faying.solvers.integrators import Forces, Unconstrained

PENDULUM_Q = np.array([-0.98629175, -0.16501085])  # m = L = 1, g = 9.81, from horizontal, at t = 1
PENDULUM_V = np.array([-0.29690552, 1.77464364])
PENDULUM_MULTIPLIER = 4.856269407485


class Pendulum(Unconstrained):
    """m = L = 1, g = 9.81, C = (x² + y² − 1)/2."""

    n, n_constraints, scales = 2, 1, np.ones(2)

    def mass(self, q):
        return np.eye(2)

    def forces(self, time, q, v, history, *, jacobian):
        return Forces(np.array([0.0, -9.81]))

    def constraints(self, time, q, history):
        return np.array([(q @ q - 1.0) / 2.0]), q[None]

    def constraint_rates(self, time):
        return np.zeros(1), np.zeros(1)

    def inertia_and_constraint_jacobian(self, time, q, a, multipliers, history):
        return multipliers[0] * np.eye(2)
