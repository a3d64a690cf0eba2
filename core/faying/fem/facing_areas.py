"""Nodal areas that count only the facets facing the pressing surface, as a kernel (`faying.compiled`)."""

from typing import NamedTuple

import numpy as np

from faying.compiled import compiled
from faying.fem.facets import facet_kind
from faying.fem.surface import Surface

# Relative deficit of a facet's cosine compared with the best facet of its node: it counts in full up to _FULL and not
# at all from _NONE on. Facets of a curved surface differ by less than 25°. A face next to the pressed one does not
# count until the body has tilted by 5°, so that round-off and vibrations do not change areas.
_FULL, _NONE = 0.1, 0.9
_SIDEWAYS = 0.2  # least divisor: both sides of a sheet standing on its edge have nearly equal cosines


class NodalFacets(NamedTuple):
    """The facets around each node of a surface.

    Attributes:
        starts: (n + 1,) index of each node's first facet.
        areas: (k,) share of the node in each facet's area.
        normals: (k, 3) unit normal of each facet at the node; zero where undefined.
    """

    starts: np.ndarray
    areas: np.ndarray
    normals: np.ndarray


def nodal_facets(surface: Surface, nodes: np.ndarray) -> NodalFacets:
    """Return the facets around each of `surface.nodes`, in the order of facets.

    Args:
        surface: its facets.
        nodes: (m, 3) coordinates of the model's nodes.
    """
    owners, areas, normals = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros((0, 3))]
    for block in surface.blocks:
        kind = facet_kind(block.facet)
        coordinates = nodes[block.connectivity]
        found = np.stack([kind.normals(coordinates, *at) for at in kind.node_coordinates], axis=1)
        lengths = np.linalg.norm(found, axis=2, keepdims=True)
        owners.append(np.searchsorted(surface.nodes, block.connectivity).ravel())
        areas.append(kind.lumped_areas(coordinates).ravel())
        normals.append((found / np.where(lengths > 0.0, lengths, 1.0)).reshape(-1, 3))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], np.arange(len(surface.nodes) + 1))
    return NodalFacets(starts, np.concatenate(areas)[order], np.concatenate(normals)[order])


def _facing_areas(
    starts: np.ndarray, areas: np.ndarray, normals: np.ndarray, nodes: np.ndarray, directions: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Facets of all points, concatenated.
    counts = np.diff(starts)[nodes]
    owner = np.repeat(np.arange(len(nodes)), counts)
    first = np.cumsum(counts) - counts
    facets = starts[nodes][owner] + np.arange(len(owner)) - first[owner]
    way, own = directions[owner], normals[facets]
    facing = -(own[:, 0] * way[:, 0] + own[:, 1] * way[:, 1] + own[:, 2] * way[:, 2])
    order = np.lexsort((-facing, owner))[first]  # the best of each
    best = facing[order][owner]
    scale = np.maximum(best, _SIDEWAYS)
    less = (best - facing) / scale
    part = np.clip((_NONE - less) / (_NONE - _FULL), 0.0, 1.0)
    changing = (less > _FULL) & (less < _NONE)
    sizes = np.bincount(owner, part * areas[facets], len(nodes))
    rates = np.where(changing, areas[facets] / (scale * (_NONE - _FULL)), 0.0)[:, None]
    squarely, of_best = best > _SIDEWAYS, normals[facets[order]][owner]
    change = np.where(squarely, 1.0 - less, 1.0)[:, None] * of_best - own
    slopes, bends = np.zeros((len(nodes), 3)), np.zeros((len(nodes), 3, 3))
    np.add.at(slopes, owner, rates * change)
    both = (np.where(squarely, 1.0 / scale, 0.0)[:, None] * rates * change)[:, :, None] * of_best[:, None]
    np.add.at(bends, owner, both + np.swapaxes(both, 1, 2))
    return sizes, slopes, bends


@compiled(plain=_facing_areas, reorder=False)
def facing_areas(
    starts: np.ndarray, areas: np.ndarray, normals: np.ndarray, nodes: np.ndarray, directions: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the areas (m,) of nodes, counting facets by how well they face a surface.

    Also return their first (m, 3) and second (m, 3, 3) derivatives with respect to `directions`.

    The node's facet that faces the surface best counts in full, and so do those that face it nearly as well. Facets
    perpendicular to the surface, such as the sides of a block on a plane, do not count; in between, the share falls
    linearly with the cosine. So every pressed node has an area, even at the edge of a sheet.

    Args:
        starts, areas, normals: `NodalFacets`.
        nodes: (m,) numbers of the nodes.
        directions: (m, 3) unit normals of the surface that presses on each node.
    """
    found, slopes, bends = np.zeros(len(nodes)), np.zeros((len(nodes), 3)), np.zeros((len(nodes), 3, 3))
    for point in range(len(nodes)):
        start, end = starts[nodes[point]], starts[nodes[point] + 1]
        way = directions[point]
        at, best = start, -np.inf
        for f in range(start, end):
            facing = -(normals[f, 0] * way[0] + normals[f, 1] * way[1] + normals[f, 2] * way[2])
            if facing > best:
                at, best = f, facing
        scale = max(best, _SIDEWAYS)
        for f in range(start, end):
            facing = -(normals[f, 0] * way[0] + normals[f, 1] * way[1] + normals[f, 2] * way[2])
            less = (best - facing) / scale
            if less <= _FULL:
                found[point] += areas[f]
            elif less < _NONE:
                found[point] += areas[f] * (_NONE - less) / (_NONE - _FULL)
                rate = areas[f] / (scale * (_NONE - _FULL))
                of_best = 1.0 - less if best > _SIDEWAYS else 1.0
                for a in range(3):
                    change = rate * (of_best * normals[at, a] - normals[f, a])
                    slopes[point, a] += change
                    for b in range(3):
                        if best > _SIDEWAYS:
                            bends[point, a, b] += change * normals[at, b] / scale
                            bends[point, b, a] += change * normals[at, b] / scale
    return found, slopes, bends
