"""SuperLU from SciPy: always installed, single-threaded; the fallback where other solvers fail."""

import importlib.util
import threading

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.linalg.backends import FactorBackend, ZeroPivotError, factor_backends
from faying.linalg.room import least_entries, require_memory


@factor_backends.register("superlu")
class SuperLUFactor(FactorBackend):
    """LU on a symmetric ordering: nested dissection where METIS is installed, else minimum degree.

    A positive definite matrix needs no pivoting, which preserves the small fill of the symmetric ordering; other
    matrices are pivoted. The factorisation cannot be interrupted.
    """

    rank = 2
    library = "scipy"

    @classmethod
    def is_available(cls) -> bool:
        """Return True: SciPy is always installed."""
        return True

    def __init__(self, matrix: sp.csc_matrix, definite: bool, stop: threading.Event) -> None:
        """Factor a matrix."""
        # L and U, and the row number of each entry.
        require_memory(2.0 * 12.0 * least_entries(matrix.shape[0]), matrix.shape[0], at_least=True)
        self._order = _nested_dissection(matrix)
        permuted = matrix if self._order is None else matrix[self._order][:, self._order].tocsc()
        try:
            self._factor = spla.splu(
                permuted,
                permc_spec="MMD_AT_PLUS_A" if self._order is None else "NATURAL",
                diag_pivot_thresh=0.0 if definite else 0.1,
                options={"SymmetricMode": True},
            )
        except RuntimeError as error:
            if "singular" in str(error).lower():
                raise ZeroPivotError(str(error)) from error
            raise
        self.entries = int(self._factor.nnz)
        # Without pivoting U = D Lᵀ, and the signs of D are the inertia.
        unpivoted = np.array_equal(self._factor.perm_r, self._factor.perm_c)
        pivots = self._factor.U.diagonal() if unpivoted else None
        self.negative_pivots = None if pivots is None else int((pivots < 0.0).sum())

    def solve(self, right_hand_sides: np.ndarray) -> np.ndarray:
        """Return (n, k) solutions."""
        if self._order is None:
            plain: np.ndarray = self._factor.solve(right_hand_sides)
            return plain
        out = np.empty_like(right_hand_sides, order="F")
        out[self._order] = self._factor.solve(np.asfortranarray(right_hand_sides[self._order]))
        return out


def _nested_dissection(matrix: sp.csc_matrix) -> np.ndarray | None:
    """Return METIS' ordering of the matrix' graph, None without METIS or for a matrix too small to gain."""
    if matrix.shape[0] < 1000 or importlib.util.find_spec("pymetis") is None:
        return None
    import pymetis

    graph = matrix.copy()
    graph.setdiag(0.0)
    graph.eliminate_zeros()
    order, _ = pymetis.nested_dissection(adjacency=pymetis.CSRAdjacency(graph.indptr, graph.indices))
    return np.asarray(order, dtype=np.int64)
