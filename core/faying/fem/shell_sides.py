"""Surfaces with both sides of shells: selection of the side that faces another surface."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.fem.model import FeModel
from faying.fem.shell_heights import facet_heights
from faying.fem.skin import (
    elements_and_faces,
    facet_areas,
    facet_centroids,
    facet_neighbours,
    facet_normals,
    shell_facets,
)
from faying.fem.surface import Surface, part_of_surface

_SMOOTH = np.cos(np.radians(45.0))  # facets of one side are connected across edges up to this angle


def facing_sides(model: FeModel, first: Surface, second: Surface) -> tuple[Surface, Surface]:
    """Return both surfaces; where one contains both sides of a shell, only the side that faces the other surface.

    Single sides of shells and faces of solids are kept, and so are both sides where neither faces the other surface
    more.

    Args:
        model: model of the facets.
        first, second: surfaces of the model.
    """
    return _towards(model, first, second), _towards(model, second, first)


def two_sided(model: FeModel, surface: Surface) -> np.ndarray:
    """Return (n,) whether the other side of a facet's shell is in the surface too."""
    elements, faces = elements_and_faces(surface)
    # Duplicate faces count once.
    alone = np.unique(np.column_stack([elements, faces]), axis=0)[:, 0]
    count = np.bincount(alone, minlength=len(model.element_ids))
    return np.asarray(shell_facets(model.blocks, surface) & (count[elements] > 1))


def _towards(model: FeModel, surface: Surface, other: Surface) -> Surface:
    from scipy.spatial import cKDTree  # late: takes long to import

    double = two_sided(model, surface)
    if not double.any() or not other.n_facets:
        return surface
    normals, areas = facet_normals(surface, model.nodes), facet_areas(surface, model.nodes)
    middles = facet_centroids(surface, model.nodes)
    places = np.concatenate([facet_centroids(other, model.nodes), model.nodes[other.nodes]])
    over = np.einsum("ij,ij->i", normals, places[cKDTree(places).query(middles)[1]] - middles)
    # Where the nodes of both surfaces are coplanar, the shell's offset decides.
    flat = np.abs(over) < 1e-6 * np.sqrt(areas)
    votes = np.where(flat, -1e-3 * facet_heights(model.blocks, surface) / np.sqrt(areas), np.sign(over))
    # A side is selected as a whole, so that locally intersecting shells are not split.
    first, second = facet_neighbours(surface, shell_facets(model.blocks, surface)).T
    smooth = np.einsum("ij,ij->i", normals[first], normals[second]) >= _SMOOTH
    n = len(areas)
    graph = sp.coo_matrix((np.ones(smooth.sum(), np.int8), (first[smooth], second[smooth])), shape=(n, n))
    _, side = connected_components(graph, directed=False)
    score = np.bincount(side, weights=areas * votes)[side]
    reverse = _other_sides(surface, double)
    return part_of_surface(surface, ~double | (score >= score[reverse] - 1e-9 * areas))


def _other_sides(surface: Surface, double: np.ndarray) -> np.ndarray:
    """Return (n,) the facet on the opposite side of each two-sided facet; other facets map to themselves."""
    elements, faces = elements_and_faces(surface)
    order = np.lexsort((faces, elements, ~double))
    rows = order[: double.sum()]
    reverse = np.arange(len(elements))
    # First and last row of each shell.
    _, begin, count = np.unique(elements[rows], return_index=True, return_counts=True)
    reverse[rows[begin]], reverse[rows[begin + count - 1]] = rows[begin + count - 1], rows[begin]
    return reverse
