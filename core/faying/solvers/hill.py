"""Stability of periodic motions by Hill's method: Floquet exponents from the matrices of harmonic balance.

A disturbance e^{λt} Σ_a y_a b_a(ωt) of a periodic motion with the derivative J of its balance obeys

    (λ² M + λ (D + 2 ω ∇ M) + J) y = 0,

with ∇, the derivative by θ, over all harmonics. Of its 2 (2H + 1) r eigenvalues only 2 r are Floquet exponents; the
others are copies λ + ikω, which the cut after H harmonics makes inexact. Those are kept whose vectors have the most
symmetric harmonics (Guillot, Lazarus, Thomas, Vergez and Cochelin 2020, A purely frequency based Floquet-Hill
formulation for the efficient stability computation of periodic solutions, J. Comput. Phys. 416, 109477).
"""

import numpy as np
import scipy.linalg as la

from faying.solvers.harmonic_balance import PeriodicMotion, PeriodicProblem

_ASIDE = 1e-3  # of a harmonic, so that of two means −1/2 and 1/2 the second one counts


def floquet_exponents(problem: PeriodicProblem, motion: PeriodicMotion) -> np.ndarray:
    """Return (2 r,) complex Floquet exponents λ of a forced motion, the most unstable one first.

    The motion is stable if all real parts are negative. With friction they are those of the motion in which pairs stick
    and slip as in the motion itself; disturbances that change only what friction remembers do not count.

    Args:
        problem: the structure.
        motion: a solution.
    """
    problem = problem.of_motion(motion)
    basis, size, r, omega = problem.basis, problem.basis.size, problem.r, motion.frequency
    jacobian = problem.force(motion.coefficients, basis, omega, True).jacobian
    assert jacobian is not None
    balance = problem.dynamic_stiffness(omega) - jacobian
    derivative = basis.derivative(np.eye(size))
    damping = np.kron(np.eye(size), problem.damping) + 2.0 * omega * np.kron(derivative, problem.mass)
    inverse = np.kron(np.eye(size), la.inv(problem.mass))
    n = size * r
    first = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ balance, -inverse @ damping]])
    values, vectors = la.eig(first)
    shares = _of_harmonics(vectors[:n].reshape(size, r, 2 * n))
    orders = np.arange(-basis.harmonics, basis.harmonics + 1)
    means = orders @ shares / shares.sum(axis=0)
    # Of a vector and its copies one has its mean between −1/2 and 1/2; where the period doubles two are at the ends.
    kept = values[np.argsort(np.abs(means - _ASIDE), kind="stable")[: 2 * r]]
    return np.asarray(kept[np.argsort(-kept.real, kind="stable")])


def _of_harmonics(y: np.ndarray) -> np.ndarray:
    """Return (2 H + 1, k) the squares of the parts of vectors (size, r, k) in e^{ikθ}, k from −H to H."""
    cosines, sines = y[1::2], y[2::2]
    forward, backward = 0.5 * (cosines - 1j * sines), 0.5 * (cosines + 1j * sines)
    parts = np.concatenate([backward[::-1], y[:1], forward])
    return np.asarray((np.abs(parts) ** 2).sum(axis=1))
