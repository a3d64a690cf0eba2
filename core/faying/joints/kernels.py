"""Products with a few of a joint's rows: what an evaluation of the joint spends its time with.

To gather the closed pairs' rows by numpy copies them, which costs three times what reading them does; the
compiled kernels read them in place. Without numba numpy does the same, slower.
"""

from functools import cache
from typing import Protocol

import numpy as np


class Kernels(Protocol):
    """What the compiled and the plain kernels have in common: rows are (n, k, r), contiguous."""

    def times(self, rows: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return (m, k) products of the rows of the pairs (m,) with coordinates (r,)."""

    def combine(self, rows: np.ndarray, pairs: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Return (r,) the sum of the rows of the pairs (m,), each times its factor (m, k)."""


class PlainKernels:
    """The kernels in numpy."""

    def times(self, rows: np.ndarray, pairs: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return (m, k); see `Kernels`."""
        return np.asarray(rows[pairs] @ q)

    def combine(self, rows: np.ndarray, pairs: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Return (r,); see `Kernels`."""
        return np.asarray(factors.ravel() @ rows[pairs].reshape(-1, rows.shape[2]))


@cache
def kernels() -> Kernels:
    """Return the compiled kernels, or the plain ones where numba is missing.

    Loading numba takes a second, and compiling for the first time some more: ask when there is work to do.
    """
    try:
        from faying.joints import kernels_compiled
    except (ImportError, RuntimeError):  # not installed, or no folder where its code can be kept
        return PlainKernels()
    return kernels_compiled
