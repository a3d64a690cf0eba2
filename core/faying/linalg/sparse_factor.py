"""A symmetric system scaled to a unit diagonal, and its factor by one sparse solver."""

from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from faying.errors import SolveError
from faying.linalg.backends import FactorBackend, NotDefiniteError
from faying.linalg.symmetric import SymmetricPart, UpperTriangle, scale_rows_and_columns

BLOCK = 64  # columns solved at a time
_LEAST, _BYTES = 8, 2.0**27  # of a block: columns at least, memory at most
# Below this eigenvalue of the matrix scaled to a unit diagonal, everything is round-off: the body can move freely.
SINGULAR = 2e-15


class SingularSystemError(SolveError):
    """A stiffness that leaves a motion free, or has a direction of negative stiffness.

    Attributes:
        motion: (n,) such a motion with largest component ±1; None when it was not found.
    """

    def __init__(self, message: str, hint: str, motion: np.ndarray | None = None) -> None:
        super().__init__(message, hint)
        self.motion = motion


class ScaledSystem:
    """S [[K, Cᵀ], [C, 0]] S with a diagonal S that makes K's diagonal and C's largest entries one.

    Without constraints, K is not copied until a matrix is requested.

    Attributes:
        n, m: number of unknowns and of constraints.
        scale: (n + m,) S.
    """

    def __init__(self, stiffness: sp.csr_matrix | SymmetricPart, constraints: sp.csr_matrix | None) -> None:
        part = SymmetricPart.whole(stiffness)
        self.n, self.m = part.shape[0], 0
        diagonal = np.abs(part.diagonal())
        typical = np.median(diagonal[diagonal > 0.0]) if (diagonal > 0.0).any() else 1.0
        self.scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, typical))
        self._part, self._whole = part, None
        if constraints is not None:
            self.m = int(constraints.shape[0])
            scaled = self._scaled()
            rows = (constraints @ sp.diags_array(self.scale)).tocsr()
            largest = abs(rows).max(axis=1).toarray().ravel()
            row_scale = 1.0 / np.where(largest > 0.0, largest, 1.0)
            rows = (sp.diags_array(row_scale) @ rows).tocsr()
            self.scale = np.concatenate([self.scale, row_scale])
            parts: list[Any] = [[scaled, rows.T], [rows, None]]
            self._whole = sp.csc_matrix(sp.block_array(parts, format="csc"))
            self._whole.sort_indices()

    @property
    def size(self) -> int:
        """Number of equations."""
        return self.n + self.m

    @property
    def matrix(self) -> sp.csc_matrix:
        """Both triangles, rows sorted; without constraints assembled on each access."""
        return self._scaled() if self._whole is None else self._whole

    def upper(self) -> UpperTriangle:
        """Return the upper triangle of the matrix without constraints."""
        triangle = self._part.upper()
        triangle.scale(self.scale)
        return triangle

    def of_solver(self, kind: type[FactorBackend]) -> sp.csc_matrix | UpperTriangle:
        """Return the matrix in the form that a solver takes: its upper triangle, or both triangles."""
        return self.upper() if kind.takes_triangle and not self.m else self.matrix

    def product(self, x: np.ndarray) -> np.ndarray:
        """Return the product of the matrix with x (n + m, k)."""
        if self._whole is not None:
            return np.asarray(self._whole @ x)
        return np.asarray(self.scale[:, None] * (self._part @ (self.scale[:, None] * x)))

    def norm(self) -> float:
        """Return the maximum norm of the matrix: the largest sum of absolute values in a row."""
        if self._whole is not None:
            return float(abs(self._whole).sum(axis=0).max())
        return self._part.largest_sum(self.scale)

    def stiffness_and_constraints(self) -> tuple[sp.csr_matrix, sp.csr_matrix]:
        """Return K (n, n) and C (m, n), CSR; the matrix is stored by columns, those of the unknowns first."""
        both = self.matrix[:, : self.n].tocsr()
        return both[: self.n], both[self.n :]

    def _scaled(self) -> sp.csc_matrix:
        """Return S K S; rows of a symmetric matrix serve as columns."""
        made = self._part.tocsr()
        scale_rows_and_columns(made.data, made.indptr, made.indices, self.scale[: self.n])
        return sp.csc_matrix((made.data, made.indices, made.indptr), shape=made.shape)


_GIVES_WAY = "Look for springs or materials of negative stiffness, or a support that is missing."


class Solver(Protocol):
    """The part of a `FactorBackend` that `SparseFactor` needs; other classes can take its place."""

    negative_pivots: int | None
    entries: int

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""


class RefinedSolver:
    """A solver that corrects its solutions by solving for their residuals (iterative refinement).

    With each correction, a factor with too little pivoting gains as many digits as it has (Skeel 1980; Arioli, Demmel
    and Duff 1989). The matrix stays in memory, which a good factor does not need.

    Args:
        solver: of the system.
        system: the scaled system.
    """

    CORRECTIONS = 3

    def __init__(self, solver: Solver, system: ScaledSystem) -> None:
        self._solver, self._system = solver, system
        self.negative_pivots, self.entries = solver.negative_pivots, solver.entries

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""
        found = self._solver.solve(right_hand_sides)
        for _ in range(self.CORRECTIONS):
            left = np.asfortranarray(right_hand_sides - self._system.product(found))
            found = found + self._solver.solve(left)
        return found


class SparseFactor:
    """The factor of a scaled system by one sparse solver."""

    def __init__(self, backend: str, solver: Solver, system: ScaledSystem) -> None:
        self.backend, self.n = backend, system.n
        self._solver, self._m, self._scale = solver, system.m, system.scale
        self.entries = solver.entries

    @property
    def residual(self) -> float | None:
        """Largest ‖A x − b‖ / ‖b‖ of an iterative solver so far; None for a factor."""
        return getattr(self._solver, "residual", None)

    def solve(self, loads: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
        """Return x (n, …) for K x + Cᵀλ = loads (n, …), C x = values (m, …); zeros without values."""
        return self._solve(loads, values)[: self.n]

    def solve_with_multipliers(
        self, loads: np.ndarray, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the same x (n, …), and the multipliers λ (m, …) of the constraints."""
        both = self._solve(loads, values)
        return both[: self.n], both[self.n :]

    def examine(self, system: ScaledSystem) -> float:
        """Return ‖A x - b‖ / (‖A‖ ‖x‖ + ‖b‖) of the scaled system A for one random right-hand side.

        Raises:
            SingularSystemError: when the smallest eigenvalue shows that the system is singular.
        """
        load = np.random.default_rng(1).standard_normal((system.size, 1))
        solution = self._solver.solve(load)
        self._refuse_singular(system, solution)
        bottom = system.norm() * np.linalg.norm(solution) + np.linalg.norm(load)
        return float(np.linalg.norm(system.product(solution) - load) / bottom)

    def refined(self, system: ScaledSystem) -> "SparseFactor":
        """Return the same factor with solutions that are refined."""
        return SparseFactor(self.backend, RefinedSolver(self._solver, system), system)

    def negative_directions(self) -> int:
        """Return the number of directions of negative stiffness on the constraints' null space; 0 if unknown.

        Where K is definite there, a saddle point has one negative pivot per constraint (Sylvester's law of inertia).
        """
        negative = self._solver.negative_pivots
        return 0 if negative is None else abs(negative - self._m)

    def _refuse_singular(self, system: ScaledSystem, vector: np.ndarray) -> None:
        # The eigenvalue nearest zero, roughly, by inverse iteration.
        for _ in range(2):
            if np.isfinite(vector).all():
                vector = self._solver.solve(vector / np.linalg.norm(vector))
        if not np.isfinite(vector).all():
            raise singular(None)
        vector = vector / np.linalg.norm(vector)
        # ‖A v‖ bounds the distance of an eigenvalue from zero, for saddle points too.
        if np.linalg.norm(system.product(vector)) < SINGULAR:
            motion = (vector[:, 0] * self._scale)[: self.n]
            raise singular(motion / np.abs(motion).max())

    def _solve(self, loads: np.ndarray, values: np.ndarray | None) -> np.ndarray:
        if values is not None and len(values) != self._m:
            raise ValueError(f"{len(values)} constraint values for {self._m} constraints")
        columns = loads.reshape(self.n, -1)
        bottom = values.reshape(self._m, -1) if values is not None and self._m else None
        out = np.empty((self.n + self._m, columns.shape[1]))
        size = min(BLOCK, max(_LEAST, int(_BYTES / (8.0 * len(out)))))
        for start in range(0, columns.shape[1], size):
            part = slice(start, start + size)
            block = np.zeros((self.n + self._m, columns[:, part].shape[1]), order="F")
            np.multiply(columns[:, part], self._scale[: self.n, None], out=block[: self.n])
            if bottom is not None:
                block[self.n :] = bottom[:, part] * self._scale[self.n :, None]
            try:
                solution = self._solver.solve(block)
            except NotDefiniteError as error:  # an iterative solver meets such a direction only now
                raise SingularSystemError("The stiffness is not positive definite.", _GIVES_WAY) from error
            np.multiply(solution, self._scale[:, None], out=out[:, part])
        return out.reshape(-1) if loads.ndim == 1 else out


def indefinite(count: int) -> SingularSystemError:
    """Return the error of a system with this number of directions of negative stiffness."""
    return SingularSystemError(
        f"The stiffness is not positive definite: {count} of its directions give way.", _GIVES_WAY
    )


def singular(motion: np.ndarray | None) -> SingularSystemError:
    """Return the error of a system with a free motion."""
    return SingularSystemError(
        "The stiffness is singular: the body, or a part of it, can still move without resistance.",
        "Hold the body at enough interface nodes; parts that hang together by contact alone need a support, "
        "a coupling or a beam of their own.",
        motion,
    )
