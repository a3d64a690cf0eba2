"""Weak ties between the surfaces of joints, for parts that hang on the rest by contact alone."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import rigid_body_modes
from faying.fem.connectivity import connected_parts, held_parts
from faying.fem.matrices import DofMap, StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairs import ContactPairs

AS_NEEDED = 1e-5  # share of the surfaces' nodal stiffness, for ties between a part that only contact holds and the rest
_ROUNDING = 1e-9  # share of a facet's size, below which an arm is round-off


def pairs_of_loose_parts(
    model: FeModel, held_nodes: Sequence[int], joints: Sequence[ContactPairs]
) -> list[ContactPairs | None]:
    """Return for each joint its pairs if it touches a part that only contact holds, else None.

    Args:
        model: the body's model.
        held_nodes: rows of the interface nodes; without any, all parts but the largest are loose.
        joints: contact pairs of its joints.
    """
    labels, _ = connected_parts(model)
    loose = ~np.isin(labels, list(held_parts(labels, held_nodes)))
    return [
        pairs if any(loose[np.unique(n)].any() for n in (pairs.slave_shares[0], pairs.master_nodes)) else None
        for pairs in joints
    ]


def surface_stiffness(stiffness: sp.csr_matrix, gap_rows: sp.csr_matrix, node_areas: np.ndarray) -> float:
    """Return the stiffness of the surfaces' nodes with their neighbours held, as pressure per relative displacement.

    Args:
        stiffness: K (n_dofs, n_dofs).
        gap_rows: CSR (n_pairs, n_dofs).
        node_areas: (n_pairs,) areas of the nodes at each pair, see `ContactPairs`.

    Returns:
        The median over the movable pairs; one if there are none.
    """
    diagonal = stiffness.diagonal()
    flexibility = gap_rows.power(2) @ (1.0 / np.where(diagonal > 0, diagonal, np.inf))
    used = flexibility[flexibility > 0] * node_areas[flexibility > 0]
    return 1.0 / float(np.median(used)) if len(used) else 1.0


def tie_rows(pairs: ContactPairs, nodes: np.ndarray, dofs: DofMap) -> sp.csr_matrix:
    """Return how the surfaces of a joint move against each other at each pair, CSR (3 n, n_dofs).

    Rows 3 i, 3 i + 1 and 3 i + 2 are gap, slip 1 and slip 2 of pair i. Where a pair is open, its slave lies off the
    master surface, and a rigid rotation of both would count as slip; so the rotation θ of the master's facet is taken
    out with the arm d that the slave has there: t · (u_S − u_M − θ × d). No rigid motion moves these rows.

    Args:
        pairs: contact pairs.
        nodes: (n_nodes, 3) undeformed coordinates.
        dofs: how nodal displacements follow from the independent dofs.
    """
    n = len(pairs)
    by_row = sp.vstack([gap_rows(pairs, dofs), slip_rows(pairs, dofs)]).tocsr()
    order = np.column_stack([np.arange(n), n + 2 * np.arange(n), n + 2 * np.arange(n) + 1])
    rows = by_row[order.ravel()]
    # Change of the rows with unit rotations about each axis: t · (e × d) = (d × t) · e.
    arms = nodes[pairs.master_nodes] - nodes[pairs.master_nodes].mean(axis=1, keepdims=True)
    sizes = np.linalg.norm(arms, axis=2).max(axis=1)
    turned = (rows @ rigid_body_modes(nodes, dofs, nodes.mean(axis=0))[:, 3:]).reshape(n, 3, 3)
    turned[np.abs(turned) < _ROUNDING * sizes[:, None, None]] = 0.0
    if not turned.any():
        return rows
    # The facet's rotation fits its nodes best (least squares): θ = J⁻¹ Σ a × u, J = Σ (|a|² I − a aᵀ).
    squares = np.einsum("nka,nkb->nab", arms, arms)
    spread = np.trace(squares, axis1=1, axis2=2)[:, None, None] * np.eye(3) - squares
    crossed = np.cross(arms[:, :, None, :], np.eye(3))  # [..., b, :] = a × e_b
    turns = np.einsum("nac,nkbc->nakb", np.linalg.pinv(spread, hermitian=True), crossed)
    values = np.einsum("nda,nakb->ndkb", turned, turns)
    places = (3 * pairs.master_nodes[:, None, :, None] + np.arange(3)) + np.zeros((1, 3, 1, 1), np.int64)
    at = np.broadcast_to(np.arange(3 * n).reshape(n, 3, 1, 1), values.shape)
    nodal = sp.csr_matrix((values.ravel(), (at.ravel(), places.ravel())), shape=(3 * n, 3 * dofs.n_nodes))
    nodal.eliminate_zeros()
    return sp.csr_matrix(rows - nodal @ dofs.displacement_rows)


def weakly_tied(
    matrices: StructuralMatrices, nodes: np.ndarray, joints: Sequence[ContactPairs | None], share: float
) -> StructuralMatrices:
    """Return the matrices with an elastic foundation between the surfaces of joints, and a remark on it.

    It resists all motion of the surfaces against each other, open or closed, in every direction. It affects every
    computation with these matrices, including that of the unreduced model.

    Args:
        matrices: of the body.
        nodes: (n_nodes, 3) undeformed coordinates.
        joints: contact pairs of its joints in their order, None for a joint that is not tied.
        share: stiffness of the foundation over that of the surfaces' nodes in the mesh.
    """
    stiffness, forces = matrices.stiffness, list[sp.csr_matrix | None]()
    for pairs in joints:
        if pairs is None:
            forces.append(None)
            continue
        gaps = gap_rows(pairs, matrices.dofs)
        spring = share * surface_stiffness(stiffness, gaps, pairs.node_areas)
        rows, springs = tie_rows(pairs, nodes, matrices.dofs), np.repeat(spring * pairs.weights, 3)
        stiffness = stiffness + rows.T @ sp.diags(springs) @ rows
        # Resultant of all springs on the slave: −Σ s w (n, t1, t2) · rows.
        directions = np.stack([pairs.normals, pairs.tangents_1, pairs.tangents_2], axis=1).reshape(-1, 3)
        forces.append(sp.csr_matrix(-(directions * springs[:, None]).T @ rows))
    remark = f"the surfaces of its joints are tied by springs of {share:.3g} of the stiffness of their nodes"
    return replace(
        matrices,
        stiffness=sp.csr_matrix(stiffness),
        remarks=(*matrices.remarks, remark),
        tie_forces=tuple(forces),
    )
