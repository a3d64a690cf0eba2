"""PARDISO: chosen for large definite systems where MKL is installed, exact, and honest about others.

MKL is an extra package; without it these tests are skipped.
"""

import threading

import numpy as np
import pytest
import scipy.sparse as sp

from faying.errors import Cancelled
from faying.fem.assembly import assemble
from faying.linalg.backends import Interrupted, NotDefiniteError, pardiso
from faying.linalg.factor import SingularSystemError, factorize
from faying.progress import CancelFlag
from support.boxes import box, coupled_box
from support.clocks import Spent

pytestmark = pytest.mark.skipif(not pardiso.PardisoFactor.is_available(), reason="MKL is not installed")


def _held(element, cells, size):
    """Return the stiffness of a box that is held at one side."""
    model = box(element, cells, size)
    K = assemble(model).stiffness
    free = np.setdiff1d(np.arange(K.shape[0]), (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel())
    return K[free][:, free].tocsr()


@pytest.mark.parametrize("columns", [1, 7, 64])
def test_solutions_equal_those_of_another_solver(columns):
    """Reference kind: independent code (SuperLU, rslab)."""
    K = _held("tet10", (12, 4, 3), (12.0, 4.0, 2.0))
    loads = np.random.default_rng(0).standard_normal((K.shape[0], columns))
    found = factorize(K, backend="pardiso").solve(loads)
    for other in ("rslab", "superlu"):
        exact = factorize(K, backend=other).solve(loads)
        assert np.linalg.norm(found - exact) < 1e-10 * np.linalg.norm(exact)


@pytest.mark.parametrize("density", [0.0, 0.002, 0.02])
def test_matrices_of_any_pattern_in_several_pieces(density):
    rng = np.random.default_rng(1)
    a = sp.random(700, 700, density, random_state=rng)
    dense = rng.standard_normal((3, 3))
    K = sp.block_diag([a @ a.T + sp.identity(700), dense @ dense.T + np.eye(3), [[2.0]]]).tocsr()
    x = rng.standard_normal((704, 4))
    np.testing.assert_allclose(factorize(K, backend="pardiso").solve(K @ x), x, atol=1e-10)


def test_a_solution_does_not_depend_on_its_neighbours_in_the_block():
    K = _held("hex8_incompatible", (30, 4, 3), (30.0, 4.0, 3.0))
    loads = np.random.default_rng(2).standard_normal((K.shape[0], 16))
    factor = factorize(K, backend="pardiso")
    block = factor.solve(loads)
    np.testing.assert_allclose(factor.solve(loads[:, 3]), block[:, 3], rtol=1e-9)
    np.testing.assert_allclose(factor.solve(loads), block, rtol=1e-9, atol=1e-12 * abs(block).max())


def test_large_definite_systems_take_it_and_others_do_not(monkeypatch):
    K = _held("hex8_incompatible", (6, 3, 2), (6.0, 3.0, 2.0))
    assert factorize(K).backend == "rslab"
    monkeypatch.setattr(pardiso, "_MIN_EQUATIONS", 0)
    assert factorize(K).backend == "pardiso"
    assert factorize(K, definite=False).backend == "rslab"


def test_constraints_do_not_shut_it_out(monkeypatch):
    """A floating body that distributing couplings hold. Reference kind: independent code (SuperLU, rslab)."""
    monkeypatch.setattr(pardiso, "_MIN_EQUATIONS", 0)
    K, C = coupled_box((8, 3, 2))
    found = factorize(K, C)
    assert found.backend == "pardiso"
    loads = np.random.default_rng(4).standard_normal((K.shape[0], 3))
    values = np.random.default_rng(5).standard_normal((C.shape[0], 3))
    x, multipliers = found.solve_with_multipliers(loads, values)
    for other in ("rslab", "superlu"):
        y, others = factorize(K, C, backend=other).solve_with_multipliers(loads, values)
        assert np.linalg.norm(x - y) < 1e-8 * np.linalg.norm(y)
        assert np.linalg.norm(multipliers - others) < 1e-8 * np.linalg.norm(others)


def test_what_is_wrong_with_others_is_said_as_before(monkeypatch):
    monkeypatch.setattr(pardiso, "_MIN_EQUATIONS", 0)
    with pytest.raises(SingularSystemError, match="can still move"):
        factorize(assemble(box("tet10", (3, 2, 2), (3.0, 2.0, 1.0))).stiffness)
    K = _held("hex8_incompatible", (6, 3, 2), (6.0, 3.0, 2.0)).tolil()
    K[40, 40] *= -1.0
    with pytest.raises(SingularSystemError, match="not positive definite: 1 of"):
        factorize(K.tocsr())
    with pytest.raises(NotDefiniteError):
        pardiso.PardisoFactor(sp.csc_matrix(-sp.identity(5)), True, threading.Event())


def test_it_stops_when_asked(monkeypatch):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Interrupted):
        pardiso.PardisoFactor(sp.csc_matrix(sp.identity(5)), True, stop)
    monkeypatch.setattr(pardiso, "_MIN_EQUATIONS", 0)
    K = _held("tet10", (30, 12, 10), (30.0, 12.0, 10.0))
    flag = CancelFlag()
    threading.Timer(0.3, flag.cancel).start()
    spent = Spent()
    with pytest.raises(Cancelled):
        factorize(K, progress=flag)
    assert spent.seconds < 0.3 + 2.0
