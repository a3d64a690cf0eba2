"""Inertia relief modes: static responses of a body to the inertia forces of rigid accelerations, as trial vectors.

A free body under loads that are not in balance accelerates, and its inertia balances them. Component modes represent
the static response to loads at interface nodes exactly, but that to the inertia forces of the whole body only roughly.
Six more shapes, the static responses to the inertia forces of the six rigid accelerations, make both exact (inertia
relief modes, Craig 1995).
"""

import numpy as np

from faying.progress import Progress
from faying.reduction.interior import InteriorProblem


def relief_modes(interior: InteriorProblem, free: bool, progress: Progress) -> np.ndarray:
    """Return (n_dofs, k) responses to the inertia of rigid accelerations, without rigid content.

    Args:
        interior: the body held at its interface nodes.
        free: for component modes without all static shapes of the interface nodes: return the responses of the free
            body to unit loads at each interface dof, balanced by its inertia.
        progress: reports and cancels.

    Raises:
        SolveError: when the body held at its interface nodes can still move.
    """
    interior.prepare(progress)
    if free:
        loads = np.zeros((interior.n_dofs, len(interior.interface_dofs)))
        loads[interior.interface_dofs, np.arange(len(interior.interface_dofs))] = 1.0
        return interior.solve_free(loads, apart=bool(len(interior.loose_motions.T)))
    motions, mass = interior.free_motions, interior.matrices.mass
    inertia = np.asarray(mass @ interior.rigid_modes)
    modes = interior.solve(inertia - mass @ (motions @ (motions.T @ inertia)))
    return interior.without_rigid_content(modes)
