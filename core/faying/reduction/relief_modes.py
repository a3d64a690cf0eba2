"""Inertia relief modes: what a body does under the inertia of its accelerations as a whole, as trial vectors.

A free body under loads that are not in balance accelerates, and its inertia balances them. Component modes follow loads
at interface nodes exactly where these nodes are held; the inertia of the rest of the body they hold but roughly. With
six more shapes, the static responses to the inertia of the six rigid accelerations, they hold both (inertia relief
modes, Craig 1995).
"""

import numpy as np

from faying.progress import Progress
from faying.reduction.interior import InteriorProblem


def relief_modes(interior: InteriorProblem, free: bool, progress: Progress) -> np.ndarray:
    """Return (n_dofs, k) responses to the inertia of rigid accelerations, without rigid content.

    Args:
        interior: the body held at its interface nodes.
        free: whether the body responds free instead of held, in balance with its inertia: then to unit loads at each
            interface dof, for component modes that do not hold every static shape of these nodes.
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
