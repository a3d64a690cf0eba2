"""Characteristics: scalar functions f(x) of forces, such as force over elongation. A member is one file."""

import math
from abc import abstractmethod
from typing import Any

import numpy as np

from faying.params import Member
from faying.registry import Registry

characteristics: Registry[type["Characteristic"]] = Registry("characteristic", __name__)


class Characteristic(Member):
    """A scalar function f(x); what x and f are, the force says that uses it.

    Numbers are in the project's units, angles in rad.
    """

    def __eq__(self, other: Any) -> bool:
        """Return whether all parameters are equal; values computed from them are ignored."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Return the hash of the parameters."""
        return hash((type(self), *self.__dict__.values()))

    @abstractmethod
    def value(self, x: float) -> float:
        """Return f(x)."""

    @abstractmethod
    def slope(self, x: float) -> float:
        """Return f′(x), at a corner that to its right."""

    @abstractmethod
    def integral(self, x: float) -> float:
        """Return the integral of f from 0 to x: the energy that a spring stores."""

    def moving(self, x: float, rate: float) -> float:
        """Return f while x changes at a rate; f(x) by default."""
        return self.value(x)

    def moving_slopes(self, x: float, rate: float) -> tuple[float, float]:
        """Return the derivatives of `moving` over x and over its rate."""
        return self.slope(x), 0.0

    def lines(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Return the curves (n,) that show it over x (n,), by name; f(x) alone by default.

        Raises:
            FayingError: when it has no value there.
        """
        return {"f(x)": np.array([self.value(each) for each in x.tolist()])}

    def given_points(self) -> dict[str, tuple[tuple[float, float], ...]]:
        """Return the points (x, f) that it is made of, by the parameter that has them; none of files."""
        return {}

    def span(self) -> tuple[float, float]:
        """Return from where to where it is shown: over its points, else one to either side of zero."""
        given = [x for points in self.given_points().values() for x, _ in points]
        known = [*given, *(end for end in self.ends() if math.isfinite(end))]
        return (min(known), max(known)) if known else (-1.0, 1.0)

    def ends(self) -> tuple[float, float]:
        """Return between which values of x the function is known; a run reports how far it was beyond."""
        return -math.inf, math.inf

    def loaded(self) -> "Characteristic":
        """Return the characteristic with the contents of its file in itself; a run calls this once, at its start.

        Raises:
            ReadError: when the file cannot be read.
        """
        return self
