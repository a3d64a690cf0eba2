"""Where points are closest to the facets near them, as a kernel (`faying.compiled`).

A facet is X(ξ, η) = Σ c_i μ_i(ξ, η) with the monomials of all facet kinds, μ = 1, ξ, η, ξ², ξη, η², ξ²η, ξη²
(`MONOMIALS`); the c_i are relative to the point, so that X is the vector from the point to the facet. Pairs (m,) of a
point and a facet are by point, then by facet: of equally near facets the lowest counts.
"""

from typing import NamedTuple

import numpy as np

from faying.compiled import compiled
from faying.fem.facet_index import FacetIndex
from faying.fem.facet_projection import closest_on_edges, project_on_facets
from faying.fem.facets import FacetKind, facet_kinds

MONOMIALS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2))
_INSIDE = 1e-9  # in local coordinates: tolerance of a projection inside its facet
_STEPS, _CONVERGED, _LOST = 25, 1e-12, 3.0  # as of `faying.fem.facet_projection`
# No point of a facet is farther from its nodes' mean than the nodes, except for the bulge of a curved facet.
_BULGE = 1.1
_ASIDE = 0.5  # cosine of the angle beyond which a facet faces the other way

Closest = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class FacetTable(NamedTuple):
    """Facets of all kinds as arrays, described in `closest_of_all`."""

    connectivity: np.ndarray
    shapes: np.ndarray
    sizes: np.ndarray
    polynomials: np.ndarray
    corners: np.ndarray


def facet_table(index: FacetIndex) -> FacetTable:
    """Return the facets of an index, in its order."""
    width = max((kind.n_nodes for kind in index.kinds), default=0)
    rows = [np.pad(c, [(0, 0), (0, width - c.shape[1])]) for c in index.connectivity]
    shapes = [
        np.full(len(c), facet_kinds.index(k)) for k, c in zip(index.kinds, index.connectivity, strict=True)
    ]
    n_nodes, n_corners = zip(*((kind.n_nodes, kind.n_corners) for kind in facet_kinds), strict=True)
    polynomials = np.zeros((len(facet_kinds), len(MONOMIALS), max(n_nodes)))
    corners = np.zeros((len(facet_kinds), max(n_corners) + 1, 2))
    for kind, polynomial, corner in zip(facet_kinds, polynomials, corners, strict=True):
        at = [MONOMIALS.index((int(a), int(b))) for a, b in kind.polynomials.exponents]
        polynomial[at, : kind.n_nodes] = kind.polynomials.coefficients
        round_it = [*range(kind.n_corners), 0]
        corner[: kind.n_corners + 1] = kind.node_coordinates[round_it]
    sizes = np.column_stack([n_nodes, n_corners])
    return FacetTable(
        np.concatenate(rows).astype(np.int64),
        np.concatenate(shapes).astype(np.int64),
        sizes,
        polynomials,
        corners,
    )


def _closest_of_all(
    nodes: np.ndarray, places: np.ndarray, points: np.ndarray, facets: np.ndarray, reach: float,
    pressed: np.ndarray, looks: np.ndarray,
    connectivity: np.ndarray, shapes: np.ndarray, sizes: np.ndarray, polynomials: np.ndarray, corners: np.ndarray,
) -> Closest:  # fmt: skip
    best = np.full(len(places), np.inf)  # distance, then its facet
    facet, edge = np.full(len(places), -1), np.full(len(places), -1)
    local = np.zeros((len(places), 2))
    kept = np.einsum("mc,mc->m", pressed[points], looks[facets]) > -_ASIDE
    points, facets = points[kept], facets[kept]
    points, facets = _nearest_of(nodes, places, points, facets, reach, connectivity, shapes)
    outside: list[tuple[FacetKind, np.ndarray]] = []
    # Projections inside of facets.
    for kind, at in _by_kind(shapes[facets]):
        x, owners = nodes[connectivity[facets[at], : kind.n_nodes]], points[at]
        found_local, found = project_on_facets(kind, x, places[owners])
        inside = found & kind.is_inside(found_local[:, 0], found_local[:, 1], _INSIDE)
        away = np.where(inside, _distances(kind, x, found_local, places[owners]), np.inf)
        _take_nearer(
            best, facet, edge, local, owners, away, facets[at], np.full(len(at), -1), found_local
        )  # fmt: skip
        outside.append((kind, at[~inside]))
    # Closest points on edges, of facets that may still be nearer.
    for kind, at in outside:
        x, owners = nodes[connectivity[facets[at], : kind.n_nodes]], points[at]
        away, size = _spheres(x, places[owners])
        wanted = away - size <= np.minimum(best[owners], reach)
        edges = np.tile(np.arange(len(kind.edges)), wanted.sum())
        at, owners, x = (np.repeat(each[wanted], len(kind.edges), axis=0) for each in (at, owners, x))
        found_local, _ = closest_on_edges(kind, x, places[owners], edges)
        away = _distances(kind, x, found_local, places[owners])
        _take_nearer(best, facet, edge, local, owners, away, facets[at], edges, found_local)
    beyond = best > reach
    best[beyond], facet[beyond], edge[beyond], local[beyond] = np.inf, -1, -1, 0.0
    return best, facet, edge, local


@compiled(plain=_closest_of_all, reorder=False)
def closest_of_all(
    nodes: np.ndarray, places: np.ndarray, points: np.ndarray, facets: np.ndarray, reach: float,
    pressed: np.ndarray, looks: np.ndarray,
    connectivity: np.ndarray, shapes: np.ndarray, sizes: np.ndarray, polynomials: np.ndarray, corners: np.ndarray,
) -> Closest:  # fmt: skip
    """Return of n points distances (n,), facets (n,), edges (n,) and local coordinates (n, 2) of their closest points.

    Infinity and −1 where no facet is within reach; an edge of −1 is the inside of the facet.

    Args:
        nodes: (k, 3) of the surface.
        places: (n, 3) points.
        points, facets: (m,) numbers of each pair.
        reach: points farther away are ignored.
        pressed: (n, 3) normals of the surface where points press on it, zero elsewhere: a point that presses on one
            side is not paired with facets that face the other way.
        looks: (f, 3) unit normals of all facets.
        connectivity: (f, w) nodes of all facets, with any behind those of smaller facets.
        shapes: (f,) number of each facet's kind among `facet_kinds`.
        sizes: (4, 2) numbers of nodes and of corners of each kind.
        polynomials: (4, 8, 8) shares of the nodes in c_i, of each kind; zero beyond its nodes.
        corners: (4, 5, 2) local coordinates of each kind's corners, the first again after the last.
    """
    best, local = np.full(len(places), np.inf), np.zeros((len(places), 2))
    facet, edge = np.full(len(places), -1), np.full(len(places), -1)
    # Bounds of the distances to the farthest and nearest points of facets: facets that cannot be nearest are skipped.
    least, nearest = np.empty(len(points)), np.full(len(places), reach)
    centres, radii = np.empty((len(connectivity), 3)), np.full(len(connectivity), -1.0)
    boxes = np.empty((len(connectivity), 2, 3))
    first, closest = np.full(len(places), -1), np.full(len(places), np.inf)  # pair with the nearest centre
    for pair in range(len(points)):
        p, f = points[pair], facets[pair]
        if pressed[p, 0] * looks[f, 0] + pressed[p, 1] * looks[f, 1] + pressed[p, 2] * looks[f, 2] <= -_ASIDE:
            least[pair] = np.inf
            continue
        if radii[f] < 0.0:  # a facet is near several points
            radii[f] = _sphere(
                centres[f], boxes[f], nodes, connectivity[f], sizes[shapes[f], 0], sizes[shapes[f], 1]
            )
        x, y, z = places[p, 0] - centres[f, 0], places[p, 1] - centres[f, 1], places[p, 2] - centres[f, 2]
        away = np.sqrt(x * x + y * y + z * z)
        least[pair] = away - radii[f]
        nearest[p] = min(nearest[p], away + radii[f])
        if away < closest[p]:
            first[p], closest[p] = pair, away
    # Projections inside of facets: first that with the nearest centre, which bounds the distance of others.
    c, outside = np.empty((8, 3)), np.zeros(len(points), np.bool_)
    for turn in range(len(places) + len(points)):
        pair = first[turn] if turn < len(places) else turn - len(places)
        if pair < 0:
            continue
        p, f = points[pair], facets[pair]
        most = min(nearest[p], best[p])
        if least[pair] > most or (turn >= len(places) and pair == first[p]):
            continue
        if best[p] < np.inf and _beside(boxes[f], places[p]) > most:
            continue
        shape = shapes[f]
        expand(c, polynomials[shape], nodes, connectivity[f], sizes[shape, 0], places[p])
        found, xi, eta = projection(c, sizes[shape, 1])
        if found and is_inside(sizes[shape, 1], xi, eta, _INSIDE):
            away = _distance(c, xi, eta)
            if away < best[p] or (away == best[p] and f < facet[p]):
                best[p], facet[p], edge[p] = away, f, -1
                local[p, 0], local[p, 1] = xi, eta
        else:
            outside[pair] = True
    # Closest points on edges, of facets that may still be nearer.
    for pair in range(len(points)):
        p, f = points[pair], facets[pair]
        most = min(best[p], reach)
        if not outside[pair] or least[pair] > most or _beside(boxes[f], places[p]) > most:
            continue
        shape = shapes[f]
        expand(c, polynomials[shape], nodes, connectivity[f], sizes[shape, 0], places[p])
        for e in range(sizes[shape, 1]):
            start, end = corners[shape, e], corners[shape, e + 1]
            xi, eta = closest_on_edge(c, start[0], start[1], end[0] - start[0], end[1] - start[1], 0.0)
            away = _distance(c, xi, eta)
            if away < best[p]:
                best[p], facet[p], edge[p] = away, f, e
                local[p, 0], local[p, 1] = xi, eta
    for p in range(len(places)):
        if best[p] > reach:
            best[p], facet[p], edge[p] = np.inf, -1, -1
            local[p] = 0.0
    return best, facet, edge, local


@compiled
def is_inside(n_corners: int, xi: float, eta: float, tolerance: float) -> bool:
    """Return whether local coordinates lie on a facet or beyond its edges by no more than a tolerance in them."""
    if n_corners == 3:
        return xi >= -tolerance and eta >= -tolerance and xi + eta <= 1.0 + tolerance
    return abs(xi) <= 1.0 + tolerance and abs(eta) <= 1.0 + tolerance


@compiled(reorder=False)
def _sphere(
    centre: np.ndarray, box: np.ndarray, nodes: np.ndarray, corner: np.ndarray, count: int, n_corners: int
) -> float:
    """Write the mean (3,) of a facet's nodes and a box (2, 3) that holds it; return the radius of such a sphere."""
    for a in range(3):
        x, low, high = 0.0, np.inf, -np.inf
        for k in range(count):
            own = nodes[corner[k], a]
            x += own
            low, high = min(low, own), max(high, own)
        centre[a], box[0, a], box[1, a] = x / count, low, high
    size = 0.0
    for k in range(count):
        square = 0.0
        for a in range(3):
            way = nodes[corner[k], a] - centre[a]
            square += way * way
        size = max(size, square)
    size = np.sqrt(size)
    # A facet with straight edges lies between its corners; but for round-off.
    beyond = 1e-9 * size if count == n_corners else (_BULGE - 1.0) * size
    for a in range(3):
        box[0, a] -= beyond
        box[1, a] += beyond
    return float(_BULGE * size)


@compiled(reorder=False)
def _beside(box: np.ndarray, point: np.ndarray) -> float:
    """Return how far a point (3,) is from a box (2, 3)."""
    square = 0.0
    for a in range(3):
        way = max(box[0, a] - point[a], point[a] - box[1, a], 0.0)
        square += way * way
    return float(np.sqrt(square))


@compiled(reorder=False)
def expand(
    c: np.ndarray, polynomial: np.ndarray, nodes: np.ndarray, corner: np.ndarray, count: int, point: np.ndarray
) -> None:  # fmt: skip
    """Write the coefficients (8, 3) of the vector from a point to a facet."""
    for i in range(8):
        x = y = z = 0.0
        for k in range(count):
            share, node = polynomial[i, k], corner[k]
            if share != 0.0:
                x += share * (nodes[node, 0] - point[0])
                y += share * (nodes[node, 1] - point[1])
                z += share * (nodes[node, 2] - point[2])
        c[i, 0], c[i, 1], c[i, 2] = x, y, z


@compiled(reorder=False)
def _distance(c: np.ndarray, xi: float, eta: float) -> float:
    square = 0.0
    for a in range(3):
        x = facet_value(c, a, xi, eta)
        square += x * x
    return float(np.sqrt(square))


@compiled(reorder=False)
def facet_value(c: np.ndarray, a: int, xi: float, eta: float) -> float:
    """Return component a of the vector from the point to a facet, from its coefficients (8, 3)."""
    linear = c[0, a] + c[1, a] * xi + c[2, a] * eta
    square = c[3, a] * xi * xi + c[4, a] * xi * eta + c[5, a] * eta * eta
    return float(linear + square + (c[6, a] * xi + c[7, a] * eta) * xi * eta)


@compiled(reorder=False)
def facet_slopes(c: np.ndarray, a: int, xi: float, eta: float) -> tuple[float, float]:
    """Return the derivatives of component a of a facet, from its coefficients (8, 3)."""
    along_xi = c[1, a] + 2.0 * c[3, a] * xi + c[4, a] * eta + (2.0 * c[6, a] * xi + c[7, a] * eta) * eta
    along_eta = c[2, a] + c[4, a] * xi + 2.0 * c[5, a] * eta + (c[6, a] * xi + 2.0 * c[7, a] * eta) * xi
    return along_xi, along_eta


@compiled(reorder=False)
def projection(c: np.ndarray, n_corners: int) -> tuple[bool, float, float]:
    """Return whether the point has a projection on a facet, and where; the steps of `project_on_facets`."""
    centre = 1.0 / 3.0 if n_corners == 3 else 0.0
    xi = eta = centre
    bend = along = across = 0.0
    for a in range(3):
        along, across = max(along, abs(c[1, a])), max(across, abs(c[2, a]))
        for i in range(3, 8):
            bend = max(bend, abs(c[i, a]))
    size = along + across
    curved = bend > 1e-12 * size
    for _ in range(_STEPS):
        # Metric, and the terms of the second derivatives.
        g1 = g2 = m11 = m12 = m22 = h11 = h12 = h22 = 0.0
        for a in range(3):
            residual = -facet_value(c, a, xi, eta)
            t1, t2 = facet_slopes(c, a, xi, eta)
            g1 += t1 * residual
            g2 += t2 * residual
            m11 += t1 * t1
            m12 += t1 * t2
            m22 += t2 * t2
            h11 += 2.0 * (c[3, a] + c[6, a] * eta) * residual
            h12 += (c[4, a] + 2.0 * (c[6, a] * xi + c[7, a] * eta)) * residual
            h22 += 2.0 * (c[5, a] + c[7, a] * xi) * residual
        determinant = m11 * m22 - m12 * m12
        if curved:
            full = (m11 - h11) * (m22 - h22) - (m12 - h12) * (m12 - h12)
            if m11 - h11 > 0.0 and full > 1e-6 * determinant:
                m11, m12, m22, determinant = m11 - h11, m12 - h12, m22 - h22, full
        regular = determinant > 1e-14 * max(m11 * m22, 2.3e-308)
        if not regular:
            return False, xi, eta
        by_xi, by_eta = (m22 * g1 - m12 * g2) / determinant, (m11 * g2 - m12 * g1) / determinant
        # No step longer than a facet.
        length = max(abs(by_xi), abs(by_eta))
        xi += by_xi / max(length, 1.0)
        eta += by_eta / max(length, 1.0)
        # A flat facet is done with its first full step.
        if length < _CONVERGED or (not curved and length <= 1.0):
            return True, xi, eta
        if max(abs(xi - centre), abs(eta - centre)) > _LOST:
            return False, xi, eta
    # Round-off of large coordinates can keep steps above the threshold: at the last iterate they are projections too.
    g1 = g2 = m11 = m22 = 0.0
    for a in range(3):
        residual = -facet_value(c, a, xi, eta)
        t1, t2 = facet_slopes(c, a, xi, eta)
        g1 += t1 * residual
        g2 += t2 * residual
        m11 += t1 * t1
        m22 += t2 * t2
    right = abs(g1) <= 1e-8 * m11 and abs(g2) <= 1e-8 * m22 and m11 > 0.0 and m22 > 0.0
    return right, xi, eta


@compiled(reorder=False)
def closest_on_edge(
    c: np.ndarray, xi: float, eta: float, along_xi: float, along_eta: float, margin: float
) -> tuple[float, float]:
    """Return local coordinates of the closest point on an edge, ends included; the steps of `closest_on_edges`.

    Args:
        c: coefficients.
        xi, eta: where the edge begins.
        along_xi, along_eta: from there to its end.
        margin: extension beyond both, in parts of its length.
    """
    t = 0.5
    for _ in range(_STEPS):
        slope = square = 0.0
        for a in range(3):
            t1, t2 = facet_slopes(c, a, xi + t * along_xi, eta + t * along_eta)
            tangent = t1 * along_xi + t2 * along_eta
            slope -= tangent * facet_value(c, a, xi + t * along_xi, eta + t * along_eta)
            square += tangent * tangent
        if square > 0.0:
            slope /= square
        moved = min(max(t + slope, -margin), 1.0 + margin)
        change = abs(moved - t)
        t = moved
        if change < _CONVERGED:
            break
    return xi + t * along_xi, eta + t * along_eta


def _by_kind(shapes: np.ndarray) -> list[tuple[FacetKind, np.ndarray]]:
    """Return of each kind that is there the kind, and which of (m,) numbers of kinds are its own."""
    return [(kind, at) for s, kind in enumerate(facet_kinds) if len(at := np.flatnonzero(shapes == s))]


def _spheres(x: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (m,) how far points are from the means of facets' nodes (m, k, 3), and radii that hold the facets."""
    middle = x.mean(axis=1)
    size = _BULGE * np.sqrt(((x - middle[:, None]) ** 2).sum(axis=2).max(axis=1))
    return np.linalg.norm(points - middle, axis=1), size


def _nearest_of(
    nodes: np.ndarray, places: np.ndarray, points: np.ndarray, facets: np.ndarray, reach: float,
    connectivity: np.ndarray, shapes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the pairs whose facets may be the nearest of their points and within reach."""
    least, most = np.empty(len(points)), np.empty(len(points))
    for kind, at in _by_kind(shapes[facets]):
        x = nodes[connectivity[facets[at], : kind.n_nodes]]
        away, size = _spheres(x, places[points[at]])
        least[at], most[at] = away - size, away + size
    nearest = np.full(len(places), reach)
    np.minimum.at(nearest, points, most)
    kept = least <= nearest[points]
    return points[kept], facets[kept]


def _distances(kind: FacetKind, x: np.ndarray, local: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(points - np.einsum("mk,mkc->mc", kind.shape(*local.T), x), axis=1))


def _take_nearer(
    best: np.ndarray, facet: np.ndarray, edge: np.ndarray, local: np.ndarray,
    owners: np.ndarray, away: np.ndarray, facets: np.ndarray, edges: np.ndarray, found: np.ndarray,
) -> None:  # fmt: skip
    """Put the nearest of the closest points into the first four; of equal ones that of the lowest facet."""
    if not len(owners):
        return
    order = np.lexsort((facets, away, owners))
    first = order[np.concatenate([[True], np.diff(owners[order]) > 0])]
    first = first[away[first] < best[owners[first]]]
    own = owners[first]
    best[own], facet[own], edge[own], local[own] = away[first], facets[first], edges[first], found[first]
