"""Superelements: K and M of the rest of a structure at boundary nodes, added to the mesh of a part.

The matrices may have further coordinates, such as fixed-interface modes (Craig and Bampton 1968); these become internal
degrees of freedom relative to their static response to the boundary, so that they are zero in every rigid body motion.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.elements import element_kinds
from faying.fem.imported._check import HELD, check_diagonals, guess_of_units
from faying.fem.imported._internal import condense, find_rotation_nodes, take_out_multipliers
from faying.fem.imported._system import ImportedSystem, aligned, named
from faying.fem.load_vectors import read_load_vectors
from faying.fem.matrices import StructuralMatrices
from faying.fem.matrix_files import LabelledMatrix, read_matrix
from faying.fem.model import FeModel
from faying.params import Spec, parameter
from faying.progress import PartialProgress, Progress, Silent
from faying.units import amount

MOST_DENSE = 5000  # degrees of freedom up to which eigenvalues are checked
# Size up to which a negative eigenvalue of the matrix, scaled to a unit diagonal, counts as round-off; damping has the
# tolerance of the stiffness, since internal dofs are relative to the static response.
_NEGATIVE = {"stiffness": 1e-7, "mass": 1e-7, "damping": 1e-5}
_RIGID = 1e-4  # force left over in a rigid motion, as a share of what cancels
_SAME_MASS = 0.01
_UNIT_RATIO = 300.0  # ratio of stiffnesses at the same nodes that indicates different units


class SuperelementSpec(Spec):
    """Stiffness and mass of a structure at its boundary nodes, which are nodes of the deck."""

    name: str = parameter(title="Name", min_length=1, meaning="Name of the superelement.")
    stiffness_file: str = parameter(
        title="Stiffness file", choices="file", min_length=1,
        meaning="Stiffness at the boundary nodes: Abaqus (.mtx), Nastran DMIG (.pch), CalculiX (.sti), MatrixMarket, "
        ".npz or .npy. Nodes are those of the deck by number; others, numbered below zero or above all of them, are "
        "coordinates of its own.",
    )  # fmt: skip
    mass_file: str = parameter(
        "", title="Mass file", choices="file",
        meaning="Mass at the same nodes; it may be the same DMIG file. Empty for none.",
    )  # fmt: skip
    damping_file: str = parameter(
        "", title="Damping file", choices="file", advanced=True,
        meaning="Viscous damping at the same nodes; it may be the same DMIG file. Empty for none.",
    )  # fmt: skip
    load_file: str = parameter(
        "", title="File of load vectors", choices="file", advanced=True,
        meaning="Forces at the same degrees of freedom, one column for each load of the rest of the structure: Nastran "
        "DMIG (P2G), .npz with `loads` and `dofs`, or text with node, component and forces in each line. "
        "The kind of load *Load of a superelement* applies them.",
    )  # fmt: skip
    dof_file: str = parameter(
        "", title="List of degrees of freedom", choices="file", advanced=True,
        meaning="Node and component of each row, for formats that do not say so; empty for the file beside them.",
    )  # fmt: skip
    expected_mass: float | None = parameter(
        None, title="Expected mass", quantity="mass", gt=0.0,
        meaning="What the rest of the structure weighs; the check says by how much the matrix differs.",
    )  # fmt: skip


@dataclass(frozen=True)
class SuperelementFiles:
    """Paths of a superelement's files; None for missing ones."""

    name: str
    stiffness: Path
    mass: Path | None = None
    dofs: Path | None = None
    expected_mass: float | None = None
    damping: Path | None = None
    loads: Path | None = None

    @property
    def matrices(self) -> tuple[Path, ...]:
        """The files that contain matrices."""
        return tuple(path for path in (self.stiffness, self.mass, self.damping) if path is not None)


def with_superelements(
    model: FeModel,
    matrices: StructuralMatrices,
    superelements: Sequence[SuperelementFiles],
    progress: Progress | None = None,
) -> StructuralMatrices:
    """Return the matrices of a mesh with superelements added at their boundary nodes.

    Args:
        model: the mesh.
        matrices: its matrices over n dofs.
        superelements: superelements to add; their further coordinates become internal dofs after the n dofs.
        progress: reports and cancels.

    Raises:
        ReadError: when a file is invalid.
        ModelError: when a superelement does not match the mesh, resists rigid body motions, is indefinite, has
            direction-dependent mass, or occurs twice.
    """
    progress, seen = progress or Silent(), dict[frozenset[int], str]()
    for i, files in enumerate(superelements):
        part = PartialProgress(progress, i / len(superelements), (i + 1) / len(superelements), files.name)
        try:
            system = _read(model, files, part)
            _refuse_overlap(model, system, files, seen)
            _refuse_rotations(model, matrices, system)
            remarks = [*system.remarks, *_checked(model, matrices, system, files)]
            matrices = _added(model, matrices, system, files.name)
        except ModelError as error:
            raise ModelError(f"Superelement {files.name!r}: {error.message}", error.hint) from None
        told = tuple(f"superelement {files.name!r}: {remark}" for remark in remarks)
        matrices = replace(matrices, remarks=(*matrices.remarks, *told))
    return matrices


def _read(model: FeModel, files: SuperelementFiles, progress: Progress) -> ImportedSystem:
    """Return the files' matrices with internal dofs relative to their static response to the boundary."""
    stiffness = read_matrix(files.stiffness, files.dofs, PartialProgress(progress, 0.0, 0.4))
    if files.mass is None:
        empty = sp.csr_matrix(stiffness.matrix.shape)
        mass = LabelledMatrix(stiffness.path, stiffness.dofs, empty)
    else:
        mass = read_matrix(files.mass, files.dofs, PartialProgress(progress, 0.4, 0.6), "mass")
    damping = loads = None
    if files.damping is not None:
        damping = read_matrix(files.damping, files.dofs, PartialProgress(progress, 0.6, 0.7), "damping")
    if files.loads is not None:
        loads = read_load_vectors(files.loads)
    if (stiffness.matrix.diagonal() >= HELD).any():
        raise ModelError(
            f"some components are held in {stiffness.path.name} (1e36 on the diagonal).",
            "Write the matrices of the free structure, without boundary conditions.",
        )
    progress.report(0.7, "matching the superelement with the mesh")
    system = find_rotation_nodes(
        model, take_out_multipliers(aligned(model, stiffness, mass, None, damping, loads))
    )
    check_diagonals(system)
    return condense(system)


def _refuse_overlap(
    model: FeModel, system: ImportedSystem, files: SuperelementFiles, seen: dict[frozenset[int], str]
) -> None:
    """Check that a superelement overlaps neither another superelement nor the mesh."""
    nodes = frozenset(system.node_rows[~system.internal].tolist())
    for others, name in seen.items():
        if nodes <= others or others <= nodes:
            raise ModelError(
                f"it is at the same nodes as the superelement {name!r}.",
                "Leave one of the two, or cut them apart.",
            )
    seen[nodes] = files.name
    inside = np.zeros(len(model.nodes), bool)
    inside[list(nodes)] = True
    covered = [
        block.ids[inside[block.connectivity].all(axis=1)]
        for block in model.blocks
        if not element_kinds[block.element].rotations
    ]
    elements = np.concatenate([np.zeros(0, np.int64), *covered])
    total = sum(len(block.ids) for block in model.blocks)
    if len(elements) and len(elements) > 0.01 * total:
        raise ModelError(
            f"all nodes of {len(elements)} elements of the mesh are among its boundary nodes, such as those of element "
            f"{elements[0]}: what it stands for is meshed as well.",
            "Leave these elements out of the deck, or keep only the nodes of the cut in the superelement.",
        )


def _refuse_rotations(model: FeModel, matrices: StructuralMatrices, system: ImportedSystem) -> None:
    turning = system.node_rows[~system.internal & (system.dofs.components > 3)]
    strange = np.setdiff1d(turning, matrices.dofs.rotation_nodes)
    if len(strange):
        raise ModelError(
            f"it has rotations at nodes that have none in the mesh: {named(model.node_ids[strange])}.",
            "Solids have no rotations: keep displacements alone there, or join it at the reference node of a coupling.",
        )


def _checked(
    model: FeModel, matrices: StructuralMatrices, system: ImportedSystem, files: SuperelementFiles
) -> list[str]:
    """Return remarks on mass and units.

    Raises:
        ModelError: when rigid motions are resisted, a matrix is indefinite, or mass depends on the direction.
    """
    motions = system.rigid_motions(model)
    arms = model.nodes[system.node_rows[~system.internal]] - model.nodes.mean(axis=0)
    motions[:, 3:] /= np.linalg.norm(arms, axis=1).max(initial=0.0) or 1.0
    sums = abs(system.stiffness) @ np.abs(motions).max(axis=1)
    forces = np.abs(system.stiffness @ motions).max(axis=1)
    worst = int(np.argmax(np.where(sums > 0.0, forces / np.where(sums > 0.0, sums, 1.0), 0.0)))
    if forces[worst] > _RIGID * sums[worst]:
        turns = bool(np.abs(system.stiffness[[worst]] @ motions[:, :3]).max() <= _RIGID * sums[worst])
        raise ModelError(
            f"a rigid body {'turn' if turns else 'shift'} costs energy, most at {system.dofs.name(worst)}: "
            + (
                "its nodes lie elsewhere in the mesh, or its components are in local coordinates."
                if turns
                else "it is held, or the rows belong to other nodes."
            ),
            "Write the matrices of the free structure in global coordinates.",
        )
    if system.damping is not None:
        _refuse_damped_rigid_motions(system, motions)
        _refuse_indefinite(system, system.damping, "damping")
    for matrix, what in ((system.stiffness, "stiffness"), (system.mass, "mass")):
        _refuse_indefinite(system, matrix, what)
    return [*_checked_mass(system, motions[:, :3], files), *_checked_units(model, matrices, system)]


def _refuse_damped_rigid_motions(system: ImportedSystem, motions: np.ndarray) -> None:
    """Refuse damping of rigid body motions: mass-proportional damping α M is a setting of the analysis."""
    assert system.damping is not None
    # Internal dofs are zero in rigid motions; use one instead, to obtain a scale for their rows.
    sums = abs(system.damping) @ np.maximum(np.abs(motions).max(axis=1), 1.0)
    forces = np.abs(system.damping @ motions).max(axis=1)
    worst = int(np.argmax(np.where(sums > 0.0, forces / np.where(sums > 0.0, sums, 1.0), 0.0)))
    if forces[worst] > _RIGID * sums[worst]:
        raise ModelError(
            f"its damping takes energy from rigid body motions, most at {system.dofs.name(worst)}.",
            "Write the damping of the material alone, without mass proportional damping and dampers to ground; mass "
            "damping is a decision of parts and analyses.",
        )


def _refuse_indefinite(system: ImportedSystem, matrix: sp.csr_matrix, what: str) -> None:
    filled = np.flatnonzero(matrix.diagonal() > 0.0)
    if not len(filled) or len(filled) > MOST_DENSE:
        return
    scale = 1.0 / np.sqrt(matrix.diagonal()[filled])
    dense = scale[:, None] * matrix[filled][:, filled].toarray() * scale
    values, vectors = la.eigh(dense, subset_by_index=[0, 0])
    if values[0] < -_NEGATIVE[what]:
        at = system.dofs.name(int(filled[np.argmax(np.abs(vectors[:, 0]))]))
        raise ModelError(
            f"its {what} is not positive: an eigenvalue, scaled to a unit diagonal, is {values[0]:.3g}, most at {at}.",
            "Check that the file is complete, and that stiffness and mass are not swapped.",
        )


def _checked_mass(system: ImportedSystem, shifts: np.ndarray, files: SuperelementFiles) -> list[str]:
    total = np.einsum("ij,ij->j", shifts, system.mass @ shifts)
    if files.mass is None:
        return []
    if not total.min() > 0.0 or total.max() > (1.0 + _SAME_MASS) * total.min():
        raise ModelError(
            f"its mass is {total[0]:.6g}, {total[1]:.6g} and {amount(total[2], 'mass', 6)} along x, y and z, "
            "expected a positive one.",
            "Check that the boundary nodes have all three displacements, and that stiffness and mass are not swapped.",
        )
    if files.expected_mass is None or abs(total[0] / files.expected_mass - 1.0) < _SAME_MASS:
        return []
    ratio = float(total[0]) / files.expected_mass
    return [
        f"it weighs {amount(total[0], 'mass', 6)}, expected were {amount(files.expected_mass, 'mass', 6)} "
        f"({ratio - 1.0:+.3g} of it){guess_of_units(ratio)}."
    ]


def _checked_units(model: FeModel, matrices: StructuralMatrices, system: ImportedSystem) -> list[str]:
    """Return a remark if the mesh is much stiffer or softer at the same nodes."""
    own = np.flatnonzero(~system.internal & (system.dofs.components <= 3))
    rows = matrices.dofs.transformation[3 * system.node_rows[own] + system.dofs.components[own] - 1]
    single = np.diff(rows.indptr) == 1
    mesh = matrices.stiffness.diagonal()[rows.indices[rows.indptr[:-1][single]]]
    mine = system.stiffness.diagonal()[own[single]]
    both = (mesh > 0.0) & (mine > 0.0)
    if not both.any():
        return []
    ratio = float(np.median(mine[both] / mesh[both]))
    if 1.0 / _UNIT_RATIO < ratio < _UNIT_RATIO:
        return []
    return [
        f"at its nodes it is {ratio:.3g} times as stiff as the mesh{guess_of_units(ratio)}; see that both are in the "
        "same units."
    ]


def _added(
    model: FeModel, matrices: StructuralMatrices, system: ImportedSystem, name: str
) -> StructuralMatrices:
    """Return the matrices with the superelement's; its internal dofs come last."""
    dofs, n_full = matrices.dofs, 3 * len(model.nodes)
    outside, inside = np.flatnonzero(~system.internal), np.flatnonzero(system.internal)
    nodes, components = system.node_rows[outside], system.dofs.components[outside]
    turning = components > 3
    rows = 3 * nodes + components - 1
    at = np.searchsorted(dofs.rotation_nodes, nodes[turning])
    rows[turning] = n_full + 3 * at + components[turning] - 4
    follow = dofs.transformation[rows]
    still = np.diff(follow.indptr) == 0
    if still.any():
        raise ModelError(
            f"nothing of the mesh moves its boundary nodes {named(model.node_ids[np.unique(nodes[still])])}.",
            "The boundary nodes have to belong to elements or couplings of the deck.",
        )
    # Its motion over the dofs of the mesh and its own: B = [[T, 0], [0, I]].
    n, m = dofs.n_dofs, len(inside)
    lift = sp.block_diag([follow, sp.identity(m, format="csr")], format="csr") if m else sp.csr_matrix(follow)
    order = np.concatenate([outside, inside])
    padding = sp.csr_matrix((m, m))

    def joined(of_mesh: sp.csr_matrix, own: sp.csr_matrix) -> sp.csr_matrix:
        across = (lift.T @ own[order][:, order] @ lift).tocsr()
        grown = sp.block_diag([of_mesh, padding], format="csr") if m else of_mesh
        return sp.csr_matrix(grown + 0.5 * (across + across.T))

    constraints = sp.csr_matrix(
        (matrices.constraints.data, matrices.constraints.indices, matrices.constraints.indptr),
        shape=(matrices.constraints.shape[0], n + m),
    )
    if system.constraints.shape[0]:
        constraints = sp.csr_matrix(sp.vstack([constraints, system.constraints[:, order] @ lift]))
    damping = matrices.damping
    if damping is not None or system.damping is not None:
        damping = joined(
            sp.csr_matrix((n, n)) if damping is None else damping,
            sp.csr_matrix(system.stiffness.shape) if system.damping is None else system.damping,
        )
    vectors = {
        each: np.vstack([columns, np.zeros((m, columns.shape[1]))])
        for each, columns in matrices.load_vectors.items()
    }
    if system.loads is not None:
        vectors[name] = np.asarray(lift.T @ system.loads[order])
    old = dofs.transformation
    wider = sp.csr_matrix((old.data, old.indices, old.indptr), shape=(old.shape[0], n + m))
    return replace(
        matrices,
        stiffness=joined(matrices.stiffness, system.stiffness),
        mass=joined(matrices.mass, system.mass),
        dofs=replace(dofs, transformation=wider),
        constraints=constraints,
        damping=damping,
        load_vectors=vectors,
    )
