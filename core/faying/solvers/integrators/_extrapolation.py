"""First guess for the unknowns of a step: polynomial extrapolation of those of the last steps."""

import numpy as np

from faying.records import record

_POINTS = 4  # of the polynomial of the highest degree
_SERVES = 8  # steps for which a chosen degree is kept


@record("extrapolation")
class Extrapolation:
    """Polynomials of degree 0 to 3 over time; the one that predicted a step best is used for the next ones.

    A higher degree amplifies the noise of unfinished iterations more, and a force that sets in suddenly is no
    polynomial, so no degree is always the best.

    Attributes:
        times: of the last steps, newest first.
        values: (4, n + m) their unknowns in the same order, padded with zeros.
        points: of the chosen polynomial, one more than its degree.
        steps: stored so far.
    """

    times: tuple[float, ...]
    values: np.ndarray
    points: int = 1
    steps: int = 0

    @classmethod
    def beginning(cls, time: float, unknowns: np.ndarray) -> "Extrapolation":
        """Return the extrapolation where a run begins: constant."""
        values = np.zeros((_POINTS, len(unknowns)))
        values[0] = unknowns
        return cls((time,), values)

    def with_step(self, time: float, unknowns: np.ndarray, weights: np.ndarray) -> "Extrapolation":
        """Return the extrapolation after another step.

        Args:
            time: of its end.
            unknowns: (n + m,) that it has found.
            weights: (n,) of the first n unknowns in the error by which a degree is chosen.
        """
        points = self._best(time, unknowns, weights) if self.chooses else self.points
        values = np.empty_like(self.values)
        values[0], values[1:] = unknowns, self.values[:-1]
        return self.followed(time, values, points)

    @property
    def chooses(self) -> bool:
        """Whether the degree is chosen anew after the next step."""
        return self.steps % _SERVES == 0 or len(self.times) < _POINTS

    def followed(self, time: float, values: np.ndarray, points: int) -> "Extrapolation":
        """Return the extrapolation after a step to a time, with new values (4, n + m) and points."""
        return Extrapolation((time, *self.times[: _POINTS - 1]), values, points, self.steps + 1)

    def at(self, time: float) -> np.ndarray:
        """Return (n + m,) the unknowns at a time."""
        return self._through(self.points, time)

    def _through(self, points: int, time: float) -> np.ndarray:
        """Return the value of the polynomial through the newest points, in Lagrange's form."""
        nodes, weights = self.times[:points], []
        for node in nodes:
            weight = 1.0
            for other in nodes:
                if other != node:
                    weight *= (time - other) / (node - other)
            weights.append(weight)
        return np.asarray(np.dot(weights, self.values[:points]))

    def _best(self, time: float, unknowns: np.ndarray, weights: np.ndarray) -> int:
        """Return the number of points whose polynomial predicts the unknowns (n + m,) best."""

        def error(points: int) -> float:
            missed = (self._through(points, time) - unknowns)[: len(weights)] * weights
            return float(missed @ missed)

        return min(range(1, len(self.times) + 1), key=error)
