"""Contract of sparse solvers: accurate solutions, whatever the units of the unknowns, or one of the known errors."""

import threading
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.sparse as sp

from faying.linalg.backends import FactorBackend, NotDefiniteError, ZeroPivotError, factor_backends
from faying.testing.contracts.members import Contract


class FactorBackendContract(Contract):
    """Definite and indefinite matrices, one and many right-hand sides; skipped if its library is not installed."""

    family: ClassVar[Any] = factor_backends

    @pytest.fixture
    def backend(self, kind: str) -> type[FactorBackend]:
        """The tested solver."""
        found: type[FactorBackend] = self.family[kind]
        if not found.is_available():
            pytest.skip(f"{found.library} is not installed")
        return found

    def matrix(self, n: int = 120) -> sp.csc_matrix:
        """Return a definite matrix with sorted rows."""
        a = sp.random(n, n, 0.05, random_state=np.random.default_rng(1))
        made = sp.csc_matrix(a @ a.T + sp.identity(n))
        made.sort_indices()
        return made

    @pytest.mark.parametrize("columns", [1, 7, 70])
    def test_solutions_are_right(self, backend: type[FactorBackend], columns: int) -> None:
        matrix = self.matrix()
        factor = backend(matrix, True, threading.Event())
        wanted = np.random.default_rng(2).normal(size=(matrix.shape[0], columns))
        for order in ("C", "F"):
            right = np.array(matrix @ wanted, order=order)  # type: ignore[call-overload]
            kept = right.copy()
            np.testing.assert_allclose(factor.solve(right), wanted, rtol=1e-8, atol=1e-10)
            np.testing.assert_array_equal(right, kept)
        assert factor.entries >= matrix.shape[0]
        assert factor.negative_pivots in (0, None)

    def test_what_is_indefinite_is_solved_or_refused(self, backend: type[FactorBackend]) -> None:
        matrix = self.matrix() - 3.0 * sp.identity(120, format="csc")
        negative = int((np.linalg.eigvalsh(matrix.toarray()) < 0.0).sum())
        with pytest.raises(NotDefiniteError):
            factor = backend(sp.csc_matrix(matrix), True, threading.Event())
            if factor.negative_pivots is not None:  # it can, and says so
                assert factor.negative_pivots == negative
                raise NotDefiniteError
            x = factor.solve(np.ones((120, 1)))
            np.testing.assert_allclose(matrix @ x, 1.0, atol=1e-8)
            raise NotDefiniteError

    def test_what_is_singular_is_no_solution(self, backend: type[FactorBackend]) -> None:
        """Refused, or seen by the pivots or by the numbers that come out."""
        matrix = sp.csc_matrix(sp.diags([np.r_[np.ones(5), 0.0]], [0]))
        try:
            found = backend(matrix, False, threading.Event()).solve(np.ones((6, 1)))
        except (ZeroPivotError, NotDefiniteError, RuntimeError):
            return
        assert not np.isfinite(found).all() or np.abs(found).max() > 1e6
