"""Sets of a skin's facets, by number: from a surface, grown or shrunk by rings, and connected regions."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError
from faying.fem.connectivity import connected_parts
from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.skin import Skin, elements_and_faces, facet_normals, shell_facets
from faying.fem.surface import FacetBlock, Surface


def facets_of(skin: Skin, surface: Surface) -> np.ndarray:
    """Return (n,) the skin's facet numbers of a surface's facets, in the surface's order.

    Raises:
        ModelError: when a facet of the surface is not on the outside of the body.
    """
    # A unique key for each face of each element; no element has 8 or more faces.
    wanted, own = (
        elements * 8 + faces for elements, faces in map(elements_and_faces, (surface, skin.surface))
    )
    if not np.isin(wanted, own).all():
        raise ModelError(
            f"The surface {surface.name!r} has facets inside the body.", "Choose facets of the outside."
        )
    order = np.argsort(own)
    return np.asarray(order[np.searchsorted(own[order], wanted)])


def turned_facets(model: FeModel, skin: Skin, surface: Surface) -> np.ndarray:
    """Return (n,) a mask of the skin's facets that the surface contains with normals into the body."""
    facets = facets_of(skin, surface)
    found = np.zeros(len(skin.areas), bool)
    inwards = np.einsum("ij,ij->i", facet_normals(surface, model.nodes), skin.normals[facets]) < 0.0
    found[facets[inwards]] = True
    return found


def turned_round(model: FeModel, surface: Surface, turned: np.ndarray) -> Surface:
    """Return the surface with the node order of some facets, a mask (n,), reversed.

    On shells these are the facets of the opposite side.
    """
    shells, start, blocks = shell_facets(model.blocks, surface), 0, []
    for block in surface.blocks:
        own = slice(start, start + len(block.faces))
        start = own.stop
        kind = facet_kind(block.facet)
        n = kind.n_corners
        # Corners 0 3 2 1 backwards; the midside node of edge i is at n + i.
        corners = [0, *range(n - 1, 0, -1)]
        order = corners + [n + corner for corner in range(n - 1, -1, -1)][: kind.n_nodes - n]
        connectivity = np.where(turned[own, None], block.connectivity[:, order], block.connectivity)
        faces = np.where(turned[own] & shells[own], 1 - block.faces, block.faces)
        blocks.append(FacetBlock(block.facet, connectivity, block.elements, faces))
    return Surface(surface.name, tuple(blocks))


def facet_parts(model: FeModel, skin: Skin) -> tuple[np.ndarray, int]:
    """Return ((n,) part of each facet, number of parts); elements connect parts, couplings do not."""
    labels, count = connected_parts(model, couplings=False)
    return labels[skin.surface.first_nodes], count


def enlarged(skin: Skin, facets: np.ndarray, rings: int, angle: float = 180.0) -> np.ndarray:
    """Return (m,) facet numbers of a set grown by rings of neighbours, or shrunk by its outer rings.

    Args:
        skin: whose facets they are.
        facets: facet numbers.
        rings: positive to grow, negative to shrink.
        angle: largest angle between neighbours, in degrees, across which the set grows.
    """
    first, second = skin.smooth_neighbours(angle).T
    inside = np.zeros(len(skin.areas), bool)
    inside[facets] = True
    for _ in range(abs(rings)):
        crossing = inside[first] != inside[second]
        inside[first[crossing]] = inside[second[crossing]] = rings > 0
    return np.flatnonzero(inside)


def connected_regions(
    skin: Skin, facets: np.ndarray, angle: float = 180.0, links: np.ndarray | None = None
) -> np.ndarray:
    """Return (len(facets),) the region of each facet, numbered from 0 by its number of facets, the largest first.

    Args:
        skin: whose facets they are.
        facets: facet numbers, each once.
        angle: largest angle, in degrees, between neighbours of one region.
        links: (m, 2) further pairs of facets of one region.
    """
    place = np.full(len(skin.areas), -1)
    place[facets] = np.arange(len(facets))
    together = place[np.concatenate([skin.smooth_neighbours(angle), *([] if links is None else [links])])]
    first, second = together[(together >= 0).all(axis=1)].T
    graph = sp.coo_matrix((np.ones(len(first), np.int8), (first, second)), shape=(len(facets), len(facets)))
    count, labels = connected_components(graph, directed=False)
    rank = np.empty(count, np.int64)
    rank[np.argsort(-np.bincount(labels, minlength=count), kind="stable")] = np.arange(count)
    return rank[labels]
