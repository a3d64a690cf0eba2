"""Proper orthogonal decomposition of vectors that are given in factored form."""

import numpy as np
import scipy.linalg as la


def pod(
    scales: np.ndarray, directions: np.ndarray, coefficients: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return (weights (c, g), singular values) of the POD of N normalised vectors.

    The vectors are ``X @ coefficients`` with X (c columns) = P diag(scales) directionsᵀ and P orthonormal in
    the inner product that counts. Their coordinates in P are decomposed, each vector scaled to length one
    before (thesis eq. 3.47); mode k is ``X @ weights[:, k]``, orthonormal in that inner product. The thesis
    solves the eigenproblem of the vectors' Gram matrix instead, which halves the digits.

    Args:
        scales: (c',) positive.
        directions: (c, c') orthonormal columns.
        coefficients: (c, N).
        count: wanted number g; fewer when the vectors span less.
    """
    coordinates = scales[:, None] * (directions.T @ coefficients)
    left, values, _ = la.svd(coordinates / np.linalg.norm(coordinates, axis=0), full_matrices=False)
    g = min(count, left.shape[1])
    return directions @ (left[:, :g] / scales[:, None]), values
