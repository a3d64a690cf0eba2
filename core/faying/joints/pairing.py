"""Finding contact pairs: the intersection points of slave nodes or integration points on the master surface."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError
from faying.fem.facet_index import FacetIndex, build_facet_index
from faying.fem.facet_points import FacetPoints, integration_points
from faying.fem.facing_areas import NodalFacets, facing_areas, nodal_facets
from faying.fem.model import ElementBlock
from faying.fem.projection import TOO_FAR, Projections, project_points
from faying.fem.shell_heights import facet_heights, nodal_heights
from faying.fem.skin import nodal_normals
from faying.fem.surface import Surface, nodal_areas
from faying.joints.pairs import REASONS, ContactPairs
from faying.joints.search import SearchSpec
from faying.progress import Progress, Silent
from faying.units import amount

_SHARP = 30.0  # degrees; over a sharper edge normals are not smoothed, and the slave has another side


@dataclass(frozen=True, eq=False)
class _SlavePoints:
    """Where contact is evaluated: nodes of the slave surface, or integration points of its facets.

    Attributes:
        places: (n, 3).
        areas: (n,) area of each.
        heights: (n,) distance of the outer face of shells from it; zero without shells.
        owners, normals: (s,) number of the point and (s, 3) normal of each side with which it may face the master: one
            side, but several for nodes at sharp edges.
        nodes: (n,) node rows; None for integration points.
        around: the facets round the nodes; None for integration points.
        on_facets: integration points; None for nodes.
    """

    places: np.ndarray
    areas: np.ndarray
    heights: np.ndarray
    owners: np.ndarray
    normals: np.ndarray
    nodes: np.ndarray | None = None
    around: NodalFacets | None = None
    on_facets: FacetPoints | None = None


def find_contact_pairs(
    nodes: np.ndarray,
    master: Surface,
    slave: Surface,
    search: SearchSpec,
    progress: Progress | None = None,
    blocks: Sequence[ElementBlock] = (),
) -> ContactPairs:
    """Return the contact pairs of two surfaces.

    Pairs are at nodes or at integration points, by `search.pairs_at`. Every node of every slave facet, including
    midside nodes, is a slave node; it represents its share of the facets' lumped areas. At a sharp edge it may face the
    master with each of its sides, and represents those that do (`faying.fem.facing_areas`). An integration point
    represents its weight times the Jacobian of its facet (`faying.fem.facet_points.facet_rule`). The intersection point
    is the projection on the master surface (thesis eqs. D.6, D.7). Of several projections the nearest that faces the
    node or point counts, of equally near ones that of the lowest facet. Over a fold between two facets, where neither
    has a projection, it is the closest point on the fold. The normal is that of the master facet there (D.1), or with
    `search.smooth_normals` interpolated over the facets; for the tangents see `local_frames`.

    Args:
        nodes: (n, 3) coordinates of the model's nodes.
        master, slave: surfaces with outward normals.
        search: distances and angles of accepted pairs; distances count from the outside of shells.
        progress: reports and cancels.
        blocks: of the model; without them shells have no thickness.

    Raises:
        ModelError: when a surface has no facet, when the surfaces share nodes or facets, or when no pair is found.
    """
    progress = progress or Silent()
    _check_surfaces(master, slave)
    facets = build_facet_index(nodes, master)
    shells = blocks if search.shell_thickness else ()
    find_points = _slave_nodes if search.pairs_at == "nodes" else _integration_points
    points, master_heights = find_points(nodes, slave, shells), _heights(master, shells)
    thickest = sum(float(side.max(initial=0.0)) for side in (master_heights, points.heights))
    distance = (search.distance or 2.0 * facets.mean_edge) + thickest
    projections = project_points(
        points.places[points.owners],
        points.normals,
        facets,
        distance,
        search.angle,
        search.edge_tolerance,
        progress,
    )
    projections = _nearest_of_sides(projections, points.owners)
    paired = projections.facets >= 0
    if not paired.any():
        what = "slave nodes" if points.on_facets is None else "integration points of the slave"
        raise _no_pairs(nodes, master, slave, projections.reasons, distance, what)
    progress.report(1.0, f"{int(paired.sum())} contact pairs")
    return _contact_pairs(nodes, master, facets, points, projections, search, master_heights)


def _heights(surface: Surface, blocks: Sequence[ElementBlock]) -> np.ndarray:
    """Return (n,) distance of the body's outer face from the facets of a surface; zero but for shells."""
    return facet_heights(blocks, surface) if blocks else np.zeros(surface.n_facets)


def _slave_nodes(nodes: np.ndarray, slave: Surface, blocks: Sequence[ElementBlock]) -> _SlavePoints:
    rows = slave.nodes
    heights = nodal_heights(slave, _heights(slave, blocks), nodes) if blocks else np.zeros(len(rows))
    around = nodal_facets(slave, nodes)
    owners, normals = _sides(around, nodal_normals(slave, nodes))
    return _SlavePoints(nodes[rows], nodal_areas(slave, nodes), heights, owners, normals, rows, around)


def _integration_points(nodes: np.ndarray, slave: Surface, blocks: Sequence[ElementBlock]) -> _SlavePoints:
    points, places, areas, normals = integration_points(slave, nodes)
    heights = _heights(slave, blocks)[points.facets]
    return _SlavePoints(places, areas, heights, np.arange(len(places)), normals, on_facets=points)


def _sides(around: NodalFacets, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes (s,) and unit normals (s, 3): the mean of each node, then one for each side of nodes at sharp edges.

    Args:
        around: the facets round the nodes.
        normals: (n, 3) means of all facets round each.
    """
    counts = np.diff(around.starts)
    of_facets = np.repeat(np.arange(len(normals)), counts)
    askew = np.einsum("kc,kc->k", around.normals, normals[of_facets]) < np.cos(np.radians(0.5 * _SHARP))
    facets = np.flatnonzero(np.isin(of_facets, of_facets[askew]))
    owner, own = of_facets[facets], around.normals[facets]
    # Each facet with all facets round its node; those that are connected over smooth edges are one side.
    many = counts[owner]
    one, first = np.repeat(np.arange(len(facets)), many), np.searchsorted(owner, owner)
    other = np.repeat(first - np.cumsum(many) + many, many) + np.arange(len(one))
    alike = np.einsum("mc,mc->m", own[one], own[other]) > np.cos(np.radians(_SHARP))
    graph = sp.coo_array((np.ones(alike.sum()), (one[alike], other[alike])), shape=2 * (len(facets),))
    count, side = connected_components(graph, directed=False)
    sums, of_sides = np.zeros((count, 3)), np.zeros(count, np.int64)
    np.add.at(sums, side, around.areas[facets, None] * own)
    of_sides[side] = owner
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    sides = sums / np.where(lengths > 0.0, lengths, 1.0)
    return np.concatenate([np.arange(len(normals)), of_sides]), np.concatenate([normals, sides])


def _nearest_of_sides(projections: Projections, owners: np.ndarray) -> Projections:
    """Return the nearest of the projections (s,) of each point's sides, or the reason why there is none."""
    order = np.lexsort((projections.distances, owners))
    first = order[np.concatenate([[True], np.diff(owners[order]) > 0])]
    return Projections(*(value[first] for value in vars(projections).values()))


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


def _contact_pairs(
    nodes: np.ndarray,
    master: Surface,
    facets: FacetIndex,
    slave: _SlavePoints,
    projections: Projections,
    search: SearchSpec,
    heights: np.ndarray,
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
    # The heights of shells on both sides reduce the gap between their nodes.
    master_heights, slave_heights = heights[numbers], slave.heights[paired]
    between = np.einsum("nc,nc->n", normals, slave.places[paired] - points)
    gaps = between - master_heights - slave_heights
    tangents_1, tangents_2 = local_frames(normals, nodes[master.nodes])
    areas = slave.areas[paired]
    if slave.around is not None:
        areas, _, _ = facing_areas(*slave.around, paired, normals)
    return ContactPairs(
        slave_nodes=None if slave.nodes is None else slave.nodes[paired],
        facets=numbers,
        master_nodes=master_nodes,
        shape_values=shape_values,
        local_coordinates=local,
        points=points,
        normals=normals,
        tangents_1=tangents_1,
        tangents_2=tangents_2,
        weights=areas,
        initial_gaps=search.adjusted(gaps),
        unpaired_nodes=None if slave.nodes is None else slave.nodes[unpaired],
        unpaired_reasons=projections.reasons[unpaired],
        unpaired_weights=slave.areas[unpaired],
        master_heights=master_heights,
        slave_heights=slave_heights,
        slave_points=None if slave.on_facets is None else slave.on_facets.part(paired),
        unpaired_points=None if slave.on_facets is None else slave.on_facets.part(unpaired),
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
    nodes: np.ndarray, master: Surface, slave: Surface, reasons: np.ndarray, distance: float, what: str
) -> ModelError:
    from scipy.spatial import cKDTree  # late: takes long to import

    smallest = float(np.min(cKDTree(nodes[master.nodes]).query(nodes[slave.nodes])[0]))
    names = f"the master surface {master.name!r} and the slave surface {slave.name!r}"
    if (reasons == TOO_FAR).all():
        return ModelError(
            f"There is no contact pair between {names}: their nearest nodes are {amount(smallest, 'length')} apart, "
            f"and the search distance is {amount(distance, 'length')}.",
            "Choose surfaces that face each other, or raise the search distance.",
        )
    most = int(np.bincount(reasons, minlength=len(REASONS)).argmax())
    return ModelError(
        f"There is no contact pair between {names}: for most {what} {REASONS[most]!r} holds "
        f"(search distance {amount(distance, 'length')}, nearest nodes {amount(smallest, 'length')} apart).",
        "Check which sides of the parts the surfaces are on, and the largest angle between normals.",
    )


# A direction within about 18° of the normal is unsuitable as a tangent.
_TOO_STEEP = 0.95
_NEAR_COORDINATE_AXIS = np.cos(np.radians(1.0))


def local_frames(normals: np.ndarray, cloud: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return tangents t1, t2, each (n, 3), so that t1, t2, n are right-handed and of length one.

    With t1 along X,ξ as in the thesis (eq. D.4), t1 turns from facet to facet with their numbering, although the thesis
    requires similar orientations of neighbouring pairs. Therefore t1 is the projection of one common direction: the
    longest principal axis of the master surface's nodes that is nowhere almost parallel to the normal (along a
    bolt, along a flat sheet). If there is none, it is the longest axis, and the next where that is too steep.
    t2 = n × t1 (eq. D.5).

    Args:
        normals: (n, 3) unit normals.
        cloud: (m, 3) nodes of the master surface.
    """
    axes = _principal_axes(cloud)
    steep = np.abs(normals @ axes.T) > _TOO_STEEP
    order = np.argsort(steep.any(axis=0), kind="stable")
    direction = axes[order][np.argmin(steep[:, order], axis=1)]
    t1 = direction - np.einsum("nc,nc->n", direction, normals)[:, None] * normals
    t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
    return t1, np.cross(normals, t1)


def _principal_axes(cloud: np.ndarray) -> np.ndarray:
    """Return (3, 3) unit axes as rows, the longest extent first, each with its largest component positive.

    Irregular meshes tilt the axes slightly: an axis within a degree of a coordinate axis is replaced by it. Between
    equal extents the axes are arbitrary; there they are turned to lie as close as possible to the coordinate axes, in
    the order x, y, z.
    """
    centred = cloud - cloud.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    values, vectors = values[::-1], vectors[:, ::-1].T
    axes = np.zeros((3, 3))
    for i in range(2):
        alike = vectors[(values >= 0.98 * values[i]) & (values <= values[i] / 0.98)]
        # Projector on the span of the axes with this extent, without the axes that are there already.
        rest = np.eye(3) - axes[:i].T @ axes[:i]
        span = rest @ alike.T @ alike @ rest
        # Its first column that is (almost) the longest: the coordinate axis nearest to the span.
        lengths = np.linalg.norm(span, axis=0)
        at = int(np.argmax(lengths > lengths.max() - 1e-6))
        axis = span[:, at] / lengths[at]
        axis *= np.sign(axis[np.argmax(np.abs(axis))])
        unit = np.eye(3)[np.argmax(axis)]
        is_near = axis @ unit > _NEAR_COORDINATE_AXIS and np.abs(axes[:i] @ unit).max(initial=0.0) < 1e-12
        axes[i] = unit if is_near else axis
    third = np.cross(axes[0], axes[1])
    axes[2] = third * np.sign(third[np.argmax(np.abs(third))])
    return axes
