"""How far the outside of shells lies from the surface of their nodes."""

from collections.abc import Sequence

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import ElementBlock, ShellSection
from faying.fem.surface import Surface


def facet_heights(blocks: Sequence[ElementBlock], surface: Surface) -> np.ndarray:
    """Return (n,) how far the outside of the body lies from the nodes of each facet, along the facet's normal.

    Half the thickness on both sides of a shell whose nodes are in its middle; its offset adds to the side that its
    normal shows (SPOS) and is taken off the other (SNEG). Zero of solids.

    Args:
        blocks: of the model.
        surface: facets of them.
    """
    starts = np.cumsum([0, *(len(block.ids) for block in blocks)])
    found = [np.zeros(0)]
    for facets in surface.blocks:
        heights = np.zeros(len(facets.elements))
        at_block = np.searchsorted(starts, facets.elements, side="right") - 1
        for i in np.unique(at_block):
            section = blocks[i].section
            if element_kinds[blocks[i].element].is_shell and isinstance(section, ShellSection):
                own = at_block == i
                side = np.where(facets.faces[own] == 0, 1.0, -1.0)
                heights[own] = 0.5 * section.thickness + side * section.offset
        found.append(heights)
    return np.concatenate(found)


def nodal_heights(surface: Surface, heights: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) the heights at `surface.nodes`: of the facets around, weighted by the area that the node has of each.

    Args:
        surface: its facets.
        heights: (m,) of the facets.
        nodes: (k, 3) coordinates of the model's nodes.
    """
    rows = surface.nodes
    areas, sums = np.zeros(len(rows)), np.zeros(len(rows))
    start = 0
    for block in surface.blocks:
        lumped = facet_kind(block.facet).lumped_areas(nodes[block.connectivity])
        at = np.searchsorted(rows, block.connectivity).ravel()
        own = heights[start : start + len(lumped), None]
        areas += np.bincount(at, lumped.ravel(), len(rows))
        sums += np.bincount(at, (lumped * own).ravel(), len(rows))
        start += len(lumped)
    return np.asarray(sums / np.where(areas > 0.0, areas, 1.0))
