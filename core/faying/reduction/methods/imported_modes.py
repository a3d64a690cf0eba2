"""Mode shapes from a file, made by another program or a script."""

from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError
from faying.linalg.factor import factorize
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.reduction.methods._mode_files import read_modes
from faying.reduction.methods._orthogonalised import orthogonalised_basis

_CONTRADICTION = 1e-2  # allowed error at couplings, of the largest displacement: files have few digits


@reduction_methods.register("imported_modes")
class ImportedModes(ReductionMethod):
    """Trial vectors from a file, orthogonalised; rigid body motions and dependent directions are removed.

    Missing dofs follow from their coupled nodes (the rotations of a reference node), or else statically from all dofs
    of the file (Guyan 1965).
    """

    title: ClassVar[str] = "Modes from a file"
    advice: ClassVar[str] = "When another program has computed the modes of the same mesh."
    size: ClassVar[str] = "count"

    file: str = parameter(
        "", title="File", choices="file",
        meaning="NumPy file of the mode shapes: .npy with one column for each mode and a list of degrees of freedom "
        "beside it, or displacements (nodes, 3, modes) in the deck's order; .npz with the arrays modes and dofs. Or "
        "results of CalculiX (.frd, text), whose vibration modes, or else displacements, are taken.",
    )  # fmt: skip
    dof_file: str = parameter(
        "", title="List of degrees of freedom", choices="file", advanced=True,
        meaning="Node and component of each row; empty for the file next to the modes, such as modes_dofs.csv.",
    )  # fmt: skip
    count: int = parameter(
        0, title="Number of modes", ge=0,
        meaning="How many modes of the file are taken, from the first one on; 0 for all.",
    )  # fmt: skip

    def with_size(self, size: int) -> Self:
        """Return the method with the first `size` modes of the file.

        Raises:
            ModelError: for zero, which as a number means all.
        """
        if not size:
            raise ModelError(f"{self.title}: size 0 leaves no mode of the file.", "Take sizes from 1 on.")
        return super().with_size(size)

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised modes.

        Raises:
            ReadError: when the file is invalid.
            ModelError: when its modes are not finite, zero, of other nodes, or contradict the body's couplings.
        """
        if not self.file:
            raise ModelError(
                "No file of modes is chosen.", "Choose the file that the component modes are read from."
            )
        path = Path(self.file)
        progress.report(0.0, f"reading {path.name}")
        modes, dofs = read_modes(path, Path(self.dof_file) if self.dof_file else None, interior.node_ids)
        if self.count > modes.shape[1]:
            raise ModelError(
                f"{path.name} has {modes.shape[1]} modes, but {self.count} are requested.",
                "Ask for fewer, or for all.",
            )
        modes = modes[:, : self.count or None]
        _check_numbers(path, modes)
        rows = _rows_of(interior, path, dofs.nodes, dofs.components)
        vectors, missing = _over_independent_dofs(interior, modes, rows, PartialProgress(progress, 0.2, 0.8))
        _check_couplings(interior, path, modes, rows, vectors)
        if vectors.shape[1] > interior.n_dofs - 6:
            raise ModelError(
                f"{path.name} has {vectors.shape[1]} modes, more than the body has elastic motions "
                f"({interior.n_dofs - 6}).",
                "Take fewer modes.",
            )
        basis = orthogonalised_basis(interior, vectors, PartialProgress(progress, 0.8, 1.0))
        removed = basis.removed
        if missing:
            removed = (
                *removed,
                f"{missing} degrees of freedom that are not in {path.name} and follow statically",
            )
        progress.report(1.0, "component modes")
        return ReductionBasis(basis.modes, basis.groups, basis.frequencies, removed, basis.singular_values)


def _check_numbers(path: Path, modes: np.ndarray) -> None:
    if not modes.shape[1]:
        raise ModelError(f"{path.name} holds no modes.", "Choose a file with one column for each mode.")
    for bad, what in (
        (~np.isfinite(modes).all(axis=0), "not finite"),
        (~modes.any(axis=0), "zero everywhere"),
    ):
        if bad.any():
            numbers = ", ".join(str(i + 1) for i in np.flatnonzero(bad)[:3])
            raise ModelError(
                f"{path.name}: {bad.sum()} of its modes are {what}, such as {numbers}.", "Leave them out."
            )


def _rows_of(interior: InteriorProblem, path: Path, nodes: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Return (n,) index of each row in the full vector of the dof map; -1 for rotations that the node does not have."""
    dof_map, ids = interior.matrices.dofs, interior.node_ids
    order = np.argsort(ids)
    at = np.minimum(np.searchsorted(ids[order], nodes), len(ids) - 1)
    known = ids[order[at]] == nodes
    if not known.all():
        strange = np.unique(nodes[~known])
        raise ModelError(
            f"{path.name} has {len(strange)} nodes that the deck does not have, such as {strange[0]}.",
            "Take the deck that the modes were computed on.",
        )
    node = order[at]
    place = np.minimum(np.searchsorted(dof_map.rotation_nodes, node), max(len(dof_map.rotation_nodes) - 1, 0))
    turns = np.isin(node, dof_map.rotation_nodes) & (components <= 6)
    rotation = np.where(turns, 3 * (dof_map.n_nodes + place) + components - 4, -1)
    return np.where(components <= 3, 3 * node + components - 1, rotation)


def _over_independent_dofs(
    interior: InteriorProblem, modes: np.ndarray, rows: np.ndarray, progress: Progress
) -> tuple[np.ndarray, int]:
    """Return the modes (n_dofs, r) over the independent dofs, and the number of dofs completed statically."""
    transformation = interior.matrices.dofs.transformation
    alone = np.zeros(transformation.shape[0], bool)
    single = np.flatnonzero(np.diff(transformation.indptr) == 1)
    alone[single] = transformation.data[transformation.indptr[single]] == 1.0
    useful = np.flatnonzero((rows >= 0) & alone[rows])
    columns = transformation.indices[transformation.indptr[rows[useful]]]
    vectors = np.zeros((interior.n_dofs, modes.shape[1]))
    vectors[columns] = modes[useful]
    given = np.zeros(interior.n_dofs, bool)
    given[columns] = True
    if not given.all():
        _read_off_couplings(transformation, modes, rows, vectors, given)
    missing = np.flatnonzero(~given)
    if len(missing):
        if not given.any():
            raise ModelError("The imported modes hold no degree of freedom of the body.")
        stiffness, constraints = interior.matrices.stiffness, interior.matrices.constraints
        loads = -np.asarray(stiffness[missing][:, given.nonzero()[0]] @ vectors[given])
        touched = np.flatnonzero(np.diff(constraints[:, missing].tocsr().indptr))
        held = constraints[touched]
        factor = factorize(
            stiffness[missing][:, missing].tocsr(),
            held[:, missing] if len(touched) else None,
            progress=progress,
        )
        values = -np.asarray(held[:, given.nonzero()[0]] @ vectors[given]) if len(touched) else None
        vectors[missing] = factor.solve(loads, values)
    return vectors, len(missing)


def _read_off_couplings(
    transformation: sp.csr_matrix, modes: np.ndarray, rows: np.ndarray, vectors: np.ndarray, given: np.ndarray
) -> None:
    """Set missing dofs (a reference node's rotations) from the coupled nodes in the file, by least squares."""
    told = np.flatnonzero(rows >= 0)
    following: sp.csr_matrix = transformation[rows[told]]
    wanted = np.flatnonzero(~given)
    shares: sp.csr_matrix = following[:, wanted]
    touched, seen = np.flatnonzero(np.diff(shares.indptr)), np.flatnonzero(abs(shares).sum(axis=0))
    if not len(seen):
        return
    shares = shares[touched][:, seen]
    normal = sp.csr_matrix(shares.T @ shares)
    moved = shares.T @ (modes[told[touched]] - following[touched] @ vectors)
    # Reference nodes of different couplings are independent: each gives a small dense system.
    _, groups = connected_components(normal, directed=False)
    order = np.argsort(groups, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        block = normal[group][:, group].toarray()
        if np.linalg.matrix_rank(block, hermitian=True) == len(group):
            vectors[wanted[seen[group]]] = np.linalg.solve(block, moved[group])
            given[wanted[seen[group]]] = True


def _check_couplings(
    interior: InteriorProblem, path: Path, modes: np.ndarray, rows: np.ndarray, vectors: np.ndarray
) -> None:
    """Refuse modes in which coupled nodes move in a way that the body's couplings do not allow."""
    dof_map = interior.matrices.dofs
    moves = np.diff(dof_map.transformation.indptr) > 0
    told = np.flatnonzero((rows >= 0) & moves[rows] & (rows < 3 * dof_map.n_nodes))
    difference = abs(dof_map.transformation[rows[told]] @ vectors - modes[told])
    largest = abs(modes[told]).max(axis=0, initial=0.0)
    worst = difference - _CONTRADICTION * largest
    if worst.size and worst.max() > 0.0:
        row, mode = np.unravel_index(int(worst.argmax()), worst.shape)
        node = interior.node_ids[rows[told[row]] // 3]
        raise ModelError(
            f"{path.name}: in mode {mode + 1} node {node} moves otherwise than the deck's couplings let it.",
            "Compute the modes with the same couplings, or take these out of the deck.",
        )
