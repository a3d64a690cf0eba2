"""What the iteration matrix of a step tells: its error, and which velocities the step follows.

F = S⁻¹ weight M with the iteration matrix S ≈ weight M + by_q K of the step tells slow from fast components, as stiff
solvers do (Hairer and Wanner 1996, IV.8): it leaves those alone that the step follows, and takes the others away.
"""

import numpy as np

from faying.solvers.integrators import State
from faying.solvers.integrators._newton import Accuracy, Solved


def filtered_error(solved: Solved, error: np.ndarray, accuracy: Accuracy) -> float:
    """Return an estimate of the local error over the tolerance.

    For components too fast to be followed the estimate grows with (ω h)² although the scheme damps them out. Passed
    through F it is bounded there by their amplitude.

    Args:
        solved: the step.
        error: (n,) of q, see `Scheme.error` and `contact_error`.
        accuracy: of the run.
    """
    n = solved.equations.system.n
    right = np.zeros(len(solved.unknowns))
    right[:n] = solved.equations.rule.weight * (solved.last.mass @ error)
    return accuracy.norm(solved.filtered(right)[:n])


def followed_velocity(solved: Solved, after: State) -> np.ndarray:
    """Return (n,) the velocity at the end of a step, of vibrations too fast for it the mean within the step.

    Contact that lasts acts with the mean of its forces, which damps nothing. What a closed joint of 1 MHz keeps of an
    impact is a displacement of nanometres, but a velocity v₁ − Δq/h that is large and changes its sign with each step;
    a curve drawn through the steps with such slopes bulges by micrometres between them.

    Twice (I − F) of v₁ − Δq/h is taken off: all of it where ω h is large, of what the step follows a share of (ω h)⁴
    alone. What constraints turn, such as the speed along a circle, stays as it is; the smoothest motion that they
    allow has it.
    """
    equations, at = solved.equations, solved.last
    n = equations.system.n

    def along_constraints(velocity: np.ndarray) -> np.ndarray:
        right = np.concatenate([np.zeros(n), at.rows @ velocity])
        return np.asarray(velocity - solved.filtered(right)[:n])

    apart = along_constraints(after.v - (after.q - equations.start.q) / equations.rule.length)
    for _ in range(2):
        push = np.concatenate([equations.rule.weight * (at.mass @ apart), np.zeros(len(at.rows))])
        # The matrix may be some steps old, its constraints have turned since.
        apart = along_constraints(apart - solved.filtered(push)[:n])
    return np.asarray(after.v - apart)
