"""Contact pairs: a point of the slave surface, a node or an integration point, and its intersection point."""

from functools import cached_property
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from faying.fem.facet_points import FacetPoints
from faying.records import record

# How a value at a node is formed from those at the integration points around it.
Joining = Literal["mean", "nearest", "sum"]


@record("contact_pairs", read_only=True)
class ContactPairs:
    """All contact pairs of one joint: at the slave nodes, or at the integration points of the slave facets.

    Signs: `normals` point out of the master surface; gap = n · (x_slave − x_master), positive when open;
    slip = t · (u_slave − u_master).

    Attributes:
        slave_nodes: (n,) node rows, ascending; None for pairs at integration points.
        facets: (n,) facet number of the intersection point on the master surface.
        master_nodes: (n, k) node rows of that facet, filled up with its first node.
        shape_values: (n, k) shape functions at the intersection point, zero where filled up; each row
            sums to one.
        local_coordinates: (n, 2) isoparametric coordinates of the intersection point.
        points: (n, 3) intersection points.
        normals, tangents_1, tangents_2: (n, 3) right-handed local coordinate systems (thesis D.1, D.4, D.5):
            t1 × t2 = n.
        weights: (n,) area that each pair represents; they sum to the slave area of the paired nodes or points, without
            the faces at sharp edges that do not face the master.
        initial_gaps: (n,) normal distance in the undeformed state, positive when open.
        unpaired_nodes: (m,) slave node rows without an intersection point; None for pairs at integration points.
        unpaired_reasons: (m,) index into `REASONS` for each.
        unpaired_weights: (m,) area that each unpaired slave node or point represents.
        master_heights, slave_heights: (n,) distances of the outside of shells from the intersection point and the
            slave node or point, towards each other; None for zero. Initial gaps are between the outsides.
        slave_points, unpaired_points: (n,) and (m,) integration points of slave facets in place of the nodes.
    """

    slave_nodes: np.ndarray | None
    facets: np.ndarray
    master_nodes: np.ndarray
    shape_values: np.ndarray
    local_coordinates: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    tangents_1: np.ndarray
    tangents_2: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray
    unpaired_nodes: np.ndarray | None
    unpaired_reasons: np.ndarray
    unpaired_weights: np.ndarray
    master_heights: np.ndarray | None = None
    slave_heights: np.ndarray | None = None
    slave_points: FacetPoints | None = None
    unpaired_points: FacetPoints | None = None

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def n_unpaired(self) -> int:
        """Number of slave nodes or integration points without an intersection point."""
        return len(self.unpaired_weights)

    @property
    def slave_word(self) -> str:
        """The places of the pairs, in words: "slave nodes" or "integration points"."""
        return "slave nodes" if self.slave_points is None else "integration points"

    @property
    def slave_shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Node rows (n, k) and their shares (n, k) in the motion of each pair's slave side; rows sum to one."""
        return _shares(self.slave_nodes, self.slave_points)

    @property
    def unpaired_shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Node rows and shares, both (m, k), of the slave points without a pair; see `slave_shares`."""
        return _shares(self.unpaired_nodes, self.unpaired_points)

    def on_slave(self, values: Any) -> np.ndarray:
        """Return (n, …) values (n_nodes, …) of the model's nodes, interpolated to the slave side of the pairs."""
        nodes, shares = self.slave_shares
        return np.asarray(np.einsum("nk,nk...->n...", shares, values[nodes]))

    def on_master(self, values: Any) -> np.ndarray:
        """Return (n, …) values (n_nodes, …) of the model's nodes, interpolated to the intersection points."""
        return np.asarray(np.einsum("nk,nk...->n...", self.shape_values, values[self.master_nodes]))

    def on_unpaired(self, values: Any) -> np.ndarray:
        """Return (m, …) values (n_nodes, …) of the model's nodes, interpolated to the slave points without a pair."""
        nodes, shares = self.unpaired_shares
        return np.asarray(np.einsum("nk,nk...->n...", shares, values[nodes]))

    @property
    def nodes_with_values(self) -> np.ndarray:
        """(s,) rows of the slave nodes at which there are values, ascending: those of pairs, or of their facets."""
        return self._smoothing[0]

    def at_nodes(self, values: np.ndarray, joining: Joining = "mean") -> np.ndarray:
        """Return (s, …) values (n, …) of the pairs at `nodes_with_values`.

        Pairs at nodes have them there. A node between integration points takes the mean of those of its facets, each
        weighted by its area and the square of its nearness to the node: no value is beyond those around.

        Args:
            values: of the pairs.
            joining: "mean"; "nearest" for numbers of states; "sum" for forces, which points share out to their nodes.
        """
        values = np.asarray(values)
        if self.slave_points is None:
            return values
        if joining == "nearest":
            return np.asarray(values[self._nearest])
        matrix = self._sharing if joining == "sum" else self._smoothing[1]
        return np.asarray((matrix @ values.reshape(len(self), -1)).reshape(-1, *values.shape[1:]))

    def around_node(self, node: int, joining: Joining = "mean") -> tuple[np.ndarray, np.ndarray]:
        """Return pairs (q,) and their weights (q,) in the value at a node (`at_nodes`); empty without a value there."""
        at = np.searchsorted(self.nodes_with_values, node)
        if at == len(self.nodes_with_values) or self.nodes_with_values[at] != node:
            return np.zeros(0, np.int64), np.zeros(0)
        if self.slave_points is None:
            return np.array([at]), np.ones(1)
        if joining == "nearest":
            return self._nearest[[at]], np.ones(1)
        row = (self._sharing if joining == "sum" else self._smoothing[1])[[at]]
        return row.indices.astype(np.int64), row.data

    @cached_property
    def nodal_areas(self) -> np.ndarray:
        """(s,) areas of `nodes_with_values`: those of the pairs at nodes, or shares in those of the points around."""
        if self.slave_points is None:
            return self.weights
        return np.asarray(self._sharing @ self.weights)

    @cached_property
    def node_areas(self) -> np.ndarray:
        """(n,) effective nodal area at each pair: that of a single node which moves as the pair does.

        The areas of pairs at nodes. With a the areas of the nodes and N their shape functions at an integration point,
        Σ |N| a / Σ N²: the force of a uniform pressure over the point's shares of its nodes.
        """
        if self.slave_points is None:
            return self.weights
        nodes, shares = self.slave_shares
        areas = np.zeros(nodes.max(initial=0) + 1)
        areas[self.nodes_with_values] = self.nodal_areas
        return np.asarray((np.abs(shares) * areas[nodes]).sum(axis=1) / (shares**2).sum(axis=1))

    @cached_property
    def _smoothing(self) -> tuple[np.ndarray, sp.csr_matrix, sp.csr_matrix]:
        """Rows (s,) of the nodes with values, and CSR matrices (s, n) from pairs' values to means and sums there."""
        if self.slave_points is None:
            same = sp.identity(len(self), format="csr")
            return self.slave_shares[0][:, 0], same, same
        near = self.slave_points.nearness**2
        felt = near > 1e-6  # nodes that are filled up are not
        rows, at = np.unique(self.slave_points.nodes[felt], return_inverse=True)
        pairs, shape = np.nonzero(felt)[0], (len(rows), len(self))
        counts = (near * self.weights[:, None])[felt]
        means = sp.csr_matrix((counts / np.bincount(at, counts, len(rows))[at], (at, pairs)), shape=shape)
        totals = np.bincount(pairs, near[felt], len(self))
        return rows, means, sp.csr_matrix((near[felt] / totals[pairs], (at, pairs)), shape=shape)

    @property
    def _sharing(self) -> sp.csr_matrix:
        """Shares of the nodes with values in each pair, CSR (s, n); columns sum to one."""
        return self._smoothing[2]

    @cached_property
    def _nearest(self) -> np.ndarray:
        """(s,) the pair that counts most at each node with values."""
        matrix = self._smoothing[1]
        owners = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        order = np.lexsort((matrix.indices, -matrix.data, owners))
        return np.asarray(matrix.indices[order[matrix.indptr[:-1]]])


def _shares(nodes: np.ndarray | None, points: FacetPoints | None) -> tuple[np.ndarray, np.ndarray]:
    if points is not None:
        return points.nodes, points.shape_values
    assert nodes is not None
    return nodes[:, None], np.ones((len(nodes), 1))


REASONS = (
    "next to the master surface",
    "farther away than the search distance",
    "the surfaces do not face each other there",
)
