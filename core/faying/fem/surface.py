"""Surfaces: facets with nodes, normals and areas, and lumped nodal areas."""

from functools import cached_property

import numpy as np

from faying.fem.facets import facet_kind
from faying.records import freeze, record


@record("facet_block", read_only=True)
class FacetBlock:
    """Facets of one shape.

    Attributes:
        facet: kind in `faying.fem.facets` ("tri3", "tri6", "quad4", "quad8").
        connectivity: (n, k) rows of `FeModel.nodes`, ordered so that the normal points out of the body.
        elements: (n,) running position of each facet's element.
        faces: (n,) face number within that element, from 0.
    """

    facet: str
    connectivity: np.ndarray
    elements: np.ndarray
    faces: np.ndarray


@record("surface")
class Surface:
    """A set of facets of a body; facets are numbered through the blocks in order.

    Normals are outward unit vectors (see `faying.fem.skin`).
    """

    name: str
    blocks: tuple[FacetBlock, ...]

    @property
    def n_facets(self) -> int:
        """Number of facets."""
        return sum(len(b.connectivity) for b in self.blocks)

    @cached_property
    def nodes(self) -> np.ndarray:
        """(n,) rows of the surface's nodes, ascending, each once; read-only."""
        every = [np.zeros(0, np.int64), *(b.connectivity.ravel() for b in self.blocks)]
        found = np.unique(np.concatenate(every))
        freeze(found)
        return found

    @property
    def first_nodes(self) -> np.ndarray:
        """(n,) row of the first node of each facet."""
        return np.concatenate([np.zeros(0, np.int64), *(b.connectivity[:, 0] for b in self.blocks)])

    def facets_within(self, nodes: np.ndarray) -> np.ndarray:
        """Return (n,) whether all nodes of each facet are in a set, given as a mask over the model's nodes."""
        inside = [nodes[b.connectivity].all(axis=1) for b in self.blocks]
        return np.concatenate([np.zeros(0, bool), *inside])


def part_of_surface(surface: Surface, facets: np.ndarray) -> Surface:
    """Return a surface of some facets, by number or by a mask."""
    wanted = np.zeros(surface.n_facets, bool)
    wanted[facets] = True
    blocks, first = [], 0
    for block in surface.blocks:
        chosen = wanted[first : first + len(block.connectivity)]
        first += len(chosen)
        if chosen.any():
            blocks.append(
                FacetBlock(
                    block.facet, block.connectivity[chosen], block.elements[chosen], block.faces[chosen]
                )
            )
    return Surface(surface.name, tuple(blocks))


def nodal_areas(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) the lumped area of each of `surface.nodes`; they sum to the surface's area.

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
