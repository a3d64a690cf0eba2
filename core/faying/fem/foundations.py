"""Springs under surfaces: their elongation and stiffness."""

import numpy as np
import scipy.sparse as sp

from faying.fem.couplings import cross_matrices, full_dofs
from faying.fem.model import FeModel, Foundation


def spring_motion(model: FeModel, rotation_nodes: np.ndarray, springs: Foundation) -> sp.csr_matrix:
    """Return CSR (3 n, n_full): displacement of each node relative to the rigid body behind its spring.

    u = u_i − u_ref − θ_ref × r for each of the n nodes, over the full vector.

    Args:
        model: model of the body.
        rotation_nodes: (k,) ascending rows of the nodes that have rotations.
        springs: one of the model's foundations.
    """
    n = len(springs.nodes)
    reference = full_dofs(len(model.nodes), rotation_nodes, springs.reference)
    arms = cross_matrices(model.nodes[springs.nodes] - model.nodes[springs.reference])
    values = np.concatenate([np.broadcast_to(np.hstack([np.eye(3), -np.eye(3)]), (n, 3, 6)), -arms], axis=2)
    own = 3 * springs.nodes[:, None] + np.arange(3)
    columns = np.hstack([own, np.broadcast_to(reference, (n, 6))])
    places = np.broadcast_to(columns[:, None, :], values.shape)
    rows = np.broadcast_to(np.arange(3 * n).reshape(n, 3, 1), values.shape)
    n_full = 3 * (len(model.nodes) + len(rotation_nodes))
    return sp.csr_matrix((values.ravel(), (rows.ravel(), places.ravel())), shape=(3 * n, n_full))


def foundation_stiffness(model: FeModel, rotation_nodes: np.ndarray) -> sp.csr_matrix:
    """Return CSR (n_full, n_full) Σ Bᵀ k B over the full vector, with `spring_motion` B of each foundation."""
    n_full = 3 * (len(model.nodes) + len(rotation_nodes))
    total = sp.csr_matrix((n_full, n_full))
    for springs in model.foundations:
        motion = spring_motion(model, rotation_nodes, springs)
        total = (
            total
            + motion.T @ sp.block_diag([sp.csr_matrix(k) for k in springs.stiffness], format="csr") @ motion
        )
    return sp.csr_matrix(total)
