"""Extend the component modes by load modes, preload modes and joint modes to one basis of full rank."""

from collections.abc import Sequence

import numpy as np

from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.energy_orthonormal import energy_orthonormal
from faying.reduction.interior import ROUND_OFF, InteriorProblem

_DEPENDENT = 1e-6  # energy norm of a trial vector, relative to the largest of its group


def extend_basis(
    interior: InteriorProblem,
    components: ReductionBasis,
    joint_modes: np.ndarray,
    singular_values: np.ndarray,
    preload_modes: np.ndarray | None = None,
    remarks: tuple[str, ...] = (),
    more: Sequence[tuple[str, np.ndarray]] = (),
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
        more: names and vectors of further groups, such as those of a joint with a method of its own.
    """
    removed = (*components.removed, *remarks)
    groups, modes = list(components.groups), components.modes
    for name, vectors in (("preload modes", preload_modes), ("joint modes", joint_modes), *more):
        if vectors is None or not vectors.shape[1]:
            continue
        kept, left_out = _what_they_add(interior, modes, vectors)
        if left_out:
            removed = (*removed, f"{name} {', '.join(left_out)}, which depend on others")
        groups.append(ModeGroup(name, modes.shape[1], modes.shape[1] + kept.shape[1]))
        modes = np.hstack([modes, kept])
    return ReductionBasis(modes, tuple(groups), components.frequencies, removed, singular_values)


def with_load_modes(
    interior: InteriorProblem, components: ReductionBasis, modes: np.ndarray, group: str = "load modes"
) -> ReductionBasis:
    """Return the component modes and what static responses (n_dofs, p) add to them, as a group of that name.

    Each counts by itself, whatever its load's size: the weight beside a temperature.
    """
    energies = np.einsum("ij,ij->j", modes, interior.matrices.stiffness @ modes)
    alike = modes / np.sqrt(np.where(energies > 0.0, energies, 1.0))
    kept, left_out = _what_they_add(interior, components.modes, alike)
    stop = components.modes.shape[1]
    removed = (f"{group} {', '.join(left_out)}, which depend on others",) if left_out else ()
    return ReductionBasis(
        np.hstack([components.modes, kept]),
        (*components.groups, ModeGroup(group, stop, stop + kept.shape[1])),
        components.frequencies,
        (*components.removed, *removed),
        components.singular_values,
    )


def _what_they_add(
    interior: InteriorProblem, before: np.ndarray, vectors: np.ndarray
) -> tuple[np.ndarray, list[str]]:
    """Return what each vector adds, elastic and of unit energy, and the numbers of those that add nothing.

    The parts that those before span are taken out. The space stays the same, and the reduced stiffness well
    conditioned: of vectors that are merely independent dozens together make it as good as singular.
    """
    stiffness, new = interior.matrices.stiffness, before.shape[1]
    both = np.hstack([before, interior.without_rigid_content(vectors)])
    energies = np.einsum("ij,ij->j", both, stiffness @ both)
    # A motion that only contact resists stores no energy; what rounding makes of it is not to be scaled up.
    alone = np.einsum("ij,i,ij->j", both, np.abs(stiffness.diagonal()), both)
    alive = energies > ROUND_OFF * alone
    alive[new:] &= energies[new:] > _DEPENDENT**2 * energies[new:].max(initial=0.0)

    orthonormal, added = energy_orthonormal(stiffness, both[:, alive], energies[alive])
    kept = np.flatnonzero(alive)[added]
    left_out = [str(i - new + 1) for i in range(new, both.shape[1]) if i not in set(kept.tolist())]
    return orthonormal[:, kept >= new], left_out
