"""What a reduction basis loses of the compliance at nodes without constraint modes of their own."""

from collections.abc import Mapping

import numpy as np
import scipy.linalg as la

from faying.linalg.products import gram
from faying.progress import Progress
from faying.reduction.interior import InteriorProblem

_NONE = 1e-12  # compliance, relative to the largest of the same kind, that counts as none
_SINGULAR = 1e-12  # stiffness of a motion of the basis, relative to the largest, that counts as none


def lost_compliances(
    interior: InteriorProblem, modes: np.ndarray, nodes: Mapping[str, int], progress: Progress
) -> dict[str, np.ndarray]:
    """Return by node the share of the static compliance that a basis lacks, along and about each axis.

    It is 1 − pᵀ Φ (Φᵀ K Φ)⁻¹ Φᵀ p / pᵀ K⁺ p for a unit force or moment p on the free body, whose inertia balances it;
    joints are open. By Rayleigh and Ritz it is between 0, for a basis with that response, and 1.

    Args:
        interior: the body, whose factor is used.
        modes: Φ (n_dofs, r), without rigid body content.
        nodes: row of each node by name.
        progress: reports and cancels.

    Returns:
        Arrays (6,), or (3,) for a node without rotations.
    """
    dofs = interior.matrices.dofs
    rows = {name: dofs.transformation[dofs.node_rows(node)].toarray() for name, node in nodes.items()}
    if not rows:
        return {}
    interior.prepare(progress)
    forces = np.vstack(list(rows.values())).T
    whole = np.einsum(
        "ij,ij->j", forces, interior.solve_free(forces, apart=bool(interior.loose_motions.size))
    )
    values, vectors = la.eigh(gram(interior.matrices.stiffness, modes))
    stiff = values > _SINGULAR * values.max(initial=0.0)
    within = ((vectors[:, stiff].T @ (modes.T @ forces)) ** 2 / values[stiff, None]).sum(axis=0)
    found, start = {}, 0
    for name, own in rows.items():
        stop = start + len(own)
        found[name] = np.concatenate(
            [
                _shares(
                    whole[start + kind : min(start + kind + 3, stop)], within[start + kind : start + kind + 3]
                )
                for kind in range(0, len(own), 3)
            ]
        )
        start = stop
    return found


def _shares(whole: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return (3,) 1 − within / whole; zero where there is no compliance."""
    some = whole > _NONE * whole.max(initial=0.0)
    return np.where(some, np.clip(1.0 - within / np.where(some, whole, 1.0), 0.0, 1.0), 0.0)
