"""Distance of the outer faces of shells from the surface of their nodes."""

from collections.abc import Sequence

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import ElementBlock, ShellSection
from faying.fem.surface import Surface


def facet_heights(blocks: Sequence[ElementBlock], surface: Surface) -> np.ndarray:
    """Return (n,) distance of the body's outer face from the nodes of each facet, along the facet's normal.

    It is half the thickness on both sides of a shell with nodes in its middle surface; an offset is added on the side
    of the normal (SPOS) and subtracted on the other (SNEG). Zero for solids.

    Args:
        blocks: of the model.
        surface: surface of these blocks.
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
    """Return (n,) heights at `surface.nodes`: means of adjacent facets weighted by the node's area share.

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
