"""Structural matrices from another program on the mesh of a deck, without element formulations of Faying."""

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.couplings import distributing_rows
from faying.fem.imported._check import (
    check_diagonals,
    check_free,
    check_mass,
    check_nodes,
    check_stiffness_units,
    restore_held,
)
from faying.fem.imported._couplings import dependence
from faying.fem.imported._internal import condense, find_rotation_nodes, take_out_multipliers
from faying.fem.imported._system import ImportedSystem, aligned
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.matrix_files import read_matrix
from faying.fem.matrix_files.scipy_sparse import constraints_beside, read_constraints
from faying.fem.model import FeModel
from faying.progress import PartialProgress, Progress, Silent

__all__ = ["imported_matrices"]


def imported_matrices(
    model: FeModel,
    stiffness_file: str | Path,
    mass_file: str | Path,
    dof_file: str | Path | None = None,
    progress: Progress | None = None,
) -> StructuralMatrices:
    """Return stiffness and mass written by another program, over the nodes of a deck.

    Internal degrees of freedom of the other program are eliminated or made relative to the nodes', Lagrange multipliers
    become constraints, and the deck's couplings determine the motion of nodes that are not in the matrices. `remarks`
    lists omitted and restored dofs.

    Args:
        model: the body's mesh; its element types need not be supported.
        stiffness_file: K in one of the formats of `faying.fem.matrix_files`; with constraints in the same folder if
            written by `faying.fem.matrix_export`.
        mass_file: M, likewise.
        dof_file: list of degrees of freedom for formats that need one; by default searched in the matrices' folder.
        progress: reports and cancels.

    Raises:
        ReadError: when a file is invalid.
        ModelError: when the matrices do not match each other or the mesh, are indefinite, or restrain the body.
        Cancelled: when asked to stop.
    """
    progress = progress or Silent()
    stiffness = read_matrix(stiffness_file, dof_file, PartialProgress(progress, 0.0, 0.45))
    mass = read_matrix(mass_file, dof_file, PartialProgress(progress, 0.45, 0.8), "mass")
    progress.report(0.8, "matching the matrices with the mesh")
    beside = constraints_beside(Path(stiffness_file))
    system = aligned(model, stiffness, mass, None if beside is None else read_constraints(beside))
    if system.constraints.shape[0]:
        assert beside is not None
        system = system.with_remark(
            f"{system.constraints.shape[0]} constraints were read from {beside.name}."
        )
    system = take_out_multipliers(system)
    system = find_rotation_nodes(model, system)
    system = restore_held(model, system)
    check_diagonals(system)
    progress.report(0.85, "condensing internal degrees of freedom")
    system = condense(system)
    progress.report(0.9, "applying couplings")
    matrices = _over_nodes(model, system)
    progress.report(0.95, "checking the matrices")
    remarks = [*system.remarks, *check_nodes(model, matrices)]
    check_free(model, matrices, system)
    remarks += check_mass(model, matrices)
    check_stiffness_units(model, matrices)
    progress.report(1.0, f"{matrices.dofs.n_dofs} degrees of freedom")
    return StructuralMatrices(
        matrices.stiffness, matrices.mass, matrices.dofs, matrices.constraints, tuple(remarks)
    )


def _over_nodes(model: FeModel, system: ImportedSystem) -> StructuralMatrices:
    """Return the matrices over independent dofs, with the map from these to nodal displacements."""
    rotation_nodes = system.rotation_nodes(model)
    full = system.full_dofs(model, rotation_nodes)
    transformation, selection, created, followers = dependence(model, rotation_nodes, full)
    stiffness, mass, constraints = system.stiffness, system.mass, system.constraints
    if selection is not None:
        stiffness = (selection.T @ stiffness @ selection).tocsr()
        mass = (selection.T @ mass @ selection).tocsr()
        constraints = (constraints @ selection).tocsr()
    # Distributing couplings whose reference node is not in the matrices.
    ours = [
        c for c in model.couplings if c.kind == "distributing" and np.isin(3 * c.reference, created).any()
    ]
    if ours:
        chosen = FeModel(model.title, model.node_ids, model.nodes, (), couplings=tuple(ours))
        constraints = sp.vstack([constraints, distributing_rows(chosen, rotation_nodes) @ transformation])
    dofs = DofMap(len(model.nodes), rotation_nodes, transformation, followers)
    if not dofs.n_dofs:
        raise ModelError("The imported matrices hold no degree of freedom of the mesh.")
    return StructuralMatrices(stiffness, mass, dofs, sp.csr_matrix(constraints))
