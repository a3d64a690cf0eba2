"""Contact pairs: a slave node and its intersection point on the master surface."""

import numpy as np

from faying.records import freeze, record


@record("contact_pairs")
class ContactPairs:
    """All contact pairs of one joint.

    Signs: `normals` point out of the master surface; gap = n · (x_slave − x_master), positive when open;
    slip = t · (u_slave − u_master).

    Attributes:
        slave_nodes: (n,) node rows, ascending.
        facets: (n,) facet number of the intersection point on the master surface.
        master_nodes: (n, k) node rows of that facet, filled up with its first node.
        shape_values: (n, k) shape functions at the intersection point, zero where filled up; each row
            sums to one.
        local_coordinates: (n, 2) isoparametric coordinates of the intersection point.
        points: (n, 3) intersection points.
        normals, tangents_1, tangents_2: (n, 3) right-handed local coordinate systems (thesis D.1, D.4, D.5):
            t1 × t2 = n.
        weights: (n,) area that each slave node stands for; they sum to the slave area of the paired nodes.
        initial_gaps: (n,) normal distance in the undeformed state, positive when open.
        unpaired_nodes: (m,) slave node rows without an intersection point.
        unpaired_reasons: (m,) index into `REASONS` for each.
        unpaired_weights: (m,) area that each unpaired slave node stands for.
        master_heights, slave_heights: (n,) how far the outside of shells lies over the intersection point and the
            slave node, towards each other; None for zero. Initial gaps are between the outsides.
    """

    slave_nodes: np.ndarray
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
    unpaired_nodes: np.ndarray
    unpaired_reasons: np.ndarray
    unpaired_weights: np.ndarray
    master_heights: np.ndarray | None = None
    slave_heights: np.ndarray | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        freeze(*(v for v in vars(self).values() if isinstance(v, np.ndarray)))

    def __len__(self) -> int:
        return len(self.slave_nodes)


REASONS = (
    "beside the master surface",
    "farther away than the search distance",
    "the surfaces do not face each other there",
)
