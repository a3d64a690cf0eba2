"""Stiffness and mass of a body as files that this and other programs read."""

from pathlib import Path

import numpy as np

from faying.fem.couplings import resolve_kinematic_couplings
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.matrix_files import DofList
from faying.fem.matrix_files.scipy_sparse import write_matrix
from faying.fem.model import FeModel


def dof_list_of_model(model: FeModel, dofs: DofMap) -> DofList:
    """Return the deck's node number and component of each independent dof."""
    transformation, n = dofs.transformation, len(model.nodes)
    follows = np.zeros(transformation.shape[0], bool)
    follows[resolve_kinematic_couplings(model, dofs.rotation_nodes).rows] = True
    own = np.flatnonzero((np.diff(transformation.indptr) == 1) & ~follows)
    rows = np.full(dofs.n_dofs, -1)
    rows[transformation.indices[transformation.indptr[own]]] = own
    turning = rows >= 3 * n
    nodes = np.where(turning, 0, rows // 3)
    nodes[turning] = dofs.rotation_nodes[(rows[turning] - 3 * n) // 3]
    return DofList(model.node_ids[nodes].astype(np.int64), rows % 3 + 1 + 3 * turning)


def write_matrices(folder: Path, model: FeModel, matrices: StructuralMatrices) -> tuple[Path, Path]:
    """Write stiffness.npz and mass.npz into a folder and return their paths.

    Both hold their list of degrees of freedom. Nodes that follow a kinematic coupling are not in them, nor are
    reference nodes of distributing couplings: the deck's couplings say how these move.

    Args:
        folder: made when it is not there.
        model: the mesh.
        matrices: as `faying.fem.assembly.assemble` returns them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    labels = dof_list_of_model(model, matrices.dofs)
    filled = np.flatnonzero(np.asarray((abs(matrices.stiffness) + abs(matrices.mass)).sum(axis=1)).ravel())
    dofs = DofList(labels.nodes[filled], labels.components[filled])
    paths = folder / "stiffness.npz", folder / "mass.npz"
    for path, matrix in zip(paths, (matrices.stiffness, matrices.mass), strict=True):
        write_matrix(path, matrix[filled][:, filled], dofs)
    return paths
