"""The area that each node of a surface stands for."""

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.surface import Surface


def nodal_areas(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) the share of each of `surface.nodes` in the facets' lumped areas; they sum to the surface's area.

    Args:
        surface: its facets.
        nodes: (m, 3) coordinates of the model's nodes.
    """
    rows = surface.nodes
    areas = np.zeros(len(rows))
    for block in surface.blocks:
        lumped = facet_kind(block.facet).lumped_areas(nodes[block.connectivity])
        areas += np.bincount(np.searchsorted(rows, block.connectivity).ravel(), lumped.ravel(), len(rows))
    return areas
