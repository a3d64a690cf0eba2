"""Export of a body's stiffness and mass to files for this and other programs."""

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
    """Return the paths that `write_matrices` writes: stiffness, mass and constraints."""
    return folder / "stiffness.npz", folder / "mass.npz", folder / "constraints.npz"


def write_matrices(folder: Path, model: FeModel, matrices: StructuralMatrices) -> tuple[Path, Path, Path]:
    """Write stiffness.npz, mass.npz and constraints.npz into a folder and return their paths.

    The columns of all three are the same degrees of freedom, listed in each file. They exclude coupled nodes of
    kinematic couplings, and reference nodes of distributing couplings without other connections: the deck's couplings
    define their motion. K and M require the constraints C x = 0: without them a cut bolt, for instance, would separate
    freely. `faying.fem.imported` reads all three files.

    Args:
        folder: created if missing.
        model: model of the body.
        matrices: as `faying.fem.assembly.assemble` returns them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    labels = dof_list_of_model(model, matrices.dofs)
    has_entries = np.asarray((abs(matrices.stiffness) + abs(matrices.mass)).sum(axis=1)).ravel() != 0.0
    # A reference node with only a mass is kept with its rotations, since its coupling moves all of them.
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
    """Return the constraints that C x = 0 (m, n) implies for the kept dofs alone, a mask (n,)."""
    others = sp.csr_matrix(constraints[:, np.flatnonzero(~kept)])
    others.eliminate_zeros()
    chosen = sp.csr_matrix(constraints[:, np.flatnonzero(kept)])
    touched = np.diff(others.indptr) > 0
    # Combinations of these rows that eliminate the other dofs; usually there are none.
    combined = la.null_space(others[touched].toarray().T).T if touched.any() else np.zeros((0, 0))
    rows = [chosen[~touched]]
    if len(combined):
        rows.append(sp.csr_matrix(combined @ chosen[touched].toarray()))
    return sp.csr_matrix(sp.vstack(rows, format="csr"))
