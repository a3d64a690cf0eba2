"""Mode shape orthogonalisation: from any trial vectors to free-free modes without rigid body content."""

import numpy as np
import scipy.linalg as la

from faying.linalg.modes import with_largest_positive
from faying.reduction.interior import InteriorProblem

__all__ = ["orthogonalise", "with_largest_positive"]

_DEPENDENT = 1e-10  # eigenvalue of the scaled Gram matrix, relative to the largest, of a dependent direction
_RIGID = 1e-14  # modal mass without rigid motion, relative to that with it, below which it is round-off


def orthogonalise(interior: InteriorProblem, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return (modes (n_dofs, m), frequencies (m,), number of directions removed).

    The modes diagonalise the projected stiffness and are mass-normalised (thesis eqs. 2.86, 2.87). Rigid body motions
    are projected out first, instead of rejecting the smallest eigenvalues afterwards. They then are directions without
    mass, as are dependent ones, and are dropped; zero and small eigenvalues need not be distinguished.
    """
    stiffness, mass = interior.matrices.stiffness, interior.matrices.mass
    original = np.sqrt(np.einsum("ij,ij->j", vectors, mass @ vectors))
    free = interior.without_rigid_content(vectors) / original

    # Independent directions: those with mass after the projection.
    values, directions = la.eigh(free.T @ (mass @ free))
    kept = values > max(_DEPENDENT * values.max(initial=0.0), _RIGID)
    independent = free @ (directions[:, kept] / np.sqrt(values[kept]))

    # Eigenproblem of eq. 2.86 in the mass-orthonormal basis.
    squares, rotation = la.eigh(independent.T @ (stiffness @ independent))
    modes = with_largest_positive(independent @ rotation)
    frequencies = np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi)
    return modes, frequencies, int((~kept).sum())
