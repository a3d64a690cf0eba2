"""Gap and slip of contact pairs as linear functions of the independent degrees of freedom.

Shells touch at their outer faces; rotations of their nodes move these tangentially, but not along the normal.

The normal of each pair stays that of the undeformed body (small sliding, thesis eqs. 3.25 and 3.79), with the
sign of `ContactPairs`: the gap grows when the slave moves along the master normal. (The thesis prints
u_M − u_S there, which would make contact attract.)
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.fem.matrices import DofMap
from faying.joints.pairs import ContactPairs


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Rows of one joint over sparse degrees of freedom: gap = initial_gaps + normal @ x, slip = tangential @ x.

    Attributes:
        normal: CSR (n, n_dofs).
        tangential: CSR (2 n, n_dofs), rows 2 i and 2 i + 1 belong to pair i.
        weights, initial_gaps: (n,).
        node_areas: (n,) of the slave nodes at each pair, see `ContactPairs`; None to use the weights.
    """

    normal: sp.csr_matrix
    tangential: sp.csr_matrix
    weights: np.ndarray
    initial_gaps: np.ndarray
    node_areas: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class ProjectedRows:
    """Rows of a joint over few coordinates (`faying.joints.interface.DenseRows`).

    Attributes:
        normal: (n, r).
        tangential: (n, 2, r), zeros for a joint without friction.
        weights, initial_gaps: (n,).
    """

    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray

    def leading(self, count: int) -> "ProjectedRows":
        """Return the rows over the first coordinates alone."""
        return _frictionless(self.normal[:, :count], self.weights, self.initial_gaps)


def projected_gaps(rows: SparseRows, vectors: np.ndarray) -> ProjectedRows:
    """Return the gaps of one joint over the amplitudes of vectors (n_dofs, r)."""
    return gaps_over(rows.normal @ vectors, rows)


def gaps_over(normal: np.ndarray, rows: SparseRows) -> ProjectedRows:
    """Return the gaps of one joint over r amplitudes; normal (n_pairs, r) is the change of the gaps with each."""
    return _frictionless(normal, rows.weights, rows.initial_gaps)


def _frictionless(normal: np.ndarray, weights: np.ndarray, initial_gaps: np.ndarray) -> ProjectedRows:
    tangential = np.zeros((len(normal), 2, normal.shape[1]))
    return ProjectedRows(np.ascontiguousarray(normal), tangential, weights, initial_gaps)


def gap_rows(pairs: ContactPairs, dofs: DofMap) -> sp.csr_matrix:
    """Return Gn, CSR (n, n_dofs), so that gap = initial_gaps + Gn x.

    Args:
        pairs: contact pairs.
        dofs: how nodal displacements follow from the independent dofs x.
    """
    return _relative_rows(pairs, pairs.normals[:, None, :], dofs)


def slip_rows(pairs: ContactPairs, dofs: DofMap) -> sp.csr_matrix:
    """Return Gt, CSR (2 n, n_dofs), so that (Gt x)[2 i] and [2 i + 1] are slip 1 and slip 2 of pair i.

    Args:
        pairs: contact pairs.
        dofs: how nodal displacements follow from the independent dofs x.
    """
    plain = _relative_rows(pairs, np.stack([pairs.tangents_1, pairs.tangents_2], axis=1), dofs)
    turning = _slip_by_turning(pairs, dofs)
    return plain if turning is None else sp.csr_matrix(plain + turning)


def _slip_by_turning(pairs: ContactPairs, dofs: DofMap) -> sp.csr_matrix | None:
    """Return the part of shell rotations in the slip of their outer faces, CSR (2 n, n_dofs); None without shells.

    The outer face lies at h n from the nodes of the master and at -h n from those of the slave, so that a rotation θ
    moves it by h θ × n: along t1 that is h θ · t2, along t2 it is -h θ · t1.
    """
    if pairs.master_heights is None or pairs.slave_heights is None or not len(dofs.rotation_nodes):
        return None
    n = len(pairs)
    slave_nodes, slave_shares = pairs.slave_shares
    nodes = np.column_stack([slave_nodes, pairs.master_nodes])
    # The slave's height counts against the normal, and the master's motion against the slave's.
    heights = pairs.slave_heights[:, None], pairs.master_heights[:, None]
    shares = -np.column_stack([heights[0] * slave_shares, heights[1] * pairs.shape_values])
    at = np.minimum(np.searchsorted(dofs.rotation_nodes, nodes), len(dofs.rotation_nodes) - 1)
    turns = (dofs.rotation_nodes[at] == nodes) & (shares != 0.0)
    if not turns.any():
        return None
    across = np.stack([pairs.tangents_2, -pairs.tangents_1], axis=1)
    pair, column = np.nonzero(turns)
    values = across[pair] * shares[pair, column, None, None]  # (k, 2, 3)
    rows = np.broadcast_to((2 * pair[:, None] + np.arange(2))[:, :, None], values.shape)
    places = 3 * (dofs.n_nodes + at[pair, column])[:, None, None] + np.arange(3)
    columns = np.broadcast_to(places, values.shape)
    full = sp.csr_matrix(
        (values.ravel(), (rows.ravel(), columns.ravel())), shape=(2 * n, dofs.transformation.shape[0])
    )
    return sp.csr_matrix(full @ dofs.transformation)


def sparse_rows(pairs: ContactPairs, dofs: DofMap) -> SparseRows:
    """Return gap and slip rows of the pairs together with their weights and initial gaps."""
    return SparseRows(
        gap_rows(pairs, dofs), slip_rows(pairs, dofs), pairs.weights, pairs.initial_gaps, pairs.node_areas
    )


def gaps_and_slips(pairs: ContactPairs, displacements: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return gaps (n,) and slips (n, 2) of pairs for nodal displacements (n_nodes, 3).

    Rotations of shells, which move their outer faces, are not included.
    """
    moved = pairs.on_slave(displacements) - pairs.on_master(displacements)
    gaps = pairs.initial_gaps + np.einsum("ij,ij->i", pairs.normals, moved)
    slips = [np.einsum("ij,ij->i", along, moved) for along in (pairs.tangents_1, pairs.tangents_2)]
    return gaps, np.stack(slips, axis=1)


def _relative_rows(pairs: ContactPairs, directions: np.ndarray, dofs: DofMap) -> sp.csr_matrix:
    """Return rows of d · (u_slave − Σ N_k u_k) for directions (n, m, 3), pair-major, CSR (n m, n_dofs)."""
    n, m = directions.shape[:2]
    # Nodes of each pair and their share in the relative displacement (n, 1 + k).
    slave_nodes, slave_shares = pairs.slave_shares
    nodes = np.column_stack([slave_nodes, pairs.master_nodes])
    shares = np.column_stack([slave_shares, -pairs.shape_values])
    # One entry per pair, direction, node and component.
    shape = (n, m, nodes.shape[1], 3)
    values = directions[:, :, None, :] * shares[:, None, :, None]
    columns = np.broadcast_to(3 * nodes[:, None, :, None] + np.arange(3), shape)
    rows = np.broadcast_to(np.arange(n * m).reshape(n, m, 1, 1), shape)
    nodal = sp.csr_matrix((values.ravel(), (rows.ravel(), columns.ravel())), shape=(n * m, 3 * dofs.n_nodes))
    nodal.eliminate_zeros()
    return sp.csr_matrix(nodal @ dofs.displacement_rows)
