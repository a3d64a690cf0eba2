"""Forces at points of facets, summed up at the facets' nodes, as a kernel (`faying.compiled`)."""

import numpy as np

from faying.compiled import compiled


def _nodal_forces(forces: np.ndarray, nodes: np.ndarray, shares: np.ndarray, count: int) -> np.ndarray:
    # All components at once: each has as many numbers as there are nodes.
    at = (3 * nodes[:, :, None] + np.arange(3)).ravel()
    parted = shares[None, :, :, None] * forces[:, :, None]
    return np.stack([np.bincount(at, own.ravel(), 3 * count) for own in parted])


@compiled(plain=_nodal_forces, reorder=False)
def nodal_forces(forces: np.ndarray, nodes: np.ndarray, shares: np.ndarray, count: int) -> np.ndarray:
    """Return (s, 3 count) sets of forces at all nodes, node by node.

    Args:
        forces: (s, m, 3) sets of forces at points.
        nodes, shares: (m, k) nodes that each point lies between, and its shares of them.
        count: of all nodes.
    """
    found = np.zeros((forces.shape[0], 3 * count))
    for s in range(forces.shape[0]):
        for point in range(nodes.shape[0]):
            for k in range(nodes.shape[1]):
                share, at = shares[point, k], 3 * nodes[point, k]
                for a in range(3):
                    found[s, at + a] += share * forces[s, point, a]
    return found
