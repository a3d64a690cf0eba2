"""From the trial vectors of a method to its basis."""

import numpy as np

from faying.errors import ModelError
from faying.linalg.background import patiently
from faying.progress import Progress
from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.orthogonal import orthogonalise


def orthogonalised_basis(
    interior: InteriorProblem, vectors: np.ndarray, progress: Progress
) -> ReductionBasis:
    """Return the orthogonalised trial vectors as a basis; its `removed` has the number of removed directions.

    Args:
        interior: the body.
        vectors: (n_dofs, k) trial vectors, which may hold rigid body motions and depend on each other.
        progress: reports and cancels.

    Raises:
        ModelError: when the trial vectors hold rigid body motions alone.
        Cancelled: on request.
    """
    modes, frequencies, dropped = patiently(
        lambda: orthogonalise(interior, vectors), progress, 0.0, "orthogonalisation"
    )
    if not modes.shape[1]:
        raise ModelError(
            "The component modes are rigid body motions alone: nothing deforms the body.",
            "Take vibration modes (Craig-Bampton, free-interface or modal truncation have them), or more interface "
            "nodes than just hold the body.",
        )
    removed = (f"{dropped} directions of rigid body motion or without mass of their own",) if dropped else ()
    groups = (ModeGroup("free-free modes", 0, modes.shape[1]),)
    return ReductionBasis(modes, groups, frequencies, removed, np.zeros(0))
