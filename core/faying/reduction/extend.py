"""Extend the component modes by joint modes to one basis of full rank."""

import numpy as np
import scipy.linalg as la

from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.interior import InteriorProblem

_DEPENDENT = 1e-7  # energy norm of what a joint mode adds, relative to its own


def extend_basis(
    interior: InteriorProblem,
    components: ReductionBasis,
    joint_modes: np.ndarray,
    singular_values: np.ndarray,
) -> ReductionBasis:
    """Return the basis [Φ_CMS Φ_J] of thesis eq. 3.1, joint modes freed of rigid body content.

    A joint mode that adds nothing to those before it is left out and named in `removed`.
    """
    if not joint_modes.shape[1]:
        return ReductionBasis(
            components.modes, components.groups, components.frequencies, components.removed, singular_values
        )
    stiffness = interior.matrices.stiffness
    free = interior.without_rigid_content(joint_modes)
    free /= np.sqrt(np.einsum("ij,ij->j", free, stiffness @ free))
    m = components.modes.shape[1]
    scaled = components.modes / np.sqrt(np.einsum("ij,ij->j", components.modes, stiffness @ components.modes))

    # What each joint mode adds: the diagonal of R in the energy norm, column by column in order.
    both = np.hstack([scaled, free])
    gram = both.T @ (stiffness @ both)
    added = _added_norms(gram)[m:]
    kept = added > _DEPENDENT
    removed = components.removed
    if not kept.all():
        names = ", ".join(str(i + 1) for i in np.flatnonzero(~kept))
        removed = (*removed, f"joint modes {names}, which depend on others")
    modes = np.hstack([components.modes, free[:, kept]])
    groups = (*components.groups, ModeGroup("joint modes", m, modes.shape[1]))
    return ReductionBasis(modes, groups, components.frequencies, removed, singular_values)


def _added_norms(gram: np.ndarray) -> np.ndarray:
    """Return |r_ii| of the triangular factor of a Gram matrix that may be singular."""
    values, vectors = la.eigh(gram)
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return np.asarray(np.abs(np.diag(la.qr(root, mode="r")[0])))
