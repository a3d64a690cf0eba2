"""Conjugate gradients with smoothed aggregation (pyamg, an extra package): for factors that do not fit into memory.

Suited to bulky bodies, which have the largest factors; thin sheets and stretched elements take hundreds of iterations.
Several columns pass through each cycle together, so that the matrices are loaded into the processor once for all.
"""

import importlib.util
import threading
from typing import Any, ClassVar

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import SolveError
from faying.linalg.backends import (
    FactorBackend,
    Interrupted,
    NotDefiniteError,
    ZeroPivotError,
    factor_backends,
)

_TOLERANCE = 1e-11  # residual over right-hand side, of the scaled system
_MAX_ITERATIONS = 2000  # iterations
_COLUMNS = 16  # at a time
_COARSEST = 600  # equations of the coarsest level, which is factored densely
_SWEEPS = 2  # of damped Jacobi before and after
_DAMPING = 4.0 / 3.0  # over the largest eigenvalue


@factor_backends.register("pyamg")
class PyamgSolver(FactorBackend):
    """Smoothed aggregation with the rigid body motions as near null space (Vaněk, Mandel and Brezina 1996).

    Args:
        near_null: (n, k) motions of low strain energy, in the unknowns of the matrix; by default the constant one.

    Attributes:
        residual: largest ‖A x − b‖ / ‖b‖ so far.
        iterations: largest number for a right-hand side so far.
    """

    rank = 9
    library = "pyamg"
    iterative: ClassVar[bool] = True

    @classmethod
    def is_available(cls) -> bool:
        """Return whether the library is installed."""
        return importlib.util.find_spec("pyamg") is not None

    @classmethod
    def suits(cls, equations: int, definite: bool) -> bool:
        """Return False: it replaces a factor only where that does not fit into memory."""
        return False

    def __init__(
        self,
        matrix: sp.csc_matrix,
        definite: bool,
        stop: threading.Event,
        near_null: np.ndarray | None = None,
    ) -> None:
        """Set up the hierarchy; raises as `FactorBackend`."""
        import pyamg
        from pyamg.util.linalg import approximate_spectral_radius

        least = matrix.diagonal().min()
        if least < 0.0:
            raise NotDefiniteError
        if not least > 0.0:
            raise ZeroPivotError("a diagonal entry is zero")
        self._matrix = sp.csr_matrix((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
        hierarchy = pyamg.smoothed_aggregation_solver(
            self._matrix, B=near_null, symmetry="symmetric", strength=("symmetric", {"theta": 0.0}),
            smooth=("jacobi", {"omega": 4.0 / 3.0}), improve_candidates=None, max_coarse=_COARSEST,
        )  # fmt: skip
        if stop.is_set():
            raise Interrupted
        self._levels: list[tuple[Any, Any, np.ndarray]] = []
        for level in hierarchy.levels[:-1]:
            own, inverse = level.A.tocsr(), 1.0 / level.A.diagonal()
            largest = float(approximate_spectral_radius(sp.diags(inverse) @ own))
            self._levels.append((own, level.P.tocsr(), _DAMPING / largest * inverse))
        coarsest = hierarchy.levels[-1].A.toarray()
        values, vectors = la.eigh(0.5 * (coarsest + coarsest.T))
        if values[0] < -1e-10 * values[-1]:
            raise NotDefiniteError
        kept = values > 1e-14 * values[-1]
        self._coarsest = vectors[:, kept] / np.sqrt(values[kept])
        self.entries = int(sum(level[0].nnz + level[1].nnz for level in self._levels)) + self._coarsest.size
        self.entries = max(self.entries, matrix.shape[0])
        self.negative_pivots = None
        self.residual, self.iterations = 0.0, 0

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions.

        Raises:
            NotDefiniteError: when a direction has negative energy.
            SolveError: when the residual does not fall far enough.
        """
        out = np.empty(right_hand_sides.shape)
        for start in range(0, int(right_hand_sides.shape[1]), _COLUMNS):
            part = slice(start, start + _COLUMNS)
            out[:, part] = self._solved(np.array(right_hand_sides[:, part], order="C"))
        return out

    def _solved(self, right: np.ndarray) -> np.ndarray:
        """Return the solutions by conjugate gradients, all columns in step but independent of each other."""
        sizes = np.linalg.norm(right, axis=0)
        limits = _TOLERANCE * np.where(sizes > 0.0, sizes, 1.0)
        x, r = np.zeros_like(right), right.copy()
        z = self._cycle(0, r)
        p, rates = z.copy(), np.einsum("ij,ij->j", r, z)
        for iteration in range(_MAX_ITERATIONS):
            lengths = np.linalg.norm(r, axis=0)
            open_ = lengths > limits
            if not open_.any():
                true = np.linalg.norm(right - self._matrix @ x, axis=0) / np.where(sizes > 0.0, sizes, 1.0)
                self.residual, self.iterations = (
                    max(self.residual, float(true.max())),
                    max(self.iterations, iteration),
                )
                return x
            q = self._matrix @ p
            energies = np.einsum("ij,ij->j", p, q)
            if (energies[open_] < 0.0).any() or (rates[open_] < 0.0).any():
                raise NotDefiniteError
            steps = np.where(open_ & (energies > 0.0), rates / np.where(energies > 0.0, energies, 1.0), 0.0)
            x += p * steps
            r -= q * steps
            z = self._cycle(0, r)
            before, rates = rates, np.einsum("ij,ij->j", r, z)
            p *= np.where(before > 0.0, rates / np.where(before > 0.0, before, 1.0), 0.0)
            p += z
        worst = float((lengths / np.where(sizes > 0.0, sizes, 1.0)).max())
        raise SolveError(
            f"The iterative solver leaves a residual of {worst:.1e} after {_MAX_ITERATIONS} iterations.",
            "Thin sheets and stretched elements need a factor: mesh more coarsely, or run where there is more memory.",
        )

    def _cycle(self, number: int, right: np.ndarray) -> np.ndarray:
        """Return the result (n, k) of a V-cycle on a level."""
        if number == len(self._levels):
            return np.asarray(self._coarsest @ (self._coarsest.T @ right))
        matrix, prolongation, smoother = self._levels[number]
        x = smoother[:, None] * right
        for _ in range(_SWEEPS - 1):
            x += smoother[:, None] * (right - matrix @ x)
        x += prolongation @ self._cycle(number + 1, prolongation.T @ (right - matrix @ x))
        for _ in range(_SWEEPS):
            x += smoother[:, None] * (right - matrix @ x)
        return np.asarray(x)
