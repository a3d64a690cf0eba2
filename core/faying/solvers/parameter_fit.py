"""Least-squares fit of positive parameters, with their confidence and the combinations that points do not determine."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from faying.errors import SolveError

_STEP = 0.02  # of the logarithm of a parameter, in forward differences
_ENOUGH = 1e-4  # change of logarithms, and relative change of the sum of squares, that end the search
_DOUBLED = float(np.log(2.0))
_TAKES_PART = 0.2  # of the largest exponent in a combination
_AT_BOUND = 1e-3  # of the logarithm

Residuals = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class UndeterminedCombination:
    """A product Π pᵢ^eᵢ of parameters that may double without being noticed.

    Attributes:
        exponents: (n,) e, the largest of size one; zero where a parameter hardly takes part.
        change: of the size of all residuals, in units of a residual's standard deviation, if the parameters are
            multiplied by 2^e.
    """

    exponents: np.ndarray
    change: float


@dataclass(frozen=True, eq=False)
class ParameterFit:
    """Parameters with the smallest sum of squares.

    Attributes:
        values: (n,) of the parameters.
        residuals: (m,) over their standard deviations.
        jacobian: (m, n) their derivatives by the logarithms of the parameters.
        start: (n,) values from which the search began.
        bounds: (2, n) smallest and largest values.
        evaluations: of the residuals.
    """

    values: np.ndarray
    residuals: np.ndarray
    jacobian: np.ndarray
    start: np.ndarray
    bounds: np.ndarray
    evaluations: int

    @property
    def scatter(self) -> float:
        """Standard deviation of the residuals over that which was expected; one if the expectation was right."""
        freedom = len(self.residuals) - len(self.values)
        return float(np.sqrt(self.residuals @ self.residuals / freedom)) if freedom > 0 else 0.0

    def uncertainty(self, confidence: float = 0.95) -> np.ndarray:
        """Return (n,) half widths of the confidence intervals of the logarithms; infinite where nothing determines one.

        They are those of the linearised model, from the singular values of the Jacobian (Bates and Watts 1988,
        Nonlinear regression analysis and its applications, Wiley, eq. 2.11). Residuals larger than expected widen
        them, smaller ones do not narrow them.

        Args:
            confidence: probability that an interval contains the parameter, 0 … 1.
        """
        sizes, directions = self._directions()
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(directions == 0.0, 0.0, directions / sizes[:, None])
        return np.asarray(self._quantile(confidence) * np.sqrt((shares**2).sum(axis=0)))

    def intervals(self, confidence: float = 0.95) -> np.ndarray:
        """Return (2, n) lower and upper ends of the confidence intervals of the parameters; as `uncertainty`."""
        width = self.uncertainty(confidence)
        with np.errstate(over="ignore"):
            return np.array([self.values * np.exp(-width), self.values * np.exp(width)])

    def undetermined(self, confidence: float = 0.95) -> list[UndeterminedCombination]:
        """Return the combinations that may double within the confidence, the least determined first."""
        sizes, directions = self._directions()
        found = []
        for size, direction in sorted(zip(sizes, directions, strict=True), key=lambda each: float(each[0])):
            exponents = direction / direction[np.abs(direction).argmax()]
            change = float(size) * _DOUBLED * float(np.linalg.norm(exponents))
            if change < self._quantile(confidence):
                kept = np.where(np.abs(exponents) < _TAKES_PART, 0.0, exponents)
                found.append(UndeterminedCombination(kept, change))
        return found

    @property
    def at_bounds(self) -> np.ndarray:
        """(n,) −1 for parameters at their smallest value, 1 at their largest, 0 within."""
        low, high = np.abs(np.log(self.bounds / self.values)) < _AT_BOUND
        return np.asarray(high.astype(int) - low.astype(int))

    def _directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (n,) singular values of the Jacobian, zero for missing ones, and (n, n) their directions as rows."""
        _, sizes, directions = np.linalg.svd(self.jacobian, full_matrices=True)
        return np.append(sizes, np.zeros(len(directions) - len(sizes))), directions

    def _quantile(self, confidence: float) -> float:
        from scipy.stats import t  # late: half a second that few runs need

        freedom = max(len(self.residuals) - len(self.values), 1)
        return float(t.ppf(0.5 + 0.5 * confidence, freedom)) * max(self.scatter, 1.0)


def fit_parameters(
    residuals: Residuals, start: np.ndarray, bounds: np.ndarray, most_evaluations: int = 200
) -> ParameterFit:
    """Return the positive parameters at which the sum of squared residuals is smallest.

    The search is that of Branch, Coleman and Li 1999 (SIAM J. Sci. Comput. 21, 1-23), in the logarithms of the
    parameters, with forward differences.

    Args:
        residuals: returns (m,) differences between model and points over their standard deviations, for parameters
            (n,).
        start: (n,) first values, within the bounds.
        bounds: (2, n) smallest and largest values, above zero.
        most_evaluations: of the residuals.

    Raises:
        SolveError: when they do not suffice.
    """
    from scipy.optimize import least_squares  # late: as above

    low, high = np.log(bounds / start)
    count = 0

    def at(logarithms: np.ndarray) -> np.ndarray:
        nonlocal count
        if count >= most_evaluations:
            raise SolveError(
                f"{most_evaluations} evaluations of the model do not suffice for the fit.",
                "Allow more, fit fewer parameters, or start nearer to the measured curve.",
            )
        count += 1
        return np.asarray(residuals(start * np.exp(logarithms)), float)

    last: tuple[np.ndarray, np.ndarray] = (np.full(len(start), np.nan), np.zeros(0))

    def value(logarithms: np.ndarray) -> np.ndarray:
        nonlocal last
        if not np.array_equal(logarithms, last[0]):
            last = logarithms.copy(), at(logarithms)
        return last[1]

    def derivative(logarithms: np.ndarray) -> np.ndarray:
        here, columns = value(logarithms), []
        for k in range(len(logarithms)):
            step = _STEP if logarithms[k] + _STEP <= high[k] else -_STEP
            there = logarithms.copy()
            there[k] += step
            columns.append((at(there) - here) / step)
        return np.column_stack(columns)

    inner = np.maximum(0.0, 1e-9 * (high - low))
    begin = np.clip(np.zeros(len(start)), low + inner, high - inner)
    found = least_squares(
        value, begin, jac=derivative, bounds=(low, high), method="trf", x_scale=1.0, xtol=_ENOUGH, ftol=_ENOUGH,
        gtol=1e-12,
    )  # fmt: skip
    return ParameterFit(
        start * np.exp(found.x), np.asarray(found.fun), np.asarray(found.jac), start, bounds, count
    )
