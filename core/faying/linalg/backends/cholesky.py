"""Multifrontal Cholesky of our own: compiled by numba, ordered by METIS; the first choice for what is definite."""

import importlib.util
import threading

import numpy as np
import scipy.sparse as sp

from faying.linalg.backends import FactorBackend, factor_backends
from faying.linalg.ordering import has_metis

_WORTHWHILE = 20_000  # equations; the kernels compile once, for ten seconds, and load in half a second


@factor_backends.register("cholesky")
class CholeskyFactor(FactorBackend):
    """LLᵀ without pivoting. It listens to `stop` between subtrees, but not while METIS orders them."""

    rank = 0

    @classmethod
    def is_available(cls) -> bool:
        """Return whether numba and METIS are installed."""
        return importlib.util.find_spec("numba") is not None and has_metis()

    @classmethod
    def suits(cls, equations: int, definite: bool) -> bool:
        """Return whether the matrix is definite and large."""
        return definite and equations >= _WORTHWHILE

    def __init__(self, matrix: sp.csc_matrix, definite: bool, stop: threading.Event) -> None:
        """Factor a matrix."""
        try:
            from faying.linalg.multifrontal import MultifrontalCholesky
        except ImportError as error:  # a numba that does not fit its compiler; the next solver takes over
            raise RuntimeError(f"its kernels cannot be loaded: {error}") from error
        self._factor = MultifrontalCholesky(matrix, stop)
        self.entries, self.negative_pivots = self._factor.entries, 0

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""
        return self._factor.solve(right_hand_sides)
