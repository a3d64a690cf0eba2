"""Fourier coefficients of periodic motions, and the samples from which they follow."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


def functions_at(angles: np.ndarray | float, size: int) -> np.ndarray:
    """Return (…, size) the functions 1, cos θ, sin θ, cos 2θ, … at angles (…)."""
    angle = np.asarray(angles, float)
    found = np.ones((*angle.shape, size))
    for h in range(1, size // 2 + 1):
        found[..., 2 * h - 1], found[..., 2 * h] = np.cos(h * angle), np.sin(h * angle)
    return found


def turned_by(angle: float, coefficients: np.ndarray) -> np.ndarray:
    """Return (2 H + 1, …) coefficients of a periodic motion whose period begins later by an angle, in radians."""
    found = np.array(coefficients)
    for h in range(1, len(found) // 2 + 1):
        c, s = np.cos(h * angle), np.sin(h * angle)
        along, aside = coefficients[2 * h - 1], coefficients[2 * h]
        found[2 * h - 1], found[2 * h] = c * along + s * aside, c * aside - s * along
    return found


@dataclass(frozen=True)
class FourierBasis:
    """The functions 1, cos θ, sin θ, cos 2θ, sin 2θ, …, and equally spaced samples of them in a period.

    Attributes:
        harmonics: the highest harmonic, H.
        samples: number of samples in a period, more than 2 H.
    """

    harmonics: int
    samples: int

    @property
    def size(self) -> int:
        """Number of functions, 2 H + 1."""
        return 2 * self.harmonics + 1

    @cached_property
    def values(self) -> np.ndarray:
        """(samples, size) the functions at θ = 2π k/samples."""
        return functions_at(2.0 * np.pi * np.arange(self.samples) / self.samples, self.size)

    @cached_property
    def projection(self) -> np.ndarray:
        """(size, samples) coefficients from samples; `projection @ values` is the unit matrix."""
        found = 2.0 / self.samples * self.values.T
        found[0] *= 0.5
        return found

    @cached_property
    def orders(self) -> np.ndarray:
        """(size,) harmonic of each function."""
        return (np.arange(self.size) + 1) // 2

    def derivative(self, coefficients: np.ndarray) -> np.ndarray:
        """Return (size, …) coefficients of the derivative by θ."""
        found = np.zeros_like(coefficients)
        orders = self.orders[1::2].reshape(-1, *[1] * (coefficients.ndim - 1))
        np.multiply(orders, coefficients[2::2], out=found[1::2])
        np.multiply(-orders, coefficients[1::2], out=found[2::2])
        return found

    def padded(self, coefficients: np.ndarray) -> np.ndarray:
        """Return (size, …) coefficients with zeros for harmonics that are missing, or without those above H."""
        found = np.zeros((self.size, *coefficients.shape[1:]))
        count = min(self.size, len(coefficients))
        found[:count] = coefficients[:count]
        return found


def samples_for(harmonics: int) -> int:
    """Return how many samples a period needs: an error of 1e-4 in the force of a slider."""
    return max(64, 16 * harmonics)
