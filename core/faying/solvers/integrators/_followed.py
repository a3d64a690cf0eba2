"""Velocities without those of vibrations that a step is too long to follow."""

import numpy as np

from faying.solvers.integrators import State
from faying.solvers.integrators._iteration_matrix import Jacobian
from faying.solvers.integrators._step import Step


def followed_velocity(step: Step, after: State, jacobian: Jacobian) -> np.ndarray:
    """Return (n,) the velocity at the end of a step, of vibrations too fast for it the mean within the step.

    Contact that lasts acts with the mean of its forces, which damps nothing. What a closed joint of 1 MHz keeps of an
    impact is a displacement of nanometres, but a velocity v₁ − Δq/h that is large and changes its sign with each step;
    a curve drawn through the steps with such slopes bulges by micrometres between them.

    As the error estimate does (Hairer and Wanner 1996, IV.8), F = S⁻¹ M with the iteration matrix S ≈ M + β h² K of the
    step tells slow from fast. Twice (I − F) of v₁ − Δq/h is taken off: all of it where ω h is large, of what the step
    follows a share of (ω h)⁴ alone. What constraints turn, such as the speed along a circle, stays as it is; the
    smoothest motion that they allow has it.
    """
    point, n = step.last, step.system.n
    assert point is not None

    def along_constraints(velocity: np.ndarray) -> np.ndarray:
        right = np.concatenate([np.zeros(n), point.rows @ velocity])
        return np.asarray(velocity - jacobian.solve(right)[:n])

    apart = along_constraints(after.v - (after.q - step.start.q) / step.rule.length)
    for _ in range(2):
        push = np.concatenate([jacobian.rule.weight * (point.mass @ apart), np.zeros(len(point.rows))])
        # The matrix may be some steps old, its constraints have turned since.
        apart = along_constraints(apart - jacobian.solve(push)[:n])
    return np.asarray(after.v - apart)
