"""The decomposition of thousands of vectors beside the one that keeps all digits."""

import numpy as np
import pytest
import scipy.linalg as la

from faying.reduction.joint_modes import _pod


@pytest.mark.parametrize("count", [40, 300])
def test_gram_matrix_gives_the_leading_modes(monkeypatch, count):
    rng = np.random.default_rng(5)
    n = 60
    directions = la.qr(rng.standard_normal((n, n)))[0]
    scales = 10.0 ** rng.uniform(-1, 1, n)
    # Vectors of slowly falling shares, as many derivatives have.
    mixed = la.qr(rng.standard_normal((n, n)))[0] * 10.0 ** (-2 * np.arange(n) / n)
    columns = directions @ (mixed @ rng.standard_normal((n, count)) / scales[:, None])
    blocks = np.array_split(columns, 7, axis=1)
    exact, values = _pod.pod(scales, directions, blocks, len)

    monkeypatch.setattr(_pod, "_MANY", n - 1)
    found, approximate = _pod.pod(scales, directions, blocks, len)

    assert found.shape == exact.shape == (n, min(n, count))
    np.testing.assert_allclose(approximate, values, rtol=1e-9)
    # Orthonormal in the inner product, and the same up to signs.
    metric = directions @ np.diag(scales**2) @ directions.T
    np.testing.assert_allclose(found.T @ metric @ found, np.eye(found.shape[1]), atol=1e-12)
    np.testing.assert_allclose(np.abs(np.diag(found.T @ metric @ exact)), 1.0, atol=1e-9)

    # Fewer vectors when no more are asked for, all values all the same.
    monkeypatch.setattr(_pod, "_AT_LEAST", 3)
    few, same = _pod.pod(scales, directions, blocks, lambda values: 7)
    np.testing.assert_allclose(same, approximate, rtol=1e-9)
    np.testing.assert_allclose(np.abs(np.diag(few.T @ metric @ found[:, :7])), 1.0, atol=1e-9)
    assert few.shape == (n, 7)
