"""Closest-point projection: the nearest point of a surface that faces a point, for many points at once."""

from dataclasses import dataclass

import numpy as np

from faying.fem.facet_index import FacetIndex
from faying.fem.facet_projection import closest_on_edges, project_on_facets
from faying.fem.facets import FacetKind
from faying.progress import Progress, Silent

# Why a point has no projection: it is beside the surface, too far away, or the surface does not face it.
BESIDE, TOO_FAR, NOT_FACING = range(3)
# The search looks near first: most points have their projection within the first of these parts of the distance.
_ROUNDS = (1 / 64, 1 / 16, 1 / 4, 1.0)


@dataclass(eq=False)
class Projections:
    """The best projection of each point.

    Attributes:
        facets: (n,) facet number, −1 where there is none.
        local: (n, 2) local coordinates on that facet.
        distances: (n,) from the point; inf where there is none.
        reasons: (n,) why there is none: `BESIDE`, `TOO_FAR` or `NOT_FACING`.
    """

    facets: np.ndarray
    local: np.ndarray
    distances: np.ndarray
    reasons: np.ndarray


@dataclass(frozen=True)
class _Limits:
    """Largest distance and angle, and how far beside a facet a projection may lie, in parts of the facet."""

    distance: float
    angle: float
    edge_tolerance: float


def project_points(
    points: np.ndarray,
    point_normals: np.ndarray,
    facets: FacetIndex,
    distance: float,
    angle: float,
    edge_tolerance: float = 0.01,
    progress: Progress | None = None,
    *,
    folds: bool = True,
) -> Projections:
    """Return the projection of each point: the nearest projection at a right angle on a facet that faces it.

    Of equally near ones that of the lowest facet counts. A point over a fold between two facets, where neither
    has a projection, takes the closest point on the fold (thesis eqs. D.6, D.7).

    Args:
        points, point_normals: (n, 3) with unit normals.
        facets: index of the surface.
        distance: largest distance of a projection.
        angle: degrees by which a point's normal may deviate from exactly facing the facet's.
        edge_tolerance: how far, in parts of a facet, a projection may lie beside the surface's edge.
        progress: reports and cancels.
        folds: whether points over folds get a projection, and others their exact reason; it costs more than the rest.
    """
    progress, n = progress or Silent(), len(points)
    limits = _Limits(distance, angle, edge_tolerance)
    projections = Projections(np.full(n, -1), np.zeros((n, 2)), np.full(n, np.inf), np.full(n, TOO_FAR))
    # Right-angle projections, looking farther away from round to round. A round that looks within a
    # margin has seen all facets that are at least that near: projections within the margin are final.
    pending = np.arange(n)
    for number, part in enumerate(_ROUNDS):
        progress.report(number / (len(_ROUNDS) + 1), f"{len(pending)} points to project")
        first, second = facets.candidates(points[pending], part * distance)
        first = pending[first]
        likely = facets.may_have_projections(points[first], second, distance, edge_tolerance)
        _project(points, point_normals, facets, (first[likely], second[likely]), limits, projections)
        pending = pending[projections.distances[pending] > part * distance]
        if not len(pending):
            break
    # Points over folds of the surface, and the reasons of those that stay without a projection.
    pending = np.flatnonzero(projections.facets < 0)
    if len(pending) and folds:
        progress.report(len(_ROUNDS) / (len(_ROUNDS) + 1), f"{len(pending)} points without a projection")
        first, second = facets.candidates(points[pending], distance)
        _take_folds(points, point_normals, facets, (pending[first], second), limits, projections)
    return projections


def _project(
    points: np.ndarray,
    point_normals: np.ndarray,
    facets: FacetIndex,
    candidates: tuple[np.ndarray, np.ndarray],
    limits: _Limits,
    projections: Projections,
) -> None:
    """Put the nearest accepted projection of each candidate (slave point, facet) into `projections`."""
    for b, at, rows in facets.blocks_of(candidates[1]):
        kind, x, owners = facets.kinds[b], facets.coordinates[b][rows], candidates[0][at]
        local, found = project_on_facets(kind, x, points[owners])
        # The tolerance is in parts of a facet, which is one wide in triangles and two in quadrilaterals.
        tolerance = limits.edge_tolerance * (1.0 if kind.n_corners == 3 else 2.0)
        inside = np.flatnonzero(found & kind.is_inside(local[:, 0], local[:, 1], tolerance))
        clamped = np.column_stack(kind.clamp(*local[inside].T))
        _accept(
            points, point_normals, kind, x[inside], owners[inside], candidates[1][at[inside]], clamped,
            limits, projections,
        )  # fmt: skip


def _accept(
    points: np.ndarray,
    point_normals: np.ndarray,
    kind: FacetKind,
    coordinates: np.ndarray,
    owners: np.ndarray,
    numbers: np.ndarray,
    local: np.ndarray,
    limits: _Limits,
    projections: Projections,
) -> None:
    """Take over the points that are near enough, face their slave node, and are nearer than what was there."""
    places = np.einsum("mk,mkc->mc", kind.shape(*local.T), coordinates)
    away = np.linalg.norm(points[owners] - places, axis=1)
    normals = kind.normals(coordinates, *local.T)
    length = np.linalg.norm(normals, axis=1)
    cosine = np.einsum("mc,mc->m", point_normals[owners], normals)
    # A facet without area has no normal and faces nothing.
    facing = (length > 0.0) & (cosine <= -(np.cos(np.radians(limits.angle)) - 1e-12) * length)
    near = away <= limits.distance
    projections.reasons[owners[near & ~facing]] = NOT_FACING
    good = near & facing
    owners, numbers, local, away = owners[good], numbers[good], local[good], away[good]
    # The nearest of each node; those equally near but for round-off by facet number.
    tie = 1e-9 * limits.distance
    nearest = projections.distances.copy()
    np.minimum.at(nearest, owners, away)
    kept = away <= nearest[owners] + tie
    owners, numbers, local, away = owners[kept], numbers[kept], local[kept], away[kept]
    order = np.lexsort((numbers, owners))
    owners, first = np.unique(owners[order], return_index=True)
    best = order[first]
    better = (away[best] < projections.distances[owners] - tie) | (numbers[best] < projections.facets[owners])
    owners, best = owners[better], best[better]
    projections.facets[owners], projections.local[owners], projections.distances[owners] = (
        numbers[best],
        local[best],
        away[best],
    )


def _take_folds(
    points: np.ndarray,
    point_normals: np.ndarray,
    facets: FacetIndex,
    candidates: tuple[np.ndarray, np.ndarray],
    limits: _Limits,
    projections: Projections,
) -> None:
    """Pair the nodes whose closest point on the surface lies on an edge between two facets.

    For a node outside of a fold (or beside the surface) no facet has a projection; its closest point is then on an
    edge. On an edge that only one facet has, the node is beside the surface.
    """
    outer = facets.outer_edges()
    closest: list[tuple[np.ndarray, ...]] = []
    for b, at, rows in facets.blocks_of(candidates[1]):
        kind, x, owners = facets.kinds[b], facets.coordinates[b], candidates[0][at]
        for e in range(len(kind.edges)):
            local, beyond = closest_on_edges(kind, x[rows], points[owners], np.full(len(rows), e))
            places = np.einsum("mk,mkc->mc", kind.shape(*local.T), x[rows])
            away = np.linalg.norm(points[owners] - places, axis=1)
            is_outer = outer[b][rows, e]
            is_over = beyond <= limits.edge_tolerance
            closest.append((owners, away, is_outer, is_over, np.full(len(rows), b), rows, *local.T))
    if not closest:
        return
    owners, away, is_outer, is_over, block, rows, xi, eta = (
        np.concatenate(c) for c in zip(*closest, strict=True)
    )
    nearest = np.full(len(points), np.inf)
    np.minimum.at(nearest, owners, away)
    tied = away <= nearest[owners] + 1e-9 * limits.distance
    beside = np.zeros(len(points), bool)
    beside[owners[tied & is_outer]] = True
    # At the end of a fold, where it meets the surface's own edge, a node right over it is not beside.
    beside[owners[tied & ~is_outer & is_over]] = False
    projections.reasons[beside & (nearest <= limits.distance) & (projections.reasons != NOT_FACING)] = BESIDE
    fold = tied & ~is_outer & ~beside[owners]
    for b in np.unique(block[fold]):
        at = np.flatnonzero(fold & (block == b))
        local = np.column_stack([xi[at], eta[at]])
        _accept(
            points, point_normals, facets.kinds[b], facets.coordinates[b][rows[at]], owners[at],
            rows[at] + facets.starts[b], local, limits, projections,
        )  # fmt: skip
