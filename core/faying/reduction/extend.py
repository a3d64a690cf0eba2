"""Extend the component modes by preload modes and joint modes to one basis of full rank."""

import numpy as np

from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.interior import InteriorProblem

_DEPENDENT = 1e-6  # energy norm of what a trial vector adds, relative to its own


def extend_basis(
    interior: InteriorProblem,
    components: ReductionBasis,
    joint_modes: np.ndarray,
    singular_values: np.ndarray,
    preload_modes: np.ndarray | None = None,
    remarks: tuple[str, ...] = (),
) -> ReductionBasis:
    """Return the basis [Φ_CMS Φ_PL Φ_J] of thesis eqs. 3.1 and 3.64, all freed of rigid body content.

    Each preload and joint mode is freed of what those before it hold already, in the energy. One that adds
    nothing is left out and named in `removed`. (A preload mode minus its own derivative lies in the span of
    the component modes when its forces act at interface dofs, so the last of many joint modes may depend on it.)

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
    """Return what each vector adds, elastic and of unit energy, and the numbers of those that add nothing.

    The parts that those before span are taken out. The space stays the same, and the reduced stiffness well
    conditioned: of vectors that are merely independent dozens together make it as good as singular.
    """
    stiffness = interior.matrices.stiffness
    free = interior.without_rigid_content(vectors)
    energies = np.einsum("ij,ij->j", free, stiffness @ free)
    alive = energies > _DEPENDENT**2 * energies.max(initial=0.0)
    free = free / np.sqrt(np.where(alive, energies, 1.0))

    # Gram-Schmidt in the energy, each vector twice: what is left of it is what it adds.
    both = np.hstack([before / np.sqrt(np.einsum("ij,ij->j", before, stiffness @ before)), free])
    orthonormal = np.zeros((both.shape[1], both.shape[0]))
    forces = np.zeros_like(orthonormal)
    count, added = 0, np.zeros(both.shape[1])
    for k in range(both.shape[1]):
        rest = both[:, k].copy()
        for _ in range(2):
            rest -= (forces[:count] @ rest) @ orthonormal[:count]
        force = stiffness @ rest
        added[k] = np.sqrt(max(float(rest @ force), 0.0))
        if added[k] > _DEPENDENT and (k < before.shape[1] or alive[k - before.shape[1]]):
            orthonormal[count], forces[count] = rest / added[k], force / added[k]
            count += 1
    new = before.shape[1]
    added[new:] *= alive
    kept = np.flatnonzero(added > _DEPENDENT)
    left_out = [str(i + 1) for i in np.flatnonzero(added[new:] <= _DEPENDENT)]
    return orthonormal[: len(kept)][kept >= new].T.copy(), left_out
