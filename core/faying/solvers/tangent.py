"""Corrections with sparse tangents that differ little from one to the next: one factor serves many."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.errors import SolveError
from faying.linalg.factor import Factor, factorize
from faying.linalg.symmetric import SymmetricPart
from faying.progress import PartialProgress, Progress

_ACCURACY = 1e-6  # of a correction, relative to itself
_SYMMETRIC = 1e-12  # largest difference of a Jacobian from its transpose, relative to it
_PATIENCE = 40  # GMRES iterations, after which a new factorisation is about as fast


class SparseTangent:
    """Solves (K − Σ J) Δx + Cᵀλ = r, C Δx = d for joint Jacobians J that change as pairs open and close.

    The first tangent is factored. Later ones are solved by GMRES with that factor as preconditioner: each pair that
    changed moves one eigenvalue away from one, so few iterations do. When they do not converge, that tangent is
    factored instead. Measured on the friction bar of 38 000 nodes from its reduced solution: one factor and 90
    solutions instead of seven factors, each of which takes as long as 60 solutions.

    Args:
        stiffness: K, CSR (n, n), or a part of a larger one.
        constraints: C, CSR (m, n), or None.
    """

    def __init__(self, stiffness: sp.csr_matrix | SymmetricPart, constraints: sp.csr_matrix | None) -> None:
        self.stiffness, self.constraints = stiffness, constraints
        self._factor: Factor | None = None
        self.factorisations = self.solutions = 0

    def correct(
        self, jacobians: Sequence[Any], residual: np.ndarray, values: np.ndarray | None, progress: Progress
    ) -> np.ndarray:
        """Return Δx (n,).

        Args:
            jacobians: ∂Q/∂x of each joint, CSR (n, n); with friction they are not symmetric.
            residual: r (n,).
            values: d (m,), zero without them.
            progress: reports and cancels.

        Raises:
            SolveError: when a tangent that must be factored is singular.
            Cancelled: on request.
        """
        if self._factor is not None:
            near = self._from_factor(self._factor, jacobians, residual, values, progress)
            if near is not None:
                return near
        joined = sum(jacobians, sp.csr_matrix(self.stiffness.shape))
        symmetric = all(abs(j - j.T).max() <= _SYMMETRIC * abs(j).max() for j in jacobians)
        if not symmetric:  # only the symmetric half is factored; GMRES corrects for the rest
            joined = 0.5 * (joined + joined.T)
        self.factorisations += 1
        self._factor = None  # frees its memory before the next one is made
        self._factor = factorize(
            SymmetricPart.whole(self.stiffness) - joined,
            self.constraints,
            definite=symmetric,
            progress=PartialProgress(progress, 0.0, 0.9),
        )
        if symmetric:
            return np.asarray(self._factor.solve(residual, values))
        exact = self._from_factor(self._factor, jacobians, residual, values, progress)
        if exact is None:
            raise SolveError(
                "A tangent with friction is too far from its symmetric half to be solved with it.",
                "Lower the friction coefficient, or leave friction out.",
            )
        return exact

    def _from_factor(
        self, factor: Factor, jacobians: Sequence[Any], residual: np.ndarray, values: np.ndarray | None,
        progress: Progress,
    ) -> np.ndarray | None:  # fmt: skip
        """Return Δx by GMRES on the preconditioned equations, None when that does not converge soon."""
        steps = 0

        def apply(x: np.ndarray) -> np.ndarray:
            nonlocal steps
            steps += 1
            progress.report(0.9 + 0.1 * steps / _PATIENCE, f"solution {steps} with one factor")
            return factor.solve(self.stiffness @ x - sum(j @ x for j in jacobians))

        # The first solution obeys the constraints; GMRES corrects it within their null space.
        first = factor.solve(residual, values)
        rest = factor.solve(residual - self.stiffness @ first + sum(j @ first for j in jacobians))
        self.solutions += 2
        size = float(np.linalg.norm(first))
        if np.linalg.norm(rest) <= _ACCURACY * size:
            return np.asarray(first + rest)
        n = len(residual)
        operator = spla.LinearOperator((n, n), matvec=apply, dtype=np.float64)
        more, failure = spla.gmres(
            operator, rest, rtol=0.0, atol=_ACCURACY * size, restart=_PATIENCE, maxiter=1
        )
        self.solutions += steps
        return None if failure else np.asarray(first + more)
