"""Orthonormal vectors in the energy, of vectors that a Gram matrix cannot tell apart."""

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp

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
