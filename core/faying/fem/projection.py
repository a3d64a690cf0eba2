"""Closest-point projection of many points onto a surface that faces them."""

from dataclasses import dataclass

import numpy as np

from faying.fem.facet_index import FacetIndex
from faying.fem.facet_projection import closest_on_edges, project_on_facets
from faying.fem.facets import FacetKind
from faying.progress import Progress, Silent

# Reasons for a missing projection: the point is outside the surface's border, too far away, or not faced by it.
BESIDE, TOO_FAR, NOT_FACING = range(3)
# The search radius grows: most points have their projection within the first of these fractions of the distance.
_ROUNDS = (1 / 64, 1 / 16, 1 / 4, 1.0)


@dataclass(eq=False)
class Projections:
    """The best projection of each point.

    Attributes:
        facets: (n,) facet number, −1 without projection.
        local: (n, 2) local coordinates on that facet.
        distances: (n,) from the point; inf without projection.
        reasons: (n,) why there is no projection: `BESIDE`, `TOO_FAR` or `NOT_FACING`.
    """

    facets: np.ndarray
    local: np.ndarray
    distances: np.ndarray
    reasons: np.ndarray


@dataclass(frozen=True)
class _Limits:
    """Largest distance, largest angle, and edge tolerance relative to the facet."""

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
    """Return for each point its nearest orthogonal projection onto a facet that faces it.

    Among equally near projections the lowest facet number is chosen. A point above a fold between two facets, where
    neither has a projection, gets the closest point on the fold (thesis eqs. D.6, D.7).

    Args:
        points, point_normals: (n, 3) with unit normals.
        facets: index of the surface.
        distance: largest distance of a projection.
        angle: degrees by which a point's normal may deviate from exactly facing the facet's.
        edge_tolerance: how far outside the surface's edge a projection may lie, relative to the facet.
        progress: reports and cancels.
        folds: whether to find projections onto folds, and the exact reasons for missing ones; this is the most
            expensive part.
    """
    progress, n = progress or Silent(), len(points)
    limits = _Limits(distance, angle, edge_tolerance)
    projections = Projections(np.full(n, -1), np.zeros((n, 2)), np.full(n, np.inf), np.full(n, TOO_FAR))
    # Orthogonal projections with a growing search radius. A round examines all facets within its radius, so projections
    # within the radius are final.
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
    # Points above folds of the surface, and the reasons for points without a projection.
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
    """Update `projections` with the nearest accepted projection of the candidates (slave point, facet)."""
    for b, at, rows in facets.blocks_of(candidates[1]):
        kind, x, owners = facets.kinds[b], facets.coordinates[b][rows], candidates[0][at]
        local, found = project_on_facets(kind, x, points[owners])
        # The tolerance is relative to the facet, which is one unit wide for triangles and two for quadrilaterals.
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
    """Accept points that are near enough, face their slave node, and are nearer than the previous ones."""
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
    # The nearest per node; ties (to within round-off) are broken by facet number.
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
    """Project the nodes whose closest point on the surface lies on an edge between two facets.

    A node outside a fold or outside the surface's border has no projection on a facet; its closest point is on an edge.
    If that edge belongs to only one facet, the node is outside the border.
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
    # A node directly above the end of a fold, where it meets the surface's border, is not outside the border.
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
