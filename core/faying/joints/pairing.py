"""Finding contact pairs: every slave node's intersection point on the master surface."""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import cKDTree

from faying.errors import ModelError
from faying.fem.facet_index import FacetIndex, build_facet_index
from faying.fem.model import ElementBlock
from faying.fem.nodal_areas import nodal_areas
from faying.fem.projection import TOO_FAR, Projections, project_points
from faying.fem.shell_heights import facet_heights, nodal_heights
from faying.fem.skin import nodal_normals
from faying.fem.surface import Surface
from faying.joints.frames import local_frames
from faying.joints.pairs import REASONS, ContactPairs
from faying.joints.search import SearchSpec
from faying.progress import Progress, Silent

_SHARP = 30.0  # degrees; over a sharper edge normals are not smoothed


def find_contact_pairs(
    nodes: np.ndarray,
    master: Surface,
    slave: Surface,
    search: SearchSpec,
    progress: Progress | None = None,
    blocks: Sequence[ElementBlock] = (),
) -> ContactPairs:
    """Return the contact pairs of two surfaces.

    Every node of every slave facet, midside nodes too, is a slave node; it stands for its share of the facets'
    lumped areas. Its intersection point is its projection on the master surface (thesis eqs. D.6, D.7); of several
    projections the nearest that faces the node counts, of equally near ones that of the lowest facet. A node over a
    fold between two facets, where neither has a projection, takes the closest point on the fold. The normal is that
    of the facet at the point (D.1), or with `search.smooth_normals` interpolated over the facets; for the tangents
    see `faying.joints.frames.local_frames`.

    Args:
        nodes: (n, 3) coordinates of the model's nodes.
        master, slave: surfaces with outward normals.
        search: how far to look and what to accept; distances count from the outside of shells.
        progress: reports and cancels.
        blocks: of the model; without them shells have no thickness.

    Raises:
        ModelError: when a surface has no facet, when the surfaces share nodes or facets, or when no pair is found.
    """
    progress = progress or Silent()
    _check_surfaces(master, slave)
    facets = build_facet_index(nodes, master)
    slave_nodes, weights, slave_normals = _slave_points(nodes, slave)
    heights = _heights(nodes, master, slave, blocks if search.shell_thickness else ())
    thickest = sum(float(side.max(initial=0.0)) for side in heights)
    distance = (search.distance or 2.0 * facets.mean_edge) + thickest
    points = nodes[slave_nodes]
    projections = project_points(
        points, slave_normals, facets, distance, search.angle, search.edge_tolerance, progress
    )
    paired = projections.facets >= 0
    if not paired.any():
        raise _no_pairs(nodes, master, slave, projections.reasons, distance)
    progress.report(1.0, f"{int(paired.sum())} contact pairs")
    return _contact_pairs(nodes, master, facets, slave_nodes, weights, projections, search, heights)


def _heights(
    nodes: np.ndarray, master: Surface, slave: Surface, blocks: Sequence[ElementBlock]
) -> tuple[np.ndarray, np.ndarray]:
    """Return how far the body's outside lies over the master's facets (n,) and over the slave's nodes (m,)."""
    if not blocks:
        return np.zeros(master.n_facets), np.zeros(len(slave.nodes))
    return facet_heights(blocks, master), nodal_heights(slave, facet_heights(blocks, slave), nodes)


def _check_surfaces(master: Surface, slave: Surface) -> None:
    for surface, word in ((master, "master"), (slave, "slave")):
        if surface.n_facets == 0:
            raise ModelError(
                f"The {word} surface {surface.name!r} has no facets.", "Choose element faces for it."
            )
    shared = np.intersect1d(master.nodes, slave.nodes)
    if not len(shared):
        return
    common = len(_faces(master) & _faces(slave))
    what = f"{common} facets" if common else f"{len(shared)} nodes"
    raise ModelError(
        f"The master surface {master.name!r} and the slave surface {slave.name!r} overlap: they share {what}.",
        "Take the overlapping faces out of one of them; parts that touch need nodes of their own.",
    )


def _faces(surface: Surface) -> set[tuple[int, int]]:
    return {face for b in surface.blocks for face in zip(b.elements.tolist(), b.faces.tolist(), strict=True)}


def _slave_points(nodes: np.ndarray, slave: Surface) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return slave node rows (n,), the areas that they stand for (n,) and their unit normals (n, 3)."""
    return slave.nodes, nodal_areas(slave, nodes), nodal_normals(slave, nodes)


def _contact_pairs(
    nodes: np.ndarray,
    master: Surface,
    facets: FacetIndex,
    slave_nodes: np.ndarray,
    weights: np.ndarray,
    projections: Projections,
    search: SearchSpec,
    heights: tuple[np.ndarray, np.ndarray],
) -> ContactPairs:
    paired = np.flatnonzero(projections.facets >= 0)
    unpaired = np.flatnonzero(projections.facets < 0)
    numbers, local = projections.facets[paired], projections.local[paired]
    n, width = len(paired), max(kind.n_nodes for kind in facets.kinds)
    master_nodes, shape_values = np.zeros((n, width), np.int64), np.zeros((n, width))
    normals = np.zeros((n, 3))
    for b, at, rows in facets.blocks_of(numbers):
        kind, connectivity = facets.kinds[b], facets.connectivity[b][rows]
        master_nodes[at] = connectivity[:, :1]
        master_nodes[at, : kind.n_nodes] = connectivity
        shape_values[at, : kind.n_nodes] = kind.shape(*local[at].T)
        normals[at] = kind.normals(facets.coordinates[b][rows], *local[at].T)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    points = np.einsum("nk,nkc->nc", shape_values, nodes[master_nodes])
    if search.smooth_normals:
        normals = _smooth_normals(nodes, master, master_nodes, shape_values, normals)
    # What is over the nodes is taken off the gap between them.
    master_heights, slave_heights = heights[0][numbers], heights[1][paired]
    between = np.einsum("nc,nc->n", normals, nodes[slave_nodes[paired]] - points)
    gaps = between - master_heights - slave_heights
    tangents_1, tangents_2 = local_frames(normals, nodes[master.nodes])
    return ContactPairs(
        slave_nodes=slave_nodes[paired],
        facets=numbers,
        master_nodes=master_nodes,
        shape_values=shape_values,
        local_coordinates=local,
        points=points,
        normals=normals,
        tangents_1=tangents_1,
        tangents_2=tangents_2,
        weights=weights[paired],
        initial_gaps=search.adjusted(gaps),
        unpaired_nodes=slave_nodes[unpaired],
        unpaired_reasons=projections.reasons[unpaired],
        unpaired_weights=weights[unpaired],
        master_heights=master_heights,
        slave_heights=slave_heights,
    )


def _smooth_normals(
    nodes: np.ndarray,
    master: Surface,
    master_nodes: np.ndarray,
    shape_values: np.ndarray,
    normals: np.ndarray,
) -> np.ndarray:
    """Return unit normals interpolated from those at the facets' nodes; sharp edges stay sharp."""
    at_nodes = nodal_normals(master, nodes)[np.searchsorted(master.nodes, master_nodes)]
    sharp = np.einsum("nkc,nc->nk", at_nodes, normals) < np.cos(np.radians(_SHARP))
    at_nodes = np.where(sharp[..., None], normals[:, None], at_nodes)
    smooth = np.einsum("nk,nkc->nc", shape_values, at_nodes)
    return np.asarray(smooth / np.linalg.norm(smooth, axis=1, keepdims=True))


def _no_pairs(
    nodes: np.ndarray, master: Surface, slave: Surface, reasons: np.ndarray, distance: float
) -> ModelError:
    smallest = float(np.min(cKDTree(nodes[master.nodes]).query(nodes[slave.nodes])[0]))
    names = f"the master surface {master.name!r} and the slave surface {slave.name!r}"
    if (reasons == TOO_FAR).all():
        return ModelError(
            f"There is no contact pair between {names}: their nearest nodes are {smallest:.4g} apart, "
            f"and the search distance is {distance:.4g}.",
            "Choose surfaces that face each other, or raise the search distance.",
        )
    most = int(np.bincount(reasons, minlength=len(REASONS)).argmax())
    return ModelError(
        f"There is no contact pair between {names}: for most slave nodes {REASONS[most]!r} holds "
        f"(search distance {distance:.4g}, nearest nodes {smallest:.4g} apart).",
        "Check which sides of the parts the surfaces are on, and the largest angle between normals.",
    )
