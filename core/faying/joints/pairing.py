"""Finding contact pairs: every slave node's intersection point on the master surface."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from faying.errors import ModelError
from faying.fem.facets import FacetKind, facet_kind
from faying.fem.skin import nodal_normals
from faying.fem.surface import Surface
from faying.joints.facet_index import FacetIndex, build_facet_index
from faying.joints.frames import local_frames
from faying.joints.pairs import REASONS, ContactPairs
from faying.joints.projection import closest_on_edges, project_on_facets
from faying.joints.search import SearchSpec
from faying.progress import Progress, Silent

# The search looks near first: most nodes have their point within the first of these parts of the distance.
_ROUNDS = (1 / 64, 1 / 16, 1 / 4, 1.0)
_BESIDE, _TOO_FAR, _NOT_FACING = range(len(REASONS))


@dataclass(eq=False)
class _Hits:
    """The best intersection point of each slave node so far; facet −1 where there is none."""

    facets: np.ndarray
    local: np.ndarray
    distances: np.ndarray
    reasons: np.ndarray


def find_contact_pairs(
    nodes: np.ndarray, master: Surface, slave: Surface, search: SearchSpec, progress: Progress | None = None
) -> ContactPairs:
    """Return the contact pairs of two surfaces.

    Every node of every slave facet, midside nodes too, is a slave node; it stands for its share of the facets'
    lumped areas. Its intersection point is the foot of its projection on the master surface (thesis eqs. D.6,
    D.7); of several feet the nearest that faces the node counts, of equally near ones that of the lowest facet. A node
    over a fold between two facets, where neither has a foot, takes the closest point on the fold. The normal is
    that of the facet at the point (D.1); for the tangents see `faying.joints.frames.local_frames`.

    Args:
        nodes: (n, 3) coordinates of the model's nodes.
        master, slave: surfaces with outward normals.
        search: how far to look and what to accept.
        progress: reports and cancels.

    Raises:
        ModelError: when a surface has no facet, when the surfaces share nodes or facets, or when no pair is found.
    """
    progress = progress or Silent()
    _check_surfaces(master, slave)
    facets = build_facet_index(nodes, master)
    slave_nodes, weights, slave_normals = _slave_points(nodes, slave)
    distance = search.distance or 2.0 * facets.mean_edge
    points = nodes[slave_nodes]
    n = len(slave_nodes)
    hits = _Hits(np.full(n, -1), np.zeros((n, 2)), np.full(n, np.inf), np.full(n, _TOO_FAR))
    # Feet of right-angle projections, looking farther away from round to round. A round that looks within a
    # margin has seen all facets that are at least that near: hits within the margin are final.
    pending = np.arange(n)
    for number, part in enumerate(_ROUNDS):
        progress.report(number / (len(_ROUNDS) + 1), f"{len(pending)} slave nodes to project")
        candidates = facets.candidates(points[pending], part * distance)
        candidates = (pending[candidates[0]], candidates[1])
        _project(points, slave_normals, facets, candidates, search, distance, hits)
        pending = pending[hits.distances[pending] > part * distance]
        if not len(pending):
            break
    # Nodes over folds of the surface, and the reasons of those that stay without a point.
    pending = np.flatnonzero(hits.facets < 0)
    if len(pending):
        progress.report(len(_ROUNDS) / (len(_ROUNDS) + 1), f"{len(pending)} slave nodes without a foot")
        first, second = facets.candidates(points[pending], distance)
        _take_folds(points, slave_normals, facets, (pending[first], second), search, distance, hits)
    paired = hits.facets >= 0
    if not paired.any():
        raise _no_pairs(nodes, master, slave, hits.reasons, distance)
    progress.report(1.0, f"{int(paired.sum())} contact pairs")
    return _contact_pairs(nodes, master, facets, slave_nodes, weights, hits, search)


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
    rows = slave.nodes
    areas = np.zeros(len(rows))
    for block in slave.blocks:
        lumped = facet_kind(block.facet).lumped_areas(nodes[block.connectivity])
        at = np.searchsorted(rows, block.connectivity)
        areas += np.bincount(at.ravel(), lumped.ravel(), len(rows))
    return rows, areas, nodal_normals(slave, nodes)


def _project(
    points: np.ndarray,
    slave_normals: np.ndarray,
    facets: FacetIndex,
    candidates: tuple[np.ndarray, np.ndarray],
    search: SearchSpec,
    distance: float,
    hits: _Hits,
) -> None:
    """Put the nearest accepted foot of each candidate (slave point, facet) into `hits`."""
    for b, at, rows in facets.blocks_of(candidates[1]):
        kind, x, owners = facets.kinds[b], facets.coordinates[b][rows], candidates[0][at]
        local, found = project_on_facets(kind, x, points[owners])
        # The tolerance is in parts of a facet, which is one wide in triangles and two in quadrilaterals.
        tolerance = search.edge_tolerance * (1.0 if kind.n_corners == 3 else 2.0)
        inside = np.flatnonzero(found & kind.is_inside(local[:, 0], local[:, 1], tolerance))
        clamped = np.column_stack(kind.clamp(*local[inside].T))
        _accept(
            points, slave_normals, kind, x[inside], owners[inside], candidates[1][at[inside]], clamped,
            search, distance, hits,
        )  # fmt: skip


def _accept(
    points: np.ndarray,
    slave_normals: np.ndarray,
    kind: FacetKind,
    coordinates: np.ndarray,
    owners: np.ndarray,
    numbers: np.ndarray,
    local: np.ndarray,
    search: SearchSpec,
    distance: float,
    hits: _Hits,
) -> None:
    """Take over the points that are near enough, face their slave node, and are nearer than what was there."""
    feet = np.einsum("mk,mkc->mc", kind.shape(*local.T), coordinates)
    away = np.linalg.norm(points[owners] - feet, axis=1)
    normals = kind.normals(coordinates, *local.T)
    length = np.linalg.norm(normals, axis=1)
    cosine = np.einsum("mc,mc->m", slave_normals[owners], normals)
    # A facet without area has no normal and faces nothing.
    facing = (length > 0.0) & (cosine <= -(np.cos(np.radians(search.angle)) - 1e-12) * length)
    near = away <= distance
    hits.reasons[owners[near & ~facing]] = _NOT_FACING
    good = near & facing
    owners, numbers, local, away = owners[good], numbers[good], local[good], away[good]
    # The nearest of each node; those equally near but for round-off by facet number.
    tie = 1e-9 * distance
    nearest = hits.distances.copy()
    np.minimum.at(nearest, owners, away)
    kept = away <= nearest[owners] + tie
    owners, numbers, local, away = owners[kept], numbers[kept], local[kept], away[kept]
    order = np.lexsort((numbers, owners))
    owners, first = np.unique(owners[order], return_index=True)
    best = order[first]
    better = (away[best] < hits.distances[owners] - tie) | (numbers[best] < hits.facets[owners])
    owners, best = owners[better], best[better]
    hits.facets[owners], hits.local[owners], hits.distances[owners] = numbers[best], local[best], away[best]


def _take_folds(
    points: np.ndarray,
    slave_normals: np.ndarray,
    facets: FacetIndex,
    candidates: tuple[np.ndarray, np.ndarray],
    search: SearchSpec,
    distance: float,
    hits: _Hits,
) -> None:
    """Pair the nodes whose closest point on the surface lies on an edge between two facets.

    For a node outside of a fold (or beside the surface) no facet has a foot; its closest point is then on an
    edge. On an edge that only one facet has, the node is beside the surface.
    """
    outer = facets.outer_edges()
    closest: list[tuple[np.ndarray, ...]] = []
    for b, at, rows in facets.blocks_of(candidates[1]):
        kind, x, owners = facets.kinds[b], facets.coordinates[b], candidates[0][at]
        for e in range(len(kind.edges)):
            local, beyond = closest_on_edges(kind, x[rows], points[owners], np.full(len(rows), e))
            feet = np.einsum("mk,mkc->mc", kind.shape(*local.T), x[rows])
            away = np.linalg.norm(points[owners] - feet, axis=1)
            is_outer = outer[b][rows, e]
            is_over = beyond <= search.edge_tolerance
            closest.append((owners, away, is_outer, is_over, np.full(len(rows), b), rows, *local.T))
    if not closest:
        return
    owners, away, is_outer, is_over, block, rows, xi, eta = (
        np.concatenate(c) for c in zip(*closest, strict=True)
    )
    nearest = np.full(len(points), np.inf)
    np.minimum.at(nearest, owners, away)
    tied = away <= nearest[owners] + 1e-9 * distance
    beside = np.zeros(len(points), bool)
    beside[owners[tied & is_outer]] = True
    # At the end of a fold, where it meets the surface's own edge, a node right over it is not beside.
    beside[owners[tied & ~is_outer & is_over]] = False
    hits.reasons[beside & (nearest <= distance) & (hits.reasons != _NOT_FACING)] = _BESIDE
    fold = tied & ~is_outer & ~beside[owners]
    for b in np.unique(block[fold]):
        at = np.flatnonzero(fold & (block == b))
        local = np.column_stack([xi[at], eta[at]])
        _accept(
            points, slave_normals, facets.kinds[b], facets.coordinates[b][rows[at]], owners[at],
            rows[at] + facets.starts[b], local, search, distance, hits,
        )  # fmt: skip


def _contact_pairs(
    nodes: np.ndarray,
    master: Surface,
    facets: FacetIndex,
    slave_nodes: np.ndarray,
    weights: np.ndarray,
    hits: _Hits,
    search: SearchSpec,
) -> ContactPairs:
    paired = np.flatnonzero(hits.facets >= 0)
    unpaired = np.flatnonzero(hits.facets < 0)
    numbers, local = hits.facets[paired], hits.local[paired]
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
    gaps = np.einsum("nc,nc->n", normals, nodes[slave_nodes[paired]] - points)
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
        initial_gaps=np.where(np.abs(gaps) < search.zero_gap_below, 0.0, gaps),
        unpaired_nodes=slave_nodes[unpaired],
        unpaired_reasons=hits.reasons[unpaired],
        unpaired_weights=weights[unpaired],
    )


def _no_pairs(
    nodes: np.ndarray, master: Surface, slave: Surface, reasons: np.ndarray, distance: float
) -> ModelError:
    smallest = float(np.min(cKDTree(nodes[master.nodes]).query(nodes[slave.nodes])[0]))
    names = f"the master surface {master.name!r} and the slave surface {slave.name!r}"
    if (reasons == _TOO_FAR).all():
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
