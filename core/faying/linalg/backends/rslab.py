"""rslab: supernodal Bunch-Kaufman LDLᵀ, threaded, with inertia; first choice for matrices that are not definite."""

import importlib
import importlib.util
import os
import threading
from functools import cache
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from faying.linalg.backends import FactorBackend, Interrupted, ZeroPivotError, factor_backends
from faying.linalg.room import least_entries, require_memory
from faying.linalg.threads import physical_cores

_MIN_DISSECTED = 30_000  # equations


@factor_backends.register("rslab")
class RslabFactor(FactorBackend):
    """LDLᵀ of any symmetric matrix; the numbers do not depend on the number of threads."""

    rank = 1
    library = "rslab"
    _process: ClassVar[int | None] = None  # the process that uses the library

    @classmethod
    def is_available(cls) -> bool:
        """Return whether the library is installed and has its threads.

        A process forked from one that used the library (by `multiprocessing` on Linux before Python 3.14) lacks these
        threads: a solution would crash or never end.
        """
        return importlib.util.find_spec("rslab") is not None and cls._process in (None, os.getpid())

    def __init__(self, matrix: sp.csc_matrix, definite: bool, stop: threading.Event) -> None:
        """Factor a matrix; checks `stop` between analysis and factorisation and during the latter."""
        require_memory(8.0 * least_entries(matrix.shape[0]), matrix.shape[0], at_least=True)
        RslabFactor._process = os.getpid()
        rslab = _library()
        interrupt = rslab.Interrupt()
        finished = threading.Event()

        def relay() -> None:
            # The library polls its own flag.
            while not finished.wait(0.05):
                if stop.is_set():
                    interrupt.cancel()
                    return

        threading.Thread(target=relay, name="stop relay", daemon=True).start()
        try:
            # A mesh of this size gains by nested dissection; trying the other orderings takes a fifth of the time.
            ordering = "metis" if matrix.shape[0] > _MIN_DISSECTED else "auto"
            self._factor = rslab.ldlt(
                matrix, threads=physical_cores(), interrupt=interrupt, ordering=ordering
            )
        except RuntimeError as error:
            words = str(error).lower()
            if "interrupt" in words:
                raise Interrupted from error
            if "rank" in words or "singular" in words or "zero" in words:
                raise ZeroPivotError(str(error)) from error
            raise
        finally:
            finished.set()
        _, self.negative_pivots, zero = self._factor.inertia
        self.entries = int(self._factor.factor_nnz)
        if zero:
            raise ZeroPivotError(f"{zero} pivots are zero")

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""
        if right_hand_sides.shape[1] == 1:
            single: np.ndarray = self._factor.solve(np.ascontiguousarray(right_hand_sides[:, 0]))[:, None]
            return single
        block: np.ndarray = self._factor.solve_many(np.ascontiguousarray(right_hand_sides))
        return block


@cache
def _library() -> Any:
    """Return the module, imported by a thread that never ends.

    rslab 1.7.0 crashes in any later solve when the thread that first imported it is gone (measured on
    Linux): its allocator belongs to that thread.
    """
    if threading.current_thread() is threading.main_thread():
        return importlib.import_module("rslab")
    loaded = threading.Event()
    found: list[Any] = []

    def load_and_stay() -> None:
        try:
            found.append(importlib.import_module("rslab"))
        finally:
            loaded.set()
        threading.Event().wait()

    threading.Thread(target=load_and_stay, name="keeper of rslab", daemon=True).start()
    loaded.wait()
    return found[0]
