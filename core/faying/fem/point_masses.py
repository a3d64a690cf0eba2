"""Mass matrix of point masses, over the full vector of `faying.fem.matrices.DofMap`."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from faying.fem.couplings import cross_matrices, full_dofs
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel, PointMass


def rigid_mass(point: PointMass) -> np.ndarray:
    """Return (6, 6) the mass matrix of a point mass with respect to its node.

    The mass is at an offset c from the node; its velocity is v + ω × c, so that
    M = [[m I, m R], [m Rᵀ, J + m RᵀR]] with R ω = ω × c.
    """
    arm = cross_matrices(point.offset)[0]
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = point.mass * np.eye(3)
    matrix[:3, 3:] = point.mass * arm
    matrix[3:, :3] = point.mass * arm.T
    matrix[3:, 3:] = point.inertia + point.mass * arm.T @ arm
    return matrix


def point_mass_matrix(model: FeModel, rotation_nodes: np.ndarray) -> sp.csr_matrix:
    """Return the mass matrix of all point masses over the full vector.

    At a node without rotations only the mass acts, without inertia or offset.
    """
    n = len(model.nodes)
    size = 3 * (n + len(rotation_nodes))
    rows, columns, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for point in model.point_masses:
        dofs = full_dofs(n, rotation_nodes, point.node)
        own = np.flatnonzero(dofs >= 0)
        matrix = rigid_mass(point)[np.ix_(own, own)]
        rows.append(np.repeat(dofs[own], len(own)))
        columns.append(np.tile(dofs[own], len(own)))
        values.append(matrix.ravel())
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    mass = sp.csr_matrix(entries, shape=(size, size))
    mass.eliminate_zeros()
    return mass


def misplaced_masses(model: FeModel) -> Iterator[str]:
    """Yield a warning for each point mass that does not act as defined in the deck."""
    touched = np.zeros(len(model.nodes), bool)
    turned = np.zeros(len(model.nodes), bool)
    for block in model.blocks:
        touched[block.connectivity] = True
        turned[block.connectivity] |= element_kinds[block.element].rotations
    for coupling in model.couplings:
        touched[[coupling.reference, *coupling.nodes]] = True
        turned[coupling.reference] = True
    for equations in model.equations:
        touched[equations.nodes] = True
    for spring in model.springs:
        touched[spring.nodes] = True
    for point in model.point_masses:
        name = f"{point.name} at node {model.node_ids[point.node]}"
        if not touched[point.node]:
            yield f"{name}: no element and no coupling holds the node, so the mass is left out."
        elif (point.inertia.any() or point.offset.any()) and not turned[point.node]:
            yield f"{name}: the node has no rotations, so its mass acts without moment of inertia and offset."
