"""From the trial vectors of a method to its basis."""

import numpy as np

from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.orthogonal import orthogonalise


def orthogonalised_basis(interior: InteriorProblem, vectors: np.ndarray) -> ReductionBasis:
    """Return the orthogonalised trial vectors as a basis; says how many directions were removed.

    Args:
        interior: the body.
        vectors: (n_dofs, k) trial vectors, which may hold rigid body motions and depend on each other.
    """
    modes, frequencies, dropped = orthogonalise(interior, vectors)
    removed = (f"{dropped} directions of rigid body motion or without mass of their own",) if dropped else ()
    groups = (ModeGroup("free-free modes", 0, modes.shape[1]),)
    return ReductionBasis(modes, groups, frequencies, removed, np.zeros(0))
