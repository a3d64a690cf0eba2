"""The sparse factor, its back ends and the lowest modes."""

import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.errors import Cancelled, SolveError
from faying.fem.assembly import assemble
from faying.linalg.backends import FactorBackend, NotDefiniteError, factor_backends, pardiso
from faying.linalg.bordered import MOST_ROWS
from faying.linalg.eliminated import fills_little
from faying.linalg.factor import SingularSystemError, factorize
from faying.linalg.modes import lowest_modes
from faying.linalg.sparse_factor import ScaledSystem, SparseFactor
from faying.linalg.symmetric import SymmetricPart
from faying.linalg.threads import physical_cores
from faying.progress import CancelFlag
from support.boxes import box, coupled_box, spot_coupled_box
from support.clocks import Spent

BACKENDS = [name for name, kind in factor_backends.items() if kind.is_available() and not kind.iterative]
# The first choice for small equations: MKL is for large ones.
USUAL = min((name for name in BACKENDS if name != "pardiso"), key=lambda name: factor_backends[name].rank)
ANY_MATRIX = [name for name in BACKENDS if factor_backends[name].suits(10**6, definite=False)]


def _definite(n=300, seed=0):
    rng = np.random.default_rng(seed)
    a = sp.random(n, n, 0.02, random_state=rng)
    units = sp.diags(np.exp(rng.uniform(-8, 8, n)))  # dofs in very different units
    return (units @ (a @ a.T + sp.identity(n)) @ units).tocsr()


def _lattice(n):
    """Return the seven-point stiffness of an n × n × n lattice held at its outside."""
    eye, line = sp.identity(n), sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return (
        sp.kron(sp.kron(line, eye), eye) + sp.kron(sp.kron(eye, line), eye) + sp.kron(sp.kron(eye, eye), line)
    ).tocsr()


def _relative_difference(x, y):
    return np.linalg.norm(x - y) / np.linalg.norm(y)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("columns", [None, 1, 64, 130])
def test_solves_a_definite_system(backend, columns):
    K = _definite()
    factor = factorize(K, backend=backend)
    assert (factor.n, factor.backend) == (K.shape[0], backend)
    wanted = np.random.default_rng(1).standard_normal((300,) if columns is None else (300, columns))
    for order in "CF":
        found = factor.solve(np.asarray(K @ wanted, order=order))
        assert found.shape == wanted.shape
        scale = np.sqrt(K.diagonal())[:, None] if columns else np.sqrt(K.diagonal())
        assert _relative_difference(found * scale, wanted * scale) < 1e-8


@pytest.mark.parametrize("backend", ANY_MATRIX)
def test_solves_with_constraints_and_gives_their_multipliers(backend):
    rng = np.random.default_rng(2)
    n, m = 120, 7
    K = _definite(n)
    C = sp.csr_matrix(rng.standard_normal((m, n)) * np.logspace(-4, 4, m)[:, None])
    factor = factorize(K, C, backend=backend)
    loads, values = rng.standard_normal((n, 70)), rng.standard_normal((m, 70))
    x, multipliers = factor.solve_with_multipliers(loads, values)
    saddle = np.block([[K.toarray(), C.T.toarray()], [C.toarray(), np.zeros((m, m))]])
    scale = 1 / np.sqrt(np.r_[K.diagonal(), np.square(C.toarray() / np.sqrt(K.diagonal())).sum(axis=1)])
    exact = scale[:, None] * la.solve(
        saddle * scale * scale[:, None], scale[:, None] * np.vstack([loads, values])
    )
    np.testing.assert_allclose(x, exact[:n], rtol=1e-6, atol=1e-9 * np.abs(exact[:n]).max())
    np.testing.assert_allclose(multipliers, exact[n:], rtol=1e-6, atol=1e-9 * np.abs(exact[n:]).max())
    np.testing.assert_array_equal(factor.solve(loads, values), x)
    single = factor.solve(loads[:, 0])
    assert single.shape == (n,)
    assert np.abs(C @ single).max() < 1e-9 * np.abs(C @ np.abs(single)).max()


@pytest.mark.parametrize("backend", ANY_MATRIX)
def test_constraints_may_hold_what_the_stiffness_leaves_free(backend):
    # A chain of springs that floats, held in its mean; and a massless dof that follows the mean.
    n = 200
    K = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tolil()
    K[0, 0] = K[-1, -1] = 1.0
    mean = sp.csr_matrix(np.full((1, n), 1.0 / n))
    factor = factorize(K.tocsr(), mean, backend=backend)
    load = np.zeros(n)
    load[-1], load[0] = 1.0, -1.0
    x = factor.solve(load)
    np.testing.assert_allclose(x, np.arange(n) - (n - 1) / 2, atol=1e-8)
    held = sp.block_diag([K, sp.csr_matrix((1, 1))]).tocsr()
    both = sp.vstack(
        [sp.hstack([-mean, [[1.0]]]), sp.csr_matrix(([1.0], ([0], [0])), shape=(1, n + 1))]
    ).tocsr()
    factor = factorize(held, both, backend=backend)
    load = np.zeros(n + 1)
    load[-1] = 3.0
    x, multipliers = factor.solve_with_multipliers(load)
    np.testing.assert_allclose(held @ x + both.T @ multipliers, load, atol=1e-9)
    np.testing.assert_allclose(both @ x, 0.0, atol=1e-9)
    assert multipliers[0] == pytest.approx(3.0)


def test_constraints_leave_a_definite_matrix_to_the_sparse_solver(monkeypatch):
    K, C = coupled_box((6, 3, 2))
    solver, asked = factor_backends["superlu"], []
    make = solver.__init__

    def spy(self, matrix, definite, stop):
        asked.append((matrix.shape[0], definite))
        make(self, matrix, definite, stop)

    monkeypatch.setattr(solver, "__init__", spy)
    factor = factorize(K, C, backend="superlu")
    n, m = C.shape[1], C.shape[0]
    assert m == 12 and asked == [(n - m, True)]
    loads, values = np.zeros((n, 1)), np.zeros((m, 1))
    loads[n // 2], values[7] = 1e3, 1e-3
    x, multipliers = factor.solve_with_multipliers(loads, values)
    forces = np.abs(K) @ np.abs(x) + np.abs(loads)
    assert np.abs(K @ x + C.T @ multipliers - loads).max() < 1e-12 * forces.max()
    assert np.abs(C @ x - values).max() < 1e-12


@pytest.mark.parametrize("backend", BACKENDS)
def test_many_constraints_are_eliminated_before_the_sparse_solver(monkeypatch, backend):
    """Reference: the saddle point, by LU with pivoting."""
    K, C = spot_coupled_box((24, 12, 1), (12, 6))
    n, m, solver, asked = K.shape[0], C.shape[0], factor_backends[backend], []
    make = solver.__init__

    def spy(self, matrix, definite, stop):
        asked.append((matrix.shape[0], definite))
        make(self, matrix, definite, stop)

    monkeypatch.setattr(solver, "__init__", spy)
    factor = factorize(K, C, backend=backend)
    assert m > MOST_ROWS and asked == [(n - m, True)] and factor.backend == backend
    rng = np.random.default_rng(5)
    loads, values = rng.standard_normal((n, 3)), 1e-3 * rng.standard_normal((m, 3))
    x, multipliers = factor.solve_with_multipliers(loads, values)
    size = 1.0 / np.sqrt(K.diagonal())
    S, rows = sp.diags_array(size), sp.csr_matrix(C @ sp.diags_array(size))
    scaled = sp.block_array([[S @ K @ S, rows.T], [rows, None]])
    both = spla.splu(scaled.tocsc()).solve(np.vstack([size[:, None] * loads, values]))
    wanted = size[:, None] * both[:n], both[n:]
    for found, right in zip((x, multipliers), wanted, strict=True):
        assert np.abs(found - right).max() < 1e-9 * np.abs(right).max()


def test_long_constraints_are_not_eliminated():
    """Each fills in a square over what it couples."""
    K, some = _lattice(12), np.arange(0, 1700, 5)
    short = sp.csr_matrix((np.ones(340), (np.arange(340), some)), shape=(340, 1728))
    assert fills_little(ScaledSystem(K, short))
    long = sp.csr_matrix(np.random.default_rng(3).standard_normal((12, 1728)))
    assert not fills_little(ScaledSystem(K, long))


@pytest.mark.parametrize("backend", ANY_MATRIX)
def test_a_body_that_can_move_is_refused_with_its_motion(backend):
    model = box("tet10", (3, 2, 2), (3.0, 2.0, 1.0))
    K = assemble(model).stiffness
    with pytest.raises(SingularSystemError, match="can still move") as caught:
        factorize(K, backend=backend)
    motion = caught.value.motion
    if motion is not None:
        assert np.abs(motion).max() == pytest.approx(1.0)
        assert np.linalg.norm(K @ motion) < 1e-10 * abs(K).max()
    # Held in one corner only, it can still turn.
    with pytest.raises(SingularSystemError, match="can still move"):
        factorize(K[3:][:, 3:], backend=backend)
    # A statically determinate support is enough.
    corner = [
        int(np.flatnonzero((model.nodes == p).all(axis=1))[0]) for p in ([0, 0, 0], [3, 0, 0], [0, 2, 0])
    ]
    held = [
        3 * corner[0],
        3 * corner[0] + 1,
        3 * corner[0] + 2,
        3 * corner[1] + 1,
        3 * corner[1] + 2,
        3 * corner[2] + 2,
    ]
    free = np.setdiff1d(np.arange(K.shape[0]), held)
    factorize(K[free][:, free], backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_slender_structure_is_not_taken_for_a_loose_one(backend):
    model = box("hex8_incompatible", (200, 1, 1), (2000.0, 1.0, 1.0))
    K = assemble(model).stiffness
    free = np.setdiff1d(np.arange(K.shape[0]), (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel())
    load = np.zeros(len(free))
    tip = np.searchsorted(free, 3 * model.node_sets["XMAX"] + 2)
    load[tip] = 0.25
    deflection = factorize(K[free][:, free], backend=backend).solve(load)[tip].mean()
    assert deflection == pytest.approx(2000.0**3 / (3 * 210000.0 / 12), rel=2e-2)


@pytest.mark.parametrize("backend", ANY_MATRIX)
def test_negative_stiffness_is_refused_unless_allowed(backend):
    K = _definite(80).tolil()
    K[3, 3] *= -1.0
    K = K.tocsr()
    with pytest.raises(SingularSystemError, match="not positive definite"):
        factorize(K, backend=backend)
    x = np.random.default_rng(0).standard_normal(80) / np.sqrt(np.abs(K.diagonal()))
    found = factorize(K, definite=False, backend=backend).solve(K @ x)
    np.testing.assert_allclose(found, x, rtol=1e-6, atol=1e-9 * np.abs(x).max())


@pytest.mark.parametrize("backend", [None, *ANY_MATRIX])
@pytest.mark.parametrize(("n", "m"), [(200, 5), (2000, 400)], ids=["bordered", "eliminated"])
def test_negative_stiffness_is_refused_beside_constraints_as_well(n, m, backend):
    K = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tolil()
    K[n - 1, n - 1] = -3.0
    K = K.tocsr()
    pairs = np.arange(m)
    C = sp.csr_matrix(
        (np.tile([1.0, -1.0], m), (np.repeat(pairs, 2), np.arange(2 * m))), shape=(m, n)
    )  # of dofs that are far from the negative spring
    with pytest.raises(SingularSystemError, match="not positive definite: 1 of its directions"):
        factorize(K, C, backend=backend)
    x = np.random.default_rng(0).standard_normal(n)
    x[1 : 2 * m : 2] = x[: 2 * m : 2]
    found = factorize(K, C, definite=False, backend=backend).solve(K @ x)
    np.testing.assert_allclose(found, x, atol=1e-9 * n)
    # A constraint that holds the negative spring leaves a definite rest.
    held = sp.vstack([C, sp.csr_matrix(([1.0], ([0], [n - 1])), shape=(1, n))]).tocsr()
    x[-1] = 0.0
    found = factorize(K, held, backend=backend).solve(K @ x)
    np.testing.assert_allclose(found, x, atol=1e-9 * n)


@pytest.mark.skipif("rslab" not in BACKENDS, reason="there is nothing to compare with")
def test_back_ends_agree():
    K = _lattice(14)
    load = np.random.default_rng(0).standard_normal((K.shape[0], 5))
    first, second = (factorize(K, backend=name).solve(load) for name in ("rslab", "superlu"))
    assert _relative_difference(first, second) < 1e-13


def test_the_next_solver_takes_over_when_one_is_inaccurate(monkeypatch, caplog):
    class Sloppy(FactorBackend):
        rank, negative_pivots, entries = -1, 0, 1

        @classmethod
        def is_available(cls):
            return True

        def __init__(self, matrix, definite, stop):
            pass

        def solve(self, right_hand_sides):
            return right_hand_sides * 1.0

    monkeypatch.setitem(factor_backends._members, "sloppy", Sloppy)
    factor = factorize(_lattice(6))
    assert factor.backend == USUAL
    assert "sloppy leaves a residual" in caplog.text
    with pytest.raises(SolveError, match="No sparse solver could factor the 216 equations"):
        factorize(_lattice(6), backend="sloppy")


def test_a_solver_with_few_digits_is_refined_until_its_solutions_have_all(monkeypatch):
    """Kind: manufactured solution. A factor that is off by 1e-11 errs by 1e-11 times the condition, here by 1e-4."""

    class Rough(FactorBackend):
        rank, negative_pivots, entries = -1, 0, 1

        @classmethod
        def is_available(cls):
            return True

        def __init__(self, matrix, definite, stop):
            whole = sp.csc_matrix(matrix)
            noise = np.random.default_rng(1).uniform(-1e-11, 1e-11, whole.shape[0])
            self._factor = sp.linalg.splu(sp.csc_matrix(whole + sp.diags(noise)))

        def solve(self, right_hand_sides):
            return self._factor.solve(np.asfortranarray(right_hand_sides))

    monkeypatch.setitem(factor_backends._members, "rough", Rough)
    n = 4000
    K = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()  # its condition is (2 n/π)² = 6e6
    x = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))
    factor = factorize(K, backend="rough")
    assert factor.backend == "rough"
    assert _relative_difference(factor.solve(K @ x), x) < 1e-9
    x = np.random.default_rng(2).standard_normal((n, 3))
    assert _relative_difference(factor.solve(K @ x), x) < 1e-9


def test_a_factorisation_can_be_cancelled_within_two_seconds():
    flag = CancelFlag()
    K = _lattice(45)  # a second or more of work, with large fill
    K = sp.kron(K, np.eye(3) + 0.1).tocsr()
    threading.Timer(0.4, flag.cancel).start()
    spent = Spent()
    with pytest.raises(Cancelled):
        factorize(K, progress=flag)
    assert spent.seconds < 0.4 + 2.0


def test_a_cancel_before_the_start_costs_nothing():
    flag = CancelFlag()
    flag.cancel()
    with pytest.raises(Cancelled):
        factorize(_lattice(5), progress=flag)


def test_factors_survive_the_thread_that_made_them():
    """Reference kind: regression (the solver's library crashed when its first importing thread had ended)."""
    script = (
        "import threading, numpy as np, scipy.sparse as sp\n"
        "from faying.linalg.factor import factorize\n"
        "n = 20\n"
        "line, eye = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)), sp.identity(n)\n"
        "K = sp.kron(sp.kron(line, eye), eye) + sp.kron(sp.kron(eye, line), eye) + sp.kron(sp.kron(eye, eye), line)\n"
        "K = sp.kron(K, np.eye(3) + 0.1).tocsr()\n"
        "made = []\n"
        "t = threading.Thread(target=lambda: made.append(factorize(K))); t.start(); t.join()\n"
        "x = made[0].solve(np.ones(K.shape[0]))\n"
        "assert abs(K @ x - 1).max() < 1e-9\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_physical_cores_is_a_sensible_number():
    import os

    assert 1 <= physical_cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_lowest_modes_equal_the_dense_ones(backend):
    model = box("hex8_incompatible", (8, 3, 2), (8.0, 3.0, 1.0))
    matrices = assemble(model)
    free = np.setdiff1d(
        np.arange(matrices.dofs.n_dofs), (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel()
    )
    K, M = matrices.stiffness[free][:, free], matrices.mass[free][:, free]
    factor = factorize(K, backend=backend)
    values, modes = lowest_modes(M, 12, factor)
    exact = la.eigh(K.toarray(), M.toarray(), eigvals_only=True)[:12]
    np.testing.assert_allclose(values, exact, rtol=1e-9)
    np.testing.assert_allclose(modes.T @ (M @ modes), np.eye(12), atol=1e-10)
    sizes = np.abs(modes)
    first = (sizes > 0.999999 * sizes.max(axis=0)).argmax(axis=0)
    assert (modes[first, np.arange(12)] > 0).all()
    again = lowest_modes(M, 12, factor)
    np.testing.assert_array_equal(again[1], modes)


def test_lowest_modes_obey_constraints_with_many_and_with_few_dofs():
    for n, count in ((150, 8), (12, 4)):
        K = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()
        M = sp.identity(n).tocsr() * 2.0
        C = sp.csr_matrix(np.vstack([np.ones(n), np.arange(n)]))
        values, modes = lowest_modes(M, count, factorize(K, C))
        null = la.null_space(C.toarray())
        exact = la.eigh(null.T @ K @ null, 2.0 * np.eye(n - 2), eigvals_only=True)[:count]
        np.testing.assert_allclose(values, exact, rtol=1e-8)
        assert np.abs(C @ modes).max() < 1e-8
        np.testing.assert_allclose(modes.T @ (M @ modes), np.eye(count), atol=1e-9)


def test_modes_of_a_body_with_fewer_dofs_with_mass_than_asked():
    K = sp.csr_matrix(np.diag([1.0, 4.0, 9.0]))
    M = sp.csr_matrix(np.diag([1.0, 1.0, 0.0]))
    values, modes = lowest_modes(M, 3, factorize(K))
    np.testing.assert_allclose(values, [1.0, 4.0])
    np.testing.assert_allclose(modes, [[1, 0], [0, 1], [0, 0]], atol=1e-12)


def test_modes_can_be_cancelled():
    K = _lattice(8)
    flag = CancelFlag()
    factor = factorize(K)
    flag.cancel()
    with pytest.raises(Cancelled):
        lowest_modes(sp.identity(K.shape[0]).tocsr(), 20, factor, flag)


def test_a_library_that_does_not_load_leaves_the_work_to_the_next_one(monkeypatch, caplog, tmp_path):
    broken = tmp_path / "libmkl_rt.so"
    broken.write_bytes(b"no library")
    monkeypatch.setattr(pardiso, "_library_file", lambda: str(broken))
    monkeypatch.setattr(pardiso, "_MIN_EQUATIONS", 0)
    pardiso._library.cache_clear()
    assert factorize(sp.identity(40, format="csr") * 2.0).backend == USUAL
    assert "MKL cannot be loaded" in caplog.text
    pardiso._library.cache_clear()


def test_a_negative_direction_that_is_met_only_while_solving_is_a_sentence():
    """A solver that iterates may meet one of a later right-hand side; what it raised was no error of Faying."""

    class Iterating:
        negative_pivots, entries = None, 1

        def solve(self, right_hand_sides):
            raise NotDefiniteError

    system = ScaledSystem(SymmetricPart.whole(_definite(30)), None)
    with pytest.raises(SingularSystemError, match=r"not positive definite. Look for springs"):
        SparseFactor("iterating", Iterating(), system).solve(np.ones(30))


FORKED = """
import multiprocessing, sys
import scipy.sparse as sp
from faying.linalg.backends import factor_backends
from faying.linalg.factor import factorize

matrix = sp.csr_matrix([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])

def solved(number):
    return float(factorize(matrix, backend=None if number else "rslab").solve(matrix @ [1.0, 2.0, number])[2])

if __name__ == "__main__":
    solved(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(solved, range(1, 7)))
"""


@pytest.mark.skipif("rslab" not in BACKENDS or not hasattr(os, "fork"), reason="needs rslab and fork")
def test_processes_that_are_forked_after_a_solution_solve_too(tmp_path):
    """They lack the threads of rslab, and waited for them for ever."""
    script = tmp_path / "script.py"
    script.write_text(FORKED)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True
    )
    assert np.allclose(json.loads(done.stdout), range(1, 7)), done.stdout
