"""PARDISO of Intel's MKL, an extra package for x86: supernodal Cholesky; first choice for definite matrices."""

import ctypes
import os
import threading
import weakref
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from faying.linalg.backends import FactorBackend, Interrupted, NotDefiniteError, factor_backends
from faying.linalg.room import require_memory
from faying.linalg.symmetric import SymmetricPart, UpperTriangle
from faying.linalg.threads import physical_cores

_MIN_EQUATIONS = 20_000  # equations
_POSITIVE_DEFINITE = 2  # kind of matrix
_ANALYSE, _FACTOR, _SOLVE, _RELEASE = 11, 22, 33, -1  # phases
_NOT_DEFINITE = -4


@factor_backends.register("pardiso")
class PardisoFactor(FactorBackend):
    """LLᵀ without pivoting, ordered by METIS. It checks `stop` between analysis and factorisation."""

    rank = 0
    library = "mkl"
    takes_triangle: ClassVar[bool] = True

    @classmethod
    def is_available(cls) -> bool:
        """Return whether MKL is installed."""
        return _library_file() is not None

    @classmethod
    def suits(cls, equations: int, definite: bool) -> bool:
        """Return whether the matrix is definite and large."""
        return definite and equations >= _MIN_EQUATIONS

    def __init__(self, matrix: sp.csc_matrix | UpperTriangle, definite: bool, stop: threading.Event) -> None:
        """Factor a matrix."""
        _library()  # before there is anything to release
        if not isinstance(matrix, UpperTriangle):
            # Columns of a symmetric matrix are its rows.
            matrix = SymmetricPart.whole(sp.csr_matrix((matrix.data, matrix.indices, matrix.indptr))).upper()
        self._matrix = (matrix.data, matrix.indptr, matrix.indices)
        self._handle, self._settings = np.zeros(64, np.int64), np.zeros(64, np.int32)
        # No default values; nested dissection by all threads; report the factor's entries; solve right-hand sides in
        # parallel; indices begin at zero.
        self._settings[[0, 1, 17, 24, 34]] = 1, 3, -1, 2, 1
        self._size = matrix.shape[0]
        self._lock = threading.Lock()
        release = weakref.finalize(
            self, _call, _RELEASE, self._handle, self._size, self._matrix, self._settings
        )
        # An abandoned factorisation may still be running when the process ends.
        release.atexit = False
        _call(_ANALYSE, self._handle, self._size, self._matrix, self._settings)
        if stop.is_set():
            raise Interrupted
        # Kilobytes: peak of the analysis, its permanent memory, and the memory of factor and solutions.
        analysis, kept, factor = (int(self._settings[i]) for i in (14, 15, 16))
        require_memory(1024.0 * max(kept + factor - analysis, factor), self._size)
        _call(_FACTOR, self._handle, self._size, self._matrix, self._settings)
        self.entries, self.negative_pivots = int(self._settings[17]), 0

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""
        columns = np.ascontiguousarray(right_hand_sides.T)
        found = np.empty_like(columns)
        with self._lock:  # one handle serves one call at a time
            _call(_SOLVE, self._handle, self._size, self._matrix, self._settings, columns, found)
        # A megabyte per thread that has ever solved, and `patiently` takes a new thread for each block.
        _library().MKL_Free_Buffers()
        return found.T


def _call(
    phase: int,
    handle: np.ndarray,
    size: int,
    matrix: tuple[np.ndarray, np.ndarray, np.ndarray],
    settings: np.ndarray,
    right: np.ndarray | None = None,
    found: np.ndarray | None = None,
) -> None:
    """Call the library for one phase.

    Raises:
        NotDefiniteError: when a pivot is not positive.
        RuntimeError: when it fails otherwise, for example for lack of memory.
    """
    number, outcome = ctypes.c_int, ctypes.c_int(0)
    nothing = np.zeros(1)
    right, found = (nothing, nothing) if right is None or found is None else (right, found)
    values, pointers, indices = (_address(part) for part in matrix)
    # For this thread alone: a caller's limit for dense algebra must not limit the factorisation as well.
    _library().MKL_Set_Num_Threads_Local(physical_cores())
    one, columns = ctypes.byref(number(1)), right.shape[0] if right is not nothing else 1
    _library().pardiso(
        _address(handle), one, one, ctypes.byref(number(_POSITIVE_DEFINITE)), ctypes.byref(number(phase)),
        ctypes.byref(number(size)), values, pointers, indices, _address(np.zeros(size, np.int32)),
        ctypes.byref(number(columns)), _address(settings), ctypes.byref(number(0)),
        _address(right), _address(found), ctypes.byref(outcome),
    )  # fmt: skip
    if outcome.value == _NOT_DEFINITE:
        raise NotDefiniteError
    if outcome.value and phase != _RELEASE:
        raise RuntimeError(f"PARDISO ends with {outcome.value}")


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


@cache
def _library() -> Any:
    # Its threads would spin for 0.2 s after each call, and take the cores from those of other libraries.
    os.environ.setdefault("KMP_BLOCKTIME", "0")
    try:
        library = ctypes.CDLL(str(_library_file()))
    except OSError as error:
        raise RuntimeError(f"MKL cannot be loaded: {error}") from error
    return library


@cache
def _library_file() -> str | None:
    """Return the path of the library; None without the package."""
    try:
        files = distribution("mkl").files or []
    except PackageNotFoundError:
        return None
    for file in files:
        if file.name.startswith(("libmkl_rt.so", "mkl_rt.", "libmkl_rt.dylib")):
            return str(file.locate())
    return None
