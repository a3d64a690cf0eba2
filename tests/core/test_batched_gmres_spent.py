"""GMRES for several right-hand sides: columns that are solved early stay solved while others go on."""

import numpy as np

from faying.linalg.batched_gmres import batched_gmres


def test_a_column_that_is_solved_early_waits_for_the_others():
    """Its next vectors are round-off of the factor; their images, which are larger, grew until they overflowed."""
    rng = np.random.default_rng(3)
    n = 60
    shapes = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.geomspace(1e-12, 1.0, n)  # as of a preconditioner that is a sparse factor of a fine mesh
    inverse = shapes * values @ shapes.T + 1e-14 * rng.standard_normal((n, n))  # with its round-off
    stiffness = shapes / values @ shapes.T
    spread = shapes * (np.linspace(1.0, 30.0, n) / values) @ shapes.T
    near = stiffness + 1e3 * np.outer(shapes[:, 3], shapes[:, 3])

    def apply(x):
        return np.column_stack([near @ x[:, 0], spread @ x[:, 1]])

    right = shapes @ rng.standard_normal((n, 2))
    found, errors = batched_gmres(apply, lambda x: inverse @ x, right, 1e-14, 59)
    assert np.isfinite(found).all() and errors[0] < 1e-6
    first = inverse @ right[:, 0]
    assert np.linalg.norm(found[:, 0] - first) < 0.01 * np.linalg.norm(first)
