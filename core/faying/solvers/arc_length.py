"""Continuation: a curve of solutions of n equations in n + 1 unknowns, followed by its arc length.

From a point z with the unit tangent t, the predictor is z + ds t, and Newton's method corrects it in the plane through
the predictor across t (Keller 1977; Seydel 2010, Practical bifurcation and stability analysis, chapter 4). So the curve
may turn back in any of the unknowns. All of them should be scaled to the same size.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.linalg as la
from scipy.linalg import lapack

from faying.errors import SolveError

_FEW = 4  # corrections of a step of the right length
_LARGEST_TURN = np.cos(np.pi / 4.0)  # cosine of the angle between two tangents
_KEEP = 8.0  # corrections up to the tolerance, for which a factor is used again: about the cost of a new one


class CurveEquations(Protocol):
    """Equations with n rows in n + 1 unknowns."""

    def residual(self, z: np.ndarray) -> np.ndarray:
        """Return (n,) the residual at z (n + 1,), in the size of one."""

    def linearized(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the residual (n,) and its derivative (n, n + 1)."""


@dataclass(frozen=True)
class StepLengths:
    """Arc lengths of steps, and when a point counts as found.

    Attributes:
        first, least, most: of a step.
        tolerance: largest residual.
        corrections: at most, for a point.
    """

    first: float = 0.02
    least: float = 1e-7
    most: float = 0.1
    tolerance: float = 1e-10
    corrections: int = 12


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """A point of the curve.

    Attributes:
        z: (n + 1,) unknowns.
        tangent: (n + 1,) unit tangent, forward along the curve.
        corrections: number of corrections that it took.
        residual: what is left, in the size of one.
        turning: sign of the determinant of the derivative by all unknowns but the last; it changes where the curve
            turns back in the last unknown, and where another curve branches off.
    """

    z: np.ndarray
    tangent: np.ndarray
    corrections: int
    residual: float
    turning: float


def solve_point(
    equations: CurveEquations, start: np.ndarray, row: np.ndarray, value: float, steps: StepLengths
) -> tuple[np.ndarray, int, float]:
    """Return the solution with row · z = value, the number of corrections and the residual.

    Args:
        equations: to solve.
        start: (n + 1,) first guess.
        row: (n + 1,).
        value: see above.
        steps: tolerance and number of corrections.

    Raises:
        SolveError: when corrections do not lead to a solution.
    """
    z, factor, before = start.copy(), None, np.inf
    residual = np.append(equations.residual(z), row @ z - value)
    for count in range(steps.corrections + 1):
        size = float(np.abs(residual).max())
        if not np.isfinite(size):
            break
        if size <= steps.tolerance:
            return z, count, size
        if count == steps.corrections:
            break
        if factor is None or _corrections_left(size, before, steps.tolerance) > _KEEP:
            factor = _factor(np.vstack([equations.linearized(z)[1], row]))
        before = size
        correction = la.lu_solve(factor, residual, check_finite=False)
        # Where forces have corners a full correction may lead away; a shorter one does not.
        for share in (1.0, 0.5, 0.25):
            trial = z - share * correction
            found = np.append(equations.residual(trial), row @ trial - value)
            if np.abs(found).max() < size:
                break
        else:
            factor = None
        z, residual = trial, found
    raise SolveError(
        f"No solution was found within {steps.corrections} corrections.", "Begin closer to a solution."
    )


def _corrections_left(size: float, before: float, tolerance: float) -> float:
    """Return how many corrections lead to the tolerance if residuals go on shrinking from `before` to `size`."""
    return float(np.log(tolerance / size) / np.log(size / before)) if size < before else np.inf


def follow(
    equations: CurveEquations, start: np.ndarray, direction: np.ndarray, steps: StepLengths
) -> Iterator[CurvePoint]:
    """Yield the points of the curve one after the other, without end.

    Args:
        equations: to solve.
        start: (n + 1,) first guess of the first point, which is found with direction · z unchanged.
        direction: (n + 1,) in which the curve leaves the first point, roughly.
        steps: lengths and tolerance.

    Raises:
        SolveError: when there is no next point even with the shortest step, or no first one.
    """
    z, count, residual = solve_point(equations, start, direction, float(direction @ start), steps)
    tangent, sign = tangent_at(equations, z, direction)
    yield CurvePoint(z, tangent, count, residual, sign)
    length = steps.first
    while True:
        try:
            ahead = z + length * tangent
            new, count, residual = solve_point(equations, ahead, tangent, float(tangent @ ahead), steps)
            turned, sign = tangent_at(equations, new, tangent)
            if turned @ tangent < _LARGEST_TURN and length > 1e-2 * steps.first:
                raise SolveError("The curve turns too much within a step.")
        except SolveError as error:
            length *= 0.5
            if length < steps.least:
                raise SolveError(
                    "The curve cannot be followed any further: even the shortest step finds no solution.",
                    error.hint,
                ) from None
            continue
        z, tangent = new, turned
        yield CurvePoint(z, tangent, count, residual, sign)
        length = min(steps.most, length * float(np.clip(_FEW / max(count, 1), 0.5, 2.0)))


def tangent_at(equations: CurveEquations, z: np.ndarray, forward: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the unit tangent (n + 1,) at a point, and the sign of the determinant of `CurvePoint.turning`.

    Args:
        equations: of the curve.
        z: (n + 1,) the point.
        forward: (n + 1,) with a positive product with the tangent.

    Raises:
        SolveError: when the equations are singular there.
    """
    matrix = equations.linearized(z)[1]
    factor, pivots = _factor(np.vstack([matrix, forward]))
    right = np.zeros(len(z))
    right[-1] = 1.0
    tangent = la.lu_solve((factor, pivots), right, check_finite=False)
    # det(∂r/∂x) = det of the bordered matrix times the last entry of its inverse's last column (Cramer).
    swaps = np.count_nonzero(pivots != np.arange(len(pivots)))
    sign = float(np.prod(np.sign(np.diagonal(factor))) * (-1.0) ** swaps * np.sign(tangent[-1]))
    return tangent / np.linalg.norm(tangent), sign


def _factor(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the factor of a square matrix and its pivots, as `scipy.linalg.lu_solve` takes them; raises SolveError."""
    factor, pivots, zero = lapack.dgetrf(matrix)
    if zero or not np.isfinite(factor).all():
        raise SolveError("The equations are singular.", "Begin closer to a solution.")
    return factor, pivots
