"""Sparse solvers that can factor a symmetric matrix. A member is one file, registered under its name."""

import threading
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from faying.registry import Registry

factor_backends: Registry[type["FactorBackend"]] = Registry("sparse solver", __name__)


class ZeroPivotError(ArithmeticError):
    """The matrix has a pivot that is zero."""


class NotDefiniteError(ArithmeticError):
    """The matrix is not positive definite."""


class Interrupted(Exception):  # noqa: N818 - an outcome, not an error
    """The factorisation stopped on request."""


class FactorBackend(ABC):
    """A factor of one symmetric matrix, by one library.

    Attributes:
        rank: the available solver with the lowest rank is the first choice.
        library: the distribution that does the work; its version is recorded with the results.
        iterative: whether it has no factor, but iterates for each solution.
        takes_triangle: whether it takes only the upper triangle, and owns its arrays from then on.
        negative_pivots: number of negative pivots, None when the library does not count them.
        entries: stored entries of the factor.
    """

    rank: ClassVar[int]
    library: ClassVar[str]
    iterative: ClassVar[bool] = False
    takes_triangle: ClassVar[bool] = False
    negative_pivots: int | None
    entries: int

    @classmethod
    @abstractmethod
    def is_available(cls) -> bool:
        """Return whether the library is installed."""

    @classmethod
    def suits(cls, equations: int, definite: bool) -> bool:
        """Return whether the solver is a good choice for a matrix."""
        return True

    @abstractmethod
    def __init__(self, matrix: Any, definite: bool, stop: threading.Event) -> None:
        """Factor a matrix.

        Args:
            matrix: symmetric, CSC, both triangles stored, rows sorted; an `UpperTriangle` for a solver that takes it.
            definite: whether it should be positive definite, so that no pivoting is needed.
            stop: set from another thread when the result is no longer wanted.

        Raises:
            ZeroPivotError: when it is singular.
            NotDefiniteError: when it should be positive definite, and only such matrices can be factored.
            Interrupted: when stopped, if the library supports it.
            MemoryNeedError: when the factor does not fit into memory; raised before factoring if the need is known.
            RuntimeError: when the library fails.
        """

    @abstractmethod
    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions for (n, k) right-hand sides, whatever their order in memory."""
