"""Extend the component modes by preload modes and joint modes to one basis of full rank."""

import numpy as np
import scipy.linalg as la

from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.interior import InteriorProblem

_DEPENDENT = 1e-7  # energy norm of what a trial vector adds, relative to its own


def extend_basis(
    interior: InteriorProblem,
    components: ReductionBasis,
    joint_modes: np.ndarray,
    singular_values: np.ndarray,
    preload_modes: np.ndarray | None = None,
    remarks: tuple[str, ...] = (),
) -> ReductionBasis:
    """Return the basis [Φ_CMS Φ_PL Φ_J] of thesis eqs. 3.1 and 3.64, all freed of rigid body content.

    A preload or joint mode that adds nothing to those before it is left out and named in `removed`. (A
    preload mode minus its own derivative lies in the span of the component modes when its forces act at
    interface dofs, so the last joint modes of many may depend on it.)

    Args:
        interior: the body.
        components: Φ_CMS.
        joint_modes: Φ_J (n_dofs, g).
        singular_values: of the joint-mode method.
        preload_modes: Φ_PL (n_dofs, p).
        remarks: sentences on what the joint-mode method left out.
    """
    removed = (*components.removed, *remarks)
    groups, modes = list(components.groups), components.modes
    for name, vectors in (("preload modes", preload_modes), ("joint modes", joint_modes)):
        if vectors is None or not vectors.shape[1]:
            continue
        kept, left_out = _what_they_add(interior, modes, vectors)
        if left_out:
            removed = (*removed, f"{name} {', '.join(left_out)}, which depend on others")
        groups.append(ModeGroup(name, modes.shape[1], modes.shape[1] + kept.shape[1]))
        modes = np.hstack([modes, kept])
    return ReductionBasis(modes, tuple(groups), components.frequencies, removed, singular_values)


def _what_they_add(
    interior: InteriorProblem, before: np.ndarray, vectors: np.ndarray
) -> tuple[np.ndarray, list[str]]:
    """Return the vectors that add something, elastic and of unit energy, and the numbers of the others."""
    stiffness = interior.matrices.stiffness
    free = interior.without_rigid_content(vectors)
    energies = np.einsum("ij,ij->j", free, stiffness @ free)
    alive = energies > _DEPENDENT**2 * energies.max(initial=0.0)
    free = free / np.sqrt(np.where(alive, energies, 1.0))
    scaled = before / np.sqrt(np.einsum("ij,ij->j", before, stiffness @ before))

    # What each one adds: the diagonal of R in the energy norm, column by column in order.
    both = np.hstack([scaled, free])
    added = _added_norms(both.T @ (stiffness @ both))[before.shape[1] :]
    kept = alive & (added > _DEPENDENT)
    return free[:, kept], [str(i + 1) for i in np.flatnonzero(~kept)]


def _added_norms(gram: np.ndarray) -> np.ndarray:
    """Return |r_ii| of the triangular factor of a Gram matrix that may be singular."""
    values, vectors = la.eigh(gram)
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return np.asarray(np.abs(np.diag(la.qr(root, mode="r")[0])))
