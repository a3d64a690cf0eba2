"""Orthogonal projection onto facets and their edges."""

import numpy as np

from faying.fem.facets import FacetKind

_STEPS = 25
_CONVERGED = 1e-12
# The iteration stops for points that are this far outside a facet, in local coordinates.
_LOST = 3.0


def project_on_facets(
    kind: FacetKind, coordinates: np.ndarray, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return local coordinates (m, 2) of each point's projection on its facet, and whether there is one (m,).

    Solves (x − X(ξ, η)) · X,ξ = 0 and (x − X(ξ, η)) · X,η = 0 (thesis eqs. D.6 and D.7) by Newton's method for
    all points at once; where the Hessian is not positive definite, by the Gauss-Newton method. Flat facets with
    straight edges need one step. The projection may lie outside the facet.

    Args:
        kind: the facets' shape.
        coordinates: (m, k, 3) nodes of the facet belonging to each point.
        points: (m, 3).
    """
    m = len(points)
    local = np.tile(kind.centre, (m, 1))
    found = np.zeros(m, bool)
    curved = _is_curved(kind, coordinates)
    active = np.arange(m)
    for _ in range(_STEPS):
        if not len(active):
            break
        xi, eta = local[active].T
        x = coordinates[active]
        # Residual r = x − X and the tangents X,ξ, X,η.
        residual = points[active] - np.einsum("mk,mkc->mc", kind.shape(xi, eta), x)
        tangents = np.einsum("mka,mkc->mac", kind.shape_derivatives(xi, eta), x)
        gradient = np.einsum("mac,mc->ma", tangents, residual)
        metric = np.einsum("mac,mbc->mab", tangents, tangents)
        hessian = metric
        if curved[active].any():
            second = np.einsum("mkab,mkc->mabc", kind.shape_second_derivatives(xi, eta), x)
            full = metric - np.einsum("mabc,mc->mab", second, residual)
            safe = (full[:, 0, 0] > 0.0) & (_determinant(full) > 1e-6 * _determinant(metric))
            hessian = np.where(safe[:, None, None], full, metric)
        step, regular = _solve_2x2(hessian, gradient)
        # No step longer than a facet.
        length = np.abs(step).max(axis=1)
        step /= np.maximum(length, 1.0)[:, None]
        local[active] += step
        # A flat facet needs a single full step.
        done = regular & ((length < _CONVERGED) | (~curved[active] & (length <= 1.0)))
        found[active[done]] = True
        lost = np.abs(local[active] - kind.centre).max(axis=1) > _LOST
        active = active[regular & ~done & ~lost]
    # Round-off of large coordinates can keep the steps above the threshold; their last iterates are valid projections
    # too.
    found[active[_is_projection(kind, coordinates[active], points[active], local[active])]] = True
    return local, found


def closest_on_edges(
    kind: FacetKind, coordinates: np.ndarray, points: np.ndarray, edges: np.ndarray, margin: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return local coordinates (m, 2) of the closest point on one edge of each facet, ends included.

    Also return (m,) how far the projection lies beyond the ends, relative to the edge's length; zero between them.

    Args:
        kind: the facets' shape.
        coordinates: (m, k, 3) nodes of the facet belonging to each point.
        points: (m, 3).
        edges: (m,) number of the edge in `kind.edges`.
        margin: how far the edge extends beyond its ends, relative to its length.
    """
    ends = np.array([(edge[0], edge[1]) for edge in kind.edges])[edges]
    start = kind.node_coordinates[ends[:, 0]]
    along = kind.node_coordinates[ends[:, 1]] - start
    t, beyond = np.full(len(points), 0.5), np.zeros(len(points))
    for _ in range(_STEPS):
        local = start + t[:, None] * along
        residual = points - np.einsum("mk,mkc->mc", kind.shape(*local.T), coordinates)
        tangent = np.einsum("mka,mkc,ma->mc", kind.shape_derivatives(*local.T), coordinates, along)
        squared = np.einsum("mc,mc->m", tangent, tangent)
        step = np.einsum("mc,mc->m", tangent, residual) / np.where(squared > 0.0, squared, 1.0)
        moved = np.clip(t + step, -margin, 1.0 + margin)
        beyond = np.abs(t + step - moved)
        change = np.abs(moved - t).max(initial=0.0)
        t = moved
        if change < _CONVERGED:
            break
    return start + t[:, None] * along, beyond


def _is_curved(kind: FacetKind, coordinates: np.ndarray) -> np.ndarray:
    """Return (m,) whether X(ξ, η) is more than an affine map of the local coordinates."""
    if kind.name == "tri3":
        return np.zeros(len(coordinates), bool)
    # The affine map through three corners, compared at the other nodes.
    a, b, c = (0, 1, 2) if kind.n_corners == 3 else (0, 1, 3)
    local = kind.node_coordinates
    axes = np.stack([local[b] - local[a], local[c] - local[a]])
    shares = (local - local[a]) @ np.linalg.inv(axes)
    origin, u, v = (
        coordinates[:, a],
        coordinates[:, b] - coordinates[:, a],
        coordinates[:, c] - coordinates[:, a],
    )
    flat = origin[:, None] + shares[:, :1] * u[:, None] + shares[:, 1:] * v[:, None]
    size = np.abs(u).max(axis=1) + np.abs(v).max(axis=1)
    curved: np.ndarray = np.abs(coordinates - flat).max(axis=(1, 2)) > 1e-12 * size
    return curved


def _is_projection(
    kind: FacetKind, coordinates: np.ndarray, points: np.ndarray, local: np.ndarray
) -> np.ndarray:
    """Return (m,) whether the orthogonality conditions hold at local coordinates to within round-off."""
    residual = points - np.einsum("mk,mkc->mc", kind.shape(*local.T), coordinates)
    tangents = np.einsum("mka,mkc->mac", kind.shape_derivatives(*local.T), coordinates)
    metric = np.einsum("mac,mac->ma", tangents, tangents)
    off = np.abs(np.einsum("mac,mc->ma", tangents, residual))
    right: np.ndarray = (off <= 1e-8 * metric).all(axis=1) & (metric > 0.0).all(axis=1)
    return right


def _determinant(a: np.ndarray) -> np.ndarray:
    determinant: np.ndarray = a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0]
    return determinant


def _solve_2x2(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the solutions (m, 2) of symmetric 2 × 2 systems, and where they are regular (m,)."""
    determinant = _determinant(a)
    regular = determinant > 1e-14 * np.maximum(a[:, 0, 0] * a[:, 1, 1], np.finfo(float).tiny)
    divisor = np.where(regular, determinant, 1.0)
    x = (a[:, 1, 1] * b[:, 0] - a[:, 0, 1] * b[:, 1]) / divisor
    y = (a[:, 0, 0] * b[:, 1] - a[:, 1, 0] * b[:, 0]) / divisor
    return np.column_stack([x, y]), regular
