"""Nodal polynomials: shape functions in any number of local coordinates, and their derivatives."""

import numpy as np


class NodalPolynomials:
    """Polynomials that are one at their own node and zero at the others.

    Args:
        exponents: (k, d) powers of the monomials that span the space.
        nodes: (k, d) local coordinates of the nodes.
        denominator: the coefficients' common denominator (4 on quadrilaterals, 8 on bricks); with it they
            are exact.
    """

    def __init__(self, exponents: "np.typing.ArrayLike", nodes: np.ndarray, denominator: int) -> None:
        self.exponents, self.nodes = np.asarray(exponents, int), np.asarray(nodes, float)
        inverse = np.linalg.inv(self._monomials(self.nodes, self.exponents))
        self.coefficients = np.round(inverse * denominator) / denominator

    def values(self, points: np.ndarray) -> np.ndarray:
        """Return (…, k) values at points (…, d)."""
        return self._monomials(points, self.exponents) @ self.coefficients

    def derivatives(self, points: np.ndarray) -> np.ndarray:
        """Return (…, k, d) first derivatives at points (…, d)."""
        d = self.exponents.shape[1]
        return np.stack([self._derivative(points, (i,)) for i in range(d)], axis=-1)

    def second_derivatives(self, points: np.ndarray) -> np.ndarray:
        """Return (…, k, d, d) second derivatives at points (…, d)."""
        d = self.exponents.shape[1]
        rows = [np.stack([self._derivative(points, (i, j)) for j in range(d)], axis=-1) for i in range(d)]
        return np.stack(rows, axis=-2)

    def _derivative(self, points: np.ndarray, directions: tuple[int, ...]) -> np.ndarray:
        exponents = self.exponents.copy()
        factors = np.ones(len(exponents))
        for i in directions:
            factors = factors * exponents[:, i]
            exponents[:, i] = np.maximum(exponents[:, i] - 1, 0)
        return (self._monomials(points, exponents) * factors) @ self.coefficients

    @staticmethod
    def _monomials(points: np.ndarray, exponents: np.ndarray) -> np.ndarray:
        points = np.asarray(points, float)
        # Products of tabulated powers are much cheaper than general powers.
        table = [np.ones_like(points)]
        for _ in range(int(exponents.max(initial=0))):
            table.append(table[-1] * points)
        powers = np.stack(table, axis=-1)
        product = powers[..., 0, exponents[:, 0]]
        for i in range(1, exponents.shape[1]):
            product = product * powers[..., i, exponents[:, i]]
        return product
