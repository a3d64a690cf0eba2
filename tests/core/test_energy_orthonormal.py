"""Orthonormal vectors in the energy, of vectors that a Gram matrix cannot tell apart."""

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.reduction.energy_orthonormal import energy_orthonormal

POINTS = 300


@pytest.fixture(scope="module")
def beam():
    """Bending stiffness of a clamped chain: neighbouring forces deflect it alike to five digits."""
    second = sp.diags_array([1.0, -2.0, 1.0], offsets=[0, -1, -2], shape=(POINTS, POINTS)).tocsr()
    return (second.T @ second).tocsr()


def test_responses_to_all_points_span_everything(beam):
    """Theorem: the energy-orthonormal basis of the whole space has the frequencies of the chain itself."""
    responses = la.inv(beam.toarray())
    found, kept = energy_orthonormal(beam, responses)
    np.testing.assert_array_equal(kept, np.arange(POINTS))
    np.testing.assert_allclose(found.T @ (beam @ found), np.eye(POINTS), atol=1e-6)
    squares = 1.0 / la.eigvalsh(found.T @ found)[::-1]
    np.testing.assert_allclose(squares, la.eigvalsh(beam.toarray()), rtol=1e-5)


def test_each_vector_is_freed_of_those_before_it(beam):
    vectors = np.random.default_rng(1).standard_normal((POINTS, 40))
    found, _ = energy_orthonormal(beam, vectors)
    triangle = found.T @ (beam @ vectors)
    assert np.abs(np.tril(triangle, -1)).max() < 1e-10 * np.abs(triangle).max()
    assert (np.diag(triangle) > 0.0).all()


def test_sums_of_others_are_left_out(beam):
    vectors = np.random.default_rng(2).standard_normal((POINTS, 50))
    vectors[:, 20] = vectors[:, 3] - 2.0 * vectors[:, 19]
    vectors[:, 21] = vectors[:, 4] + 1e-9 * vectors[:, 21]
    _, kept = energy_orthonormal(beam, vectors)
    np.testing.assert_array_equal(kept, np.delete(np.arange(50), [20, 21]))


def test_neighbours_of_a_long_chain_take_a_third_turn():
    """Of 3000 points the energy tells neighbours apart by round-off alone: two turns leave them far from orthogonal."""
    points, count = 3000, 48
    second = sp.diags_array([1.0, -2.0, 1.0], offsets=[0, -1, -2], shape=(points, points)).tocsr()
    forces = np.zeros((points, count))
    forces[points // 2 + np.arange(count), np.arange(count)] = 1.0
    half = spla.spsolve_triangular(second.T.tocsr(), forces, lower=False)
    responses = spla.spsolve_triangular(second, half, lower=True)
    found, kept = energy_orthonormal((second.T @ second).tocsr(), responses)
    assert len(kept) > 20
    bent = second @ found
    np.testing.assert_allclose(bent.T @ bent, np.eye(len(kept)), atol=1e-3)
