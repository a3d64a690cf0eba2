"""Corrections with one factor for many tangents; when the iteration stops."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.errors import Cancelled
from faying.progress import CancelFlag, Silent
from faying.solvers.newton import solve_newton
from faying.solvers.tangent import SparseTangent


def chain(n):
    return sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()


def springs(n, at, stiffness):
    """Return the Jacobian of springs to the ground at some dofs."""
    diagonal = np.zeros(n)
    diagonal[at] = -stiffness
    return sp.diags(diagonal).tocsr()


def exact(stiffness, jacobian, constraints, residual, values):
    n, m = stiffness.shape[0], constraints.shape[0]
    C = constraints.toarray()
    saddle = np.block([[(stiffness - jacobian).toarray(), C.T], [C, np.zeros((m, m))]])
    return np.linalg.solve(saddle, np.concatenate([residual, values]))[:n]


@pytest.mark.parametrize("m", [0, 3])
def test_later_tangents_need_no_factor_of_their_own(m):
    n, rng = 400, np.random.default_rng(1)
    K, C = chain(n), sp.csr_matrix(rng.standard_normal((m, n)))
    tangent = SparseTangent(K, C)
    values = rng.standard_normal(m)
    for closed in ([5, 9], [5, 9, 11, 200], [9, 11, 200, 300, 301, 302]):
        J, r = springs(n, closed, 50.0), rng.standard_normal(n)
        found = tangent.correct([J], r, values, Silent())
        wanted = exact(K, J, C, r, values)
        assert np.linalg.norm(found - wanted) < 1e-5 * np.linalg.norm(wanted)
        np.testing.assert_allclose(C @ found, values, atol=1e-9 * np.abs(wanted).max() * n)
    assert tangent.factorisations == 1
    assert tangent.solutions < 60


def test_a_tangent_far_from_the_factored_one_is_factored():
    n = 400
    K = chain(n)
    tangent = SparseTangent(K, sp.csr_matrix((0, n)))
    r = np.random.default_rng(0).standard_normal(n)
    tangent.correct([springs(n, [3], 1.0)], r, None, Silent())
    J = springs(n, np.arange(0, n, 2), np.logspace(-3, 6, n // 2))
    found = tangent.correct([J], r, None, Silent())
    assert tangent.factorisations == 2
    wanted = np.linalg.solve((K - J).toarray(), r)
    assert np.linalg.norm(found - wanted) < 1e-9 * np.linalg.norm(wanted)


def test_tangents_with_friction_are_not_symmetric():
    n = 300
    K = chain(n)
    J = sp.lil_matrix((n, n))
    J[10, 10], J[11, 10], J[200, 200], J[201, 200] = -40.0, 12.0, -40.0, -12.0
    J = J.tocsr()
    r = np.random.default_rng(0).standard_normal(n)
    found = SparseTangent(K, None).correct([J], r, None, Silent())
    wanted = np.linalg.solve((K - J).toarray(), r)
    assert np.linalg.norm(found - wanted) < 1e-5 * np.linalg.norm(wanted)


def test_a_correction_can_be_cancelled_between_its_solutions():
    n, flag = 200, CancelFlag()
    tangent = SparseTangent(chain(n), None)
    tangent.correct([springs(n, [3], 1.0)], np.ones(n), None, flag)
    flag.cancel()
    with pytest.raises(Cancelled):
        tangent.correct([springs(n, [3, 90], 30.0)], np.ones(n), None, flag)


def test_an_iteration_stops_at_the_round_off_of_its_forces():
    rng = np.random.default_rng(0)
    energies = []

    def residual(x):
        return 2.0 * (1.0 - x) + 1e-9 * rng.standard_normal(5)

    class Watching:
        def report(self, fraction, text="", **values):
            energies.append(values["relative_energy"])

    x, report = solve_newton(
        residual, lambda x, r: 0.5 * r, np.zeros(5), Watching(), stored=lambda x: float(x @ x)
    )
    np.testing.assert_allclose(x, 1.0, atol=1e-8)
    assert report.iterations <= 4 and energies[-1] > 1e-20
