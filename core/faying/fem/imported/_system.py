"""Stiffness and mass of another program over one common list of degrees of freedom."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.couplings import cross_matrices
from faying.fem.load_vectors import LoadVectors
from faying.fem.matrix_files import DofList, LabelledMatrix
from faying.fem.model import FeModel

_NAMED = 3  # items listed in a message


@dataclass(frozen=True, eq=False)
class ImportedSystem:
    """Imported matrices in the course of their processing.

    Attributes:
        path: file of the stiffness, for error messages.
        dofs: degrees of freedom as named in the files.
        stiffness, mass: CSR (n, n), both triangles.
        node_rows: (n,) row of each dof's node in the model, -1 for internal dofs of the other program.
        constraints: CSR (m, n) from Lagrange multipliers or a file.
        remarks: sentences about changes.
        damping: CSR (n, n); None without.
        loads: (n, k) load vectors; None without.
    """

    path: Path
    dofs: DofList
    stiffness: sp.csr_matrix
    mass: sp.csr_matrix
    node_rows: np.ndarray
    constraints: sp.csr_matrix
    remarks: tuple[str, ...] = ()
    damping: sp.csr_matrix | None = None
    loads: np.ndarray | None = None

    @property
    def internal(self) -> np.ndarray:
        """(n,) whether a dof belongs to no component of a node of the mesh."""
        return self.node_rows < 0

    @property
    def constrained(self) -> np.ndarray:
        """(n,) whether the dof occurs in a constraint."""
        return np.asarray(abs(self.constraints).sum(axis=0)).ravel() > 0.0

    def with_remark(self, sentence: str) -> "ImportedSystem":
        """Return the system with one more remark."""
        return replace(self, remarks=(*self.remarks, sentence))

    def kept(self, keep: np.ndarray) -> "ImportedSystem":
        """Return the system over some of its dofs, a mask or positions (n_kept,)."""
        return replace(
            self,
            dofs=DofList(self.dofs.nodes[keep], self.dofs.components[keep]),
            stiffness=self.stiffness[keep][:, keep],
            mass=self.mass[keep][:, keep],
            node_rows=self.node_rows[keep],
            constraints=self.constraints[:, keep],
            damping=None if self.damping is None else self.damping[keep][:, keep],
            loads=None if self.loads is None else self.loads[keep],
        )

    @property
    def idle(self) -> np.ndarray:
        """(n,) whether a dof has neither mass nor damping."""
        moved = abs(self.mass) if self.damping is None else abs(self.mass) + abs(self.damping)
        return np.asarray(np.asarray(moved.sum(axis=1)).ravel() == 0.0)

    def rotation_nodes(self, model: FeModel) -> np.ndarray:
        """Return (m,) the rows of nodes with rotations: in the matrices, or as the reference node of a coupling."""
        turning = self.node_rows[~self.internal & (self.dofs.components > 3)]
        references = np.array([c.reference for c in model.couplings], np.int64)
        return np.unique(np.concatenate([turning, references])).astype(np.int64)

    def full_dofs(self, model: FeModel, rotation_nodes: np.ndarray) -> np.ndarray:
        """Return (n,) each dof's index in the full vector of `DofMap`, -1 for internal dofs."""
        rotations = 3 * (len(model.nodes) + np.searchsorted(rotation_nodes, self.node_rows))
        component = self.dofs.components - 1
        full = np.where(component < 3, 3 * self.node_rows + component, rotations + component - 3)
        return np.where(self.internal, -1, full)

    def rigid_motions(self, model: FeModel) -> np.ndarray:
        """Return (n, 6) rigid body motions about the mesh's centre; zero for internal dofs."""
        centre = model.nodes.mean(axis=0)
        turn = cross_matrices(model.nodes - centre)
        motions = np.zeros((len(self.dofs), 6))
        for component in range(6):
            at = np.flatnonzero(~self.internal & (self.dofs.components == component + 1))
            motions[at, component] = 1.0
            if component < 3:
                motions[at, 3:] = turn[self.node_rows[at], component]
        return motions


def aligned(
    model: FeModel,
    stiffness: LabelledMatrix,
    mass: LabelledMatrix,
    constraints: tuple[sp.csr_matrix, DofList] | None = None,
    damping: LabelledMatrix | None = None,
    loads: LoadVectors | None = None,
) -> ImportedSystem:
    """Return all matrices and loads over the stiffness' degrees of freedom, with constraints C (m, n) on these.

    Raises:
        ModelError: when another matrix has other dofs, or the nodes do not match the mesh.
    """
    to_mass = _scatter(stiffness, mass.path, mass.dofs, mass.matrix, "mass")
    of_damping = of_loads = None
    if damping is not None:
        to_damping = _scatter(stiffness, damping.path, damping.dofs, damping.matrix, "damping")
        of_damping = (to_damping @ damping.matrix @ to_damping.T).tocsr()
    if loads is not None:
        to_loads = _scatter(stiffness, loads.path, loads.dofs, sp.csr_matrix(loads.vectors), "load")
        of_loads = np.asarray(to_loads @ loads.vectors)
    n = len(stiffness.dofs)
    node_rows = _matched(model, stiffness)
    # Components beyond the rotations (warping, pressure, temperature) are not motions of a node.
    node_rows = np.where(stiffness.dofs.components <= 6, node_rows, -1)
    system = ImportedSystem(
        stiffness.path,
        stiffness.dofs,
        stiffness.matrix,
        (to_mass @ mass.matrix @ to_mass.T).tocsr(),
        node_rows,
        sp.csr_matrix((0, n)) if constraints is None else _rearranged(stiffness, *constraints),
        damping=of_damping,
        loads=of_loads,
    )
    # Drop dofs with empty rows in both matrices unless they occur in constraints.
    filled = np.asarray((abs(system.stiffness) + abs(system.mass)).sum(axis=1)).ravel() > 0.0
    filled |= system.constrained | ~system.idle
    return system if filled.all() else system.kept(np.flatnonzero(filled))


def _scatter(
    stiffness: LabelledMatrix, path: Path, dofs: DofList, entries: sp.csr_matrix, what: str
) -> sp.csr_matrix:
    """Return the (n, m) matrix of zeros and ones that maps rows of another file to those of the stiffness.

    Args:
        stiffness: matrix with n degrees of freedom.
        path: the other file.
        dofs: its m degrees of freedom.
        entries: (m, k) its rows; zero rows may be missing in the stiffness.
        what: name of the matrix for messages.
    """
    labels, wanted = stiffness.dofs.labels, dofs.labels
    order = np.argsort(labels)
    places = np.minimum(np.searchsorted(labels[order], wanted), len(labels) - 1)
    found = labels[order[places]] == wanted
    weighty = np.asarray(abs(entries).sum(axis=1)).ravel()
    foreign = np.flatnonzero(~found & (weighty > 0.0))
    if len(foreign):
        raise ModelError(
            f"{path.name} has {len(foreign)} degrees of freedom that {stiffness.path.name} does not have; the "
            f"first is {dofs.name(foreign[0])}.",
            f"Write both of the same model in the same run, or give every {what} a stiffness.",
        )
    rows = np.flatnonzero(found)
    return sp.csr_matrix((np.ones(len(rows)), (order[places[rows]], rows)), shape=(len(labels), len(wanted)))


def _rearranged(stiffness: LabelledMatrix, constraints: sp.csr_matrix, dofs: DofList) -> sp.csr_matrix:
    """Return constraints (m, k) with columns rearranged to the stiffness's degrees of freedom (m, n)."""
    column = {label: at for at, label in enumerate(stiffness.dofs.labels.tolist())}
    places = np.array([column.get(label, -1) for label in dofs.labels.tolist()], np.int64)
    entries = sp.coo_matrix(constraints)
    foreign = entries.col[places[entries.col] < 0]
    if len(foreign):
        raise ModelError(
            f"The constraints beside {stiffness.path.name} have {dofs.name(foreign[0])}, which it does not have.",
            "Put the constraints there that were written together with the matrices, or none.",
        )
    shape = constraints.shape[0], len(stiffness.dofs)
    return sp.csr_matrix((entries.data, (entries.row, places[entries.col])), shape=shape)


def _matched(model: FeModel, matrix: LabelledMatrix) -> np.ndarray:
    """Return (n,) the row of each dof's node in the model, -1 for internal nodes of the other program."""
    order = np.argsort(model.node_ids)
    ids = model.node_ids[order]
    nodes = matrix.dofs.nodes
    places = np.minimum(np.searchsorted(ids, nodes), len(ids) - 1)
    known = ids[places] == nodes
    # Programs give internal nodes negative numbers or numbers above those of the deck.
    missing = np.unique(nodes[~known & (nodes > 0) & (nodes <= ids[-1])])
    if len(missing) or not known.any():
        strange = missing if len(missing) else np.unique(nodes)
        raise ModelError(
            f"{matrix.path.name} has {len(strange)} nodes that the mesh does not have: {named(strange)}.",
            "Take the deck that the matrices were computed from, without renumbering its nodes.",
        )
    return np.where(known, order[places], -1)


def named(numbers: np.ndarray) -> str:
    """Return the first few numbers as text: "3, 4, 5 …"."""
    return ", ".join(str(n) for n in numbers[:_NAMED]) + (" …" if len(numbers) > _NAMED else "")
