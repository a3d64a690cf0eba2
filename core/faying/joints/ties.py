"""Weak ties between the surfaces of joints, for parts that hang on the rest by contact alone."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from faying.fem.connectivity import connected_parts, held_parts
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.kinematics import SparseRows
from faying.joints.pairs import ContactPairs

AS_NEEDED = (
    1e-5  # of the stiffness of the surfaces' nodes: between a part that only contact holds and the rest
)


def pairs_of_loose_parts(
    model: FeModel, held_nodes: Sequence[int], joints: Sequence[ContactPairs]
) -> list[ContactPairs]:
    """Return the pairs of those joints that touch a part which nothing but contact holds; none without such a part.

    Args:
        model: the body's model.
        held_nodes: rows of the interface nodes; without any, all parts but the largest are loose.
        joints: contact pairs of its joints.
    """
    labels, _ = connected_parts(model)
    loose = ~np.isin(labels, list(held_parts(labels, held_nodes)))
    return [
        pairs for pairs in joints
        if any(loose[np.unique(nodes)].any() for nodes in (pairs.slave_shares[0], pairs.master_nodes))
    ]  # fmt: skip


def surface_stiffness(stiffness: sp.csr_matrix, gap_rows: sp.csr_matrix, node_areas: np.ndarray) -> float:
    """Return a pressure over relative displacement: what a pair's nodes resist with their neighbours held.

    Args:
        stiffness: K (n_dofs, n_dofs).
        gap_rows: CSR (n_pairs, n_dofs).
        node_areas: (n_pairs,) areas of the nodes at each pair, see `ContactPairs`.

    Returns:
        The median over the pairs that move at all; one when there is none.
    """
    diagonal = stiffness.diagonal()
    flexibility = gap_rows.power(2) @ (1.0 / np.where(diagonal > 0, diagonal, np.inf))
    used = flexibility[flexibility > 0] * node_areas[flexibility > 0]
    return 1.0 / float(np.median(used)) if len(used) else 1.0


def weakly_tied(
    matrices: StructuralMatrices, joints: Sequence[SparseRows], share: float
) -> StructuralMatrices:
    """Return the matrices with an elastic foundation between the surfaces of all joints, and a remark on it.

    It resists all motion of the surfaces against each other, open or closed, in every direction. Everything that
    is computed with these matrices knows it, the unreduced model too.

    Args:
        matrices: of the body.
        joints: rows of its joints.
        share: stiffness of the foundation over that of the surfaces' nodes in the mesh.
    """
    stiffness = matrices.stiffness
    for rows in joints:
        areas = rows.weights if rows.node_areas is None else rows.node_areas
        spring = share * surface_stiffness(stiffness, rows.normal, areas)
        for part, weights in ((rows.normal, rows.weights), (rows.tangential, np.repeat(rows.weights, 2))):
            stiffness = stiffness + part.T @ sp.diags(spring * weights) @ part
    remark = f"the surfaces of its joints are tied by springs of {share:.3g} of the stiffness of their nodes"
    return replace(matrices, stiffness=sp.csr_matrix(stiffness), remarks=(*matrices.remarks, remark))
