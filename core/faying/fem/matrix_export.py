"""Stiffness and mass of a body as files that this and other programs read."""

from pathlib import Path

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.matrix_files import DofList
from faying.fem.matrix_files.scipy_sparse import write_matrix
from faying.fem.model import FeModel


def dof_list_of_model(model: FeModel, dofs: DofMap) -> DofList:
    """Return the deck's node number and component of each independent dof."""
    rows, n = dofs.own_rows, len(model.nodes)
    turning = rows >= 3 * n
    nodes = np.where(turning, 0, rows // 3)
    nodes[turning] = dofs.rotation_nodes[(rows[turning] - 3 * n) // 3]
    return DofList(model.node_ids[nodes].astype(np.int64), rows % 3 + 1 + 3 * turning)


def files_of_export(folder: Path) -> tuple[Path, Path, Path]:
    """Return the files that `write_matrices` writes: stiffness, mass and constraints."""
    return folder / "stiffness.npz", folder / "mass.npz", folder / "constraints.npz"


def write_matrices(folder: Path, model: FeModel, matrices: StructuralMatrices) -> tuple[Path, Path, Path]:
    """Write stiffness.npz, mass.npz and constraints.npz into a folder and return their paths.

    The columns of all three are the same degrees of freedom, listed in each. Nodes that follow a kinematic coupling are
    not in them, nor are reference nodes of distributing couplings that nothing else moves: the deck's couplings say how
    these move. The constraints C x = 0 belong to K and M: without them a cut bolt, for instance, moves apart freely.
    `faying.fem.imported` reads all three back.

    Args:
        folder: made when it is not there.
        model: the mesh.
        matrices: as `faying.fem.assembly.assemble` returns them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    labels = dof_list_of_model(model, matrices.dofs)
    has_entries = np.asarray((abs(matrices.stiffness) + abs(matrices.mass)).sum(axis=1)).ravel() != 0.0
    # A reference node with a mass alone is there with its rotations: its coupling moves them all together.
    has_entries = np.isin(labels.nodes, labels.nodes[has_entries])
    filled = np.flatnonzero(has_entries)
    dofs = DofList(labels.nodes[filled], labels.components[filled])
    paths = files_of_export(folder)
    written = (
        matrices.stiffness[filled][:, filled],
        matrices.mass[filled][:, filled],
        _rows_on(matrices.constraints, has_entries),
    )
    for path, matrix in zip(paths, written, strict=True):
        write_matrix(path, matrix, dofs)
    return paths


def _rows_on(constraints: sp.csr_matrix, kept: np.ndarray) -> sp.csr_matrix:
    """Return the constraints on the kept dofs (mask (n,)) that follow from C x = 0 (m, n), whatever the others do."""
    others = sp.csr_matrix(constraints[:, np.flatnonzero(~kept)])
    others.eliminate_zeros()
    chosen = sp.csr_matrix(constraints[:, np.flatnonzero(kept)])
    touched = np.diff(others.indptr) > 0
    # Combinations of the rows with other dofs from which these drop out; mostly there are none.
    combined = la.null_space(others[touched].toarray().T).T if touched.any() else np.zeros((0, 0))
    rows = [chosen[~touched]]
    if len(combined):
        rows.append(sp.csr_matrix(combined @ chosen[touched].toarray()))
    return sp.csr_matrix(sp.vstack(rows, format="csr"))
