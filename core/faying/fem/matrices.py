"""Structural matrices and the map between nodes and degrees of freedom."""

from dataclasses import field

import numpy as np
import scipy.sparse as sp

from faying.records import record


@record("dof_map")
class DofMap:
    """Map from independent degrees of freedom to nodal displacements: ``u = T x``.

    The full vector u holds three displacements of every node (node-major), then three rotations of each
    node in `rotation_nodes` in that order. Kinematic couplings are eliminated, so some rows of T combine several dofs;
    x contains independent dofs only.

    Attributes:
        n_nodes: number of nodes of the model.
        rotation_nodes: (k,) rows of the nodes that have rotations, ascending.
        transformation: T, sparse CSR, (3 n_nodes + 3 k, n_dofs).
        followers: (d,) eliminated rows of T, which depend on dofs of other nodes.
    """

    n_nodes: int
    rotation_nodes: np.ndarray
    transformation: sp.csr_matrix
    followers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def n_dofs(self) -> int:
        """Number of independent dofs."""
        return int(self.transformation.shape[1])

    @property
    def displacement_rows(self) -> sp.csr_matrix:
        """The rows of T for displacements, (3 n_nodes, n_dofs)."""
        return self.transformation[: 3 * self.n_nodes]

    @property
    def own_rows(self) -> np.ndarray:
        """(n_dofs,) row of the full vector that each independent dof equals; −1 for internal dofs."""
        transformation = self.transformation
        alone = np.diff(transformation.indptr) == 1
        # A node tied to a coincident node has the same row of T, but no dof.
        alone[self.followers] = False
        own = np.flatnonzero(alone)
        rows = np.full(self.n_dofs, -1, dtype=np.int64)
        rows[transformation.indices[transformation.indptr[own]]] = own
        return rows

    def node_rows(self, node: int) -> np.ndarray:
        """Return (3,) or (6,) the rows of T of a node: three displacements, then three rotations if it has them."""
        rows = 3 * node + np.arange(3)
        at = np.searchsorted(self.rotation_nodes, node)
        if at < len(self.rotation_nodes) and self.rotation_nodes[at] == node:
            return np.concatenate([rows, 3 * self.n_nodes + 3 * at + np.arange(3)])
        return rows


@record("structural_matrices")
class StructuralMatrices:
    """Symmetric sparse stiffness and mass over the independent dofs, with linear constraints.

    Attributes:
        stiffness: K, CSR (n_dofs, n_dofs), both triangles stored.
        mass: M, CSR, same shape.
        dofs: the dof map.
        constraints: C, CSR (m, n_dofs) with C x = 0, from distributing couplings; m may be 0. They are kept separate
            from K because their elimination would create dense blocks.
        remarks: sentences about dofs of imported matrices that were restored, condensed or left out.
        tie_forces: CSR (3, n_dofs) for each joint in the body's order: force F = rows x of its weak ties on the slave
            surface; None for a joint without ties, empty if no joint has any.
        damping: C, CSR (n_dofs, n_dofs), of dampers and superelements; None without any. Elements are undamped.
        load_vectors: (n_dofs, k) generalised forces of each superelement that has any, by its name.
    """

    stiffness: sp.csr_matrix
    mass: sp.csr_matrix
    dofs: DofMap
    constraints: sp.csr_matrix
    remarks: tuple[str, ...] = ()
    tie_forces: tuple[sp.csr_matrix | None, ...] = ()
    damping: sp.csr_matrix | None = None
    load_vectors: dict[str, np.ndarray] = field(default_factory=dict)
