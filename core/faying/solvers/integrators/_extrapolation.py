"""Where the unknowns of a step are likely to be: a polynomial through those of the last steps."""

import math
from typing import Any

import numpy as np

_POINTS = 4  # of the polynomial of the highest degree
_SERVES = 8  # steps that a chosen degree serves


class Extrapolation:
    """Polynomials of degree 0 to 3 over time; the one that has met a step best serves for the next ones.

    What the iterations have left is noise that grows with the degree, and a force that sets in suddenly is no
    polynomial at all, so no degree is always the best.

    Args:
        weights: (n,) of the first n unknowns in the error.
        time, unknowns: where the run begins, (n + m,).
    """

    def __init__(self, weights: np.ndarray, time: float, unknowns: np.ndarray) -> None:
        self._weights = weights
        self._times = [time]  # newest first, as the values
        self._values = np.zeros((_POINTS, len(unknowns)))
        self._values[0] = unknowns
        self._points, self._steps = 1, 0

    def remember(self, time: float, unknowns: np.ndarray) -> None:
        """Add what a step has found."""
        if self._steps % _SERVES == 0 or len(self._times) < _POINTS:
            self._points = self._best(time, unknowns)
        self._steps += 1
        self._times = [time, *self._times[: _POINTS - 1]]
        self._values[1:] = self._values[:-1]
        self._values[0] = unknowns

    def memory(self) -> dict[str, Any]:
        """Return the last steps and the chosen degree."""
        return {"times": self._times, "values": self._values, "points": self._points, "steps": self._steps}

    def recall(self, memory: dict[str, Any]) -> None:
        """Take them up."""
        self._times, self._values = list(memory["times"]), memory["values"]
        self._points, self._steps = memory["points"], memory["steps"]

    def at(self, time: float) -> np.ndarray:
        """Return the unknowns at a time."""
        return self._through(self._points, time)

    def _through(self, points: int, time: float) -> np.ndarray:
        """Return the value of the polynomial through the newest points, in Lagrange's form."""
        nodes = self._times[:points]
        weights = [
            math.prod((time - other) / (node - other) for other in nodes if other != node) for node in nodes
        ]
        return np.asarray(np.dot(weights, self._values[:points]))

    def _best(self, time: float, unknowns: np.ndarray) -> int:
        """Return of how many points the polynomial tells some unknowns best."""

        def error(points: int) -> float:
            missed = (self._through(points, time) - unknowns)[: len(self._weights)] * self._weights
            return float(missed @ missed)

        return min(range(1, len(self._times) + 1), key=error)
