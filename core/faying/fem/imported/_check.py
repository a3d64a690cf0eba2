"""Checks that imported matrices are definite and unrestrained, and match the nodes and units of the mesh."""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.assembly import rigid_body_modes
from faying.fem.couplings import cross_matrices
from faying.fem.elements import element_kinds
from faying.fem.imported._internal import internal_motions
from faying.fem.imported._system import ImportedSystem, named
from faying.fem.mass_properties import mass_properties
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel, Material
from faying.units import amount

HELD = 1e35  # Abaqus writes 1e36 on the diagonal of fixed components
_SHIFT, _TURN = 1e-5, 1e-3  # force left over in a rigid motion, as a share of what cancels
_SAME_MASS = 0.01
_PRESENT = 0.5  # fraction of the mesh's nodes that must be in the matrices
_FACTORS = {1e3: "g or mm", 1e6: "N/mm² against N/m²", 1e9: "mm³ against m³", 1e12: "t/mm³ against kg/m³"}


def restore_held(model: FeModel, system: ImportedSystem) -> ImportedSystem:
    """Return the system with the stiffness of fixed components restored.

    The other program has written a huge number on their diagonal but kept the rest of the row. Since a rigid body
    motion causes no forces, the lost diagonal follows from the rest of the row.

    Raises:
        ModelError: when the rest of the row is lost too, or the motion of an internal component is unknown.
    """
    diagonal = system.stiffness.diagonal()
    held = np.flatnonzero(abs(diagonal) >= HELD)
    if not len(held):
        return system
    internal = held[system.internal[held]]
    if len(internal):
        raise _lost(system, held, internal)
    stiffness = system.stiffness.copy()
    stiffness.setdiag(np.where(abs(diagonal) >= HELD, 0.0, diagonal))
    without = replace(system, stiffness=stiffness.tocsr())
    motions = without.rigid_motions(model)
    inside = np.flatnonzero(system.internal)
    if len(inside):
        motions[inside] = internal_motions(without, inside, motions)
    forces = stiffness[held] @ motions
    restored = np.zeros(len(held))
    turn = cross_matrices(model.nodes[system.node_rows[held]] - model.nodes.mean(axis=0))
    for i, component in enumerate(system.dofs.components[held] - 1):
        if component < 3:
            restored[i] = -forces[i, component]
        else:
            # About the node itself, so that it only rotates.
            restored[i] = -(forces[i, component] - forces[i, :3] @ turn[i, :, component - 3])
    lost = held[~(restored > 0.0)]
    if len(lost):
        raise _lost(system, held, lost)
    diagonal[held] = restored
    stiffness.setdiag(diagonal)
    return replace(without, stiffness=stiffness.tocsr()).with_remark(
        f"{len(held)} components are held in {system.path.name} (1e36 on the diagonal), the first is "
        f"{system.dofs.name(held[0])}; their stiffness was restored from the rest of their rows."
    )


def _lost(system: ImportedSystem, held: np.ndarray, lost: np.ndarray) -> ModelError:
    return ModelError(
        f"{len(held)} components are held in {system.path.name}, and their stiffness is lost; the first is "
        f"{system.dofs.name(lost[0])}.",
        "Write the matrices of the free body, without boundary conditions.",
    )


def check_diagonals(system: ImportedSystem) -> None:
    """Check that the diagonals are possible for a stiffness and a mass.

    Raises:
        ModelError: naming the node and the component.
    """
    stiffness, mass = system.stiffness.diagonal(), system.mass.diagonal()
    heavy = np.flatnonzero((mass < 0.0) | (mass >= HELD))
    if len(heavy):
        raise ModelError(
            f"The mass of {system.dofs.name(heavy[0])} is {mass[heavy[0]]:g}.",
            "Write the mass matrix without boundary conditions, and check that the two files are not swapped.",
        )
    loose = np.flatnonzero(~system.internal & ~system.constrained & (stiffness == 0.0) & (mass > 0.0))
    if len(loose):
        raise ModelError(
            f"{len(loose)} degrees of freedom have mass but no stiffness, the first is "
            f"{system.dofs.name(loose[0])}.",
            "Attach the mass to the body by a coupling.",
        )
    outside = np.flatnonzero(~system.internal)
    inner = system.stiffness[outside][:, outside].tocoo()
    limit = stiffness[outside]
    negative = outside[np.flatnonzero(limit < 0.0)]
    # Every 2 × 2 principal minor of a stiffness is non-negative.
    allowed = (1.0 + 1e-9) * np.sqrt(np.maximum(limit[inner.row] * limit[inner.col], 0.0))
    larger = np.flatnonzero((abs(inner.data) > allowed) & (inner.row != inner.col))
    if not len(negative) and not len(larger):
        return
    if len(negative):
        where = f"{system.dofs.name(negative[0])} has {stiffness[negative[0]]:.4g} on the diagonal"
    else:
        i, j = outside[inner.row[larger[0]]], outside[inner.col[larger[0]]]
        where = (
            f"{system.dofs.name(i)} and {system.dofs.name(j)} have {stiffness[i]:.4g} and {stiffness[j]:.4g} on the "
            f"diagonal, but {inner.data[larger[0]]:.4g} between them"
        )
    raise ModelError(
        f"The stiffness matrix {system.path.name} is indefinite: {where}.",
        "Check that the file is complete and a stiffness, and that it was written without contact elements.",
    )


def check_nodes(model: FeModel, matrices: StructuralMatrices) -> list[str]:
    """Return a remark if nodes of elements occur neither in the matrices nor in couplings, so that they do not move.

    Raises:
        ModelError: when this is true for more than half of the nodes.
    """
    rows = np.diff(matrices.dofs.displacement_rows.indptr).reshape(-1, 3)
    used = np.unique(np.concatenate([b.connectivity.ravel() for b in model.blocks] or [np.arange(len(rows))]))
    still = used[(rows[used] == 0).any(axis=1)]
    share = len(still) / len(used)
    if share > 1.0 - _PRESENT:
        raise ModelError(
            f"The imported matrices do not fit the mesh: {share:.0%} of its nodes are not in them, such as "
            f"{named(model.node_ids[still])}.",
            "Take the deck that the matrices were computed from.",
        )
    if not len(still):
        return []
    return [
        f"{len(still)} of {len(used)} nodes ({share:.2%}) are not in the imported matrices and follow no coupling of "
        f"the deck, such as {named(model.node_ids[still])}; they stay at rest."
    ]


def check_free(model: FeModel, matrices: StructuralMatrices, system: ImportedSystem) -> None:
    """Check that the stiffness does not resist rigid body motions of the mesh.

    Raises:
        ModelError: naming the resisted motion and the place.
    """
    motions = rigid_body_modes(model.nodes, matrices.dofs, model.nodes.mean(axis=0))
    # Rotations are scaled to the same displacements as translations; each row is compared with the sum of its
    # magnitudes.
    motions[:, 3:] /= np.linalg.norm(model.nodes - model.nodes.mean(axis=0), axis=1).max()
    sums = abs(matrices.stiffness) @ abs(motions).max(axis=1)
    forces = abs(matrices.stiffness @ motions)
    share = np.divide(forces, sums[:, None], out=np.zeros_like(forces), where=sums[:, None] > 0.0)
    name = system.path.name
    for columns, limit, motion, cause in (
        (slice(0, 3), _SHIFT, "shift", "the body is held, or the rows belong to other nodes"),
        (slice(3, 6), _TURN, "turn", "the mesh lies elsewhere, or the matrices are in local coordinates"),
    ):  # fmt: skip
        resisting = np.flatnonzero(share[:, columns].max(axis=1) > limit)
        if len(resisting):
            raise ModelError(
                f"{name} resists a rigid body {motion} of the mesh at {len(resisting)} degrees of freedom, such as "
                f"{_place(model, matrices, resisting[0])}: {cause}.",
                "Write the matrices of the free body in global coordinates, without boundary conditions.",
            )


def check_mass(model: FeModel, matrices: StructuralMatrices) -> list[str]:
    """Return a remark if the total mass differs from that of the deck's elements and point masses.

    Raises:
        ModelError: when the matrix has no mass, or differs by more than a factor of ten.
    """
    shifts = rigid_body_modes(model.nodes, matrices.dofs)[:, :3]
    total = np.einsum("ij,ij->j", shifts, matrices.mass @ shifts)
    if not total.min() > 0.0 or total.max() > 1.001 * total.min():
        raise ModelError(
            f"The imported mass matrix moves {total[0]:.6g}, {total[1]:.6g} and {amount(total[2], 'mass', 6)} "
            "along x, y and z, expected one positive mass.",
            "Check that stiffness and mass are not swapped, and that the list of degrees of freedom belongs to them.",
        )
    expected = _mass_of_mesh(model)
    if not expected > 0.0:
        return []
    ratio = float(total[0]) / expected
    if not 0.1 < ratio < 10.0:
        raise ModelError(
            f"The imported mass is {amount(total[0], 'mass', 6)}, but the mesh has "
            f"{amount(expected, 'mass', 6)} by its elements and point masses: a factor of "
            f"{ratio:.3g}{guess_of_units(ratio)}.",
            "Write matrices and deck in the same unit system.",
        )
    if abs(ratio - 1.0) < _SAME_MASS:
        return []
    return [
        f"The imported mass is {amount(total[0], 'mass', 6)}, but the mesh has {amount(expected, 'mass', 6)} "
        f"by its elements and point masses ({ratio - 1.0:+.1%})."
    ]


def check_stiffness_units(model: FeModel, matrices: StructuralMatrices) -> None:
    """Check the stiffness against the moduli of the deck's solids, by their energies in uniform extension.

    Raises:
        ModelError: when they differ by more than a factor of a hundred.
    """
    expected = 0.0
    for material, volume in _volumes(model):
        modulus, ratio = material.youngs_modulus, material.poisson_ratio
        if not modulus > 0.0 or not -1.0 < ratio < 0.5:
            return
        expected += volume * modulus * (1.0 - ratio) / ((1.0 + ratio) * (1.0 - 2.0 * ratio))
    transformation = matrices.dofs.transformation
    if not expected > 0.0:
        return
    stretched = np.zeros((transformation.shape[0], 3))
    for axis in range(3):
        stretched[axis : 3 * len(model.nodes) : 3, axis] = model.nodes[:, axis] - model.nodes[:, axis].mean()
    rows = matrices.dofs.own_rows
    field = np.where(rows[:, None] < 0, 0.0, stretched[rows])
    energies = np.einsum("ij,ij->j", field, matrices.stiffness @ field)
    ratio = float(np.median(energies)) / expected
    # Only the moduli of solids are known: beams and shells may make the body stiffer by any factor.
    most = np.inf if any(element_kinds[block.element].rotations for block in model.blocks) else 1e2
    if not 1e-2 < ratio < most:
        raise ModelError(
            f"The imported stiffness is {ratio:.3g} times that of the deck's mesh and moduli{guess_of_units(ratio)}.",
            "Write matrices and deck in the same unit system.",
        )


def _mass_of_mesh(model: FeModel) -> float:
    """Return the mass of all elements and point masses; zero if unknown."""
    if any(len(block.ids) and block.material not in model.materials for block in model.blocks):
        return 0.0
    try:
        return mass_properties(model).mass
    except ModelError:
        return 0.0


def _volumes(model: FeModel) -> list[tuple[Material, float]]:
    """Return material and volume of each block of solids; none if a material or an element's volume is missing."""
    found = []
    for block in model.blocks:
        kind, material = element_kinds[block.element], model.materials.get(block.material)
        if kind.rotations or not len(block.ids):
            continue
        if material is None:
            return []
        unit = Material("", 1.0, 0.0, 1.0)
        try:
            volume = sum(
                float(kind.mass(model.nodes[block.connectivity[i : i + 4096]], unit, None).sum())
                for i in range(0, len(block.ids), 4096)
            )
        except ModelError:
            return []
        found.append((material, volume))
    return found


def guess_of_units(ratio: float) -> str:
    """Return the units suggested by a ratio, after a comma; "" for none."""
    for factor, units in _FACTORS.items():
        if 0.5 < ratio / factor < 2.0 or 0.5 < ratio * factor < 2.0:
            return f", which looks like {units}"
    return ""


def _place(model: FeModel, matrices: StructuralMatrices, dof: int) -> str:
    """Return the node of an independent dof as text."""
    column = sp.csc_matrix(matrices.dofs.transformation)[:, [dof]]
    if not column.nnz:
        return "an internal one"
    row, n = int(column.indices[0]), len(model.nodes)
    node = row // 3 if row < 3 * n else int(matrices.dofs.rotation_nodes[row // 3 - n])
    return f"node {model.node_ids[node]}"
