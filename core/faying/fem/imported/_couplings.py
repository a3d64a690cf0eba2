"""Motion of nodes that are not in imported matrices, and couplings not yet applied in them."""

import numpy as np
import scipy.sparse as sp

from faying.fem.couplings import full_dofs, resolve_kinematic_couplings
from faying.fem.model import FeModel


def dependence(
    model: FeModel, rotation_nodes: np.ndarray, full: np.ndarray
) -> tuple[sp.csr_matrix, sp.csr_matrix | None, np.ndarray, np.ndarray]:
    """Return T (full vector from independent dofs), S (the matrices' dofs from these), created and dependent full dofs.

    If the other program has eliminated a kinematic coupling, the coupled nodes are not in the matrices and follow the
    deck's coupling. If the coupled nodes are in the matrices but the reference node is not, the coupling is applied
    here and the reference node's dofs are created. S is None if it is the identity.

    Args:
        model: the mesh with its couplings.
        rotation_nodes: (k,) ascending rows of the nodes that have rotations.
        full: (n,) index of each of the matrices' dofs in the full vector, -1 for internal ones.
    """
    n_full = 3 * (len(model.nodes) + len(rotation_nodes))
    column_of = np.full(n_full, -1, np.int64)
    column_of[full[full >= 0]] = np.flatnonzero(full >= 0)
    created = _created(model, rotation_nodes, column_of)
    dependents = resolve_kinematic_couplings(model, rotation_nodes)
    follow = dependents.coefficients

    # Dependent dofs in the matrices follow only nodes created here.
    fresh = np.zeros(n_full, bool)
    fresh[created] = True
    touches = np.asarray(abs(follow) @ fresh.astype(float)) > 0.0
    available = fresh | (column_of >= 0)
    reachable = np.asarray(abs(follow) @ (~available).astype(float)) == 0.0
    absent = column_of[dependents.rows] < 0
    following = reachable & (absent | touches)
    eliminated = dependents.rows[following & ~absent]

    independent = np.flatnonzero(~np.isin(full, eliminated) | (full < 0))
    n = len(independent) + len(created)
    place = np.full(n_full, -1, np.int64)
    motion = np.flatnonzero(full[independent] >= 0)
    place[full[independent[motion]]] = motion
    place[created] = len(independent) + np.arange(len(created))

    present = np.flatnonzero(place >= 0)
    entries = follow[following].tocoo()
    followers = dependents.rows[following]
    rows = np.concatenate([present, followers[entries.row]])
    columns = np.concatenate([place[present], place[entries.col]])
    values = np.concatenate([np.ones(len(present)), entries.data])
    transformation = sp.csr_matrix((values, (rows, columns)), shape=(n_full, n))
    if not len(created):
        return transformation, None, created, followers
    inner = np.flatnonzero(full[independent] < 0)
    known = np.flatnonzero(full >= 0)
    spread = sp.csr_matrix((np.ones(len(known)), (known, full[known])), shape=(len(full), n_full))
    own = sp.csr_matrix((np.ones(len(inner)), (independent[inner], inner)), shape=(len(full), n))
    return transformation, (spread @ transformation + own).tocsr(), created, followers


def _created(model: FeModel, rotation_nodes: np.ndarray, column_of: np.ndarray) -> np.ndarray:
    """Return the full dofs of reference nodes that are not in the matrices although their coupled nodes are."""
    found = []
    for coupling in model.couplings:
        reference = full_dofs(len(model.nodes), rotation_nodes, coupling.reference)
        nodes = (3 * coupling.nodes[:, None] + np.arange(3)).ravel()
        if (column_of[reference] < 0).all() and (column_of[nodes] >= 0).all():
            found.append(reference)
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
