"""Gaps at closest points on facets, with their derivatives, as a kernel (`faying.compiled`).

The numbers are described in `gaps.SurfaceGaps`; facets are those of `search_kernels.FacetTable`.
"""

from typing import NamedTuple

import numpy as np

from faying.compiled import compiled
from faying.fem.facet_projection import closest_on_edges, project_on_facets
from faying.fem.facets import FacetKind, facet_kinds
from faying.multibody.contacts.gaps import gaps_over_edges, gaps_over_faces, joined, no_gaps
from faying.multibody.contacts.search_kernels import (
    MONOMIALS,
    closest_on_edge,
    expand,
    facet_slopes,
    facet_value,
    is_inside,
    projection,
)

_CORNER = 1e-9  # in the local coordinate of an edge
# How far beyond the surface's own end, in parts of a facet, a point still is over it; as for pairs of joints. Parts of
# equal width have their outer nodes there, which constraints hold only to their tolerance, and which bulge sideways
# under pressure, by thousandths of a facet; such a node represents half a facet.
_BESIDE = 0.01
_EXPONENTS = np.array(MONOMIALS)

# What `gaps.SurfaceGaps` holds, in its order.
Gaps = tuple[
    np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray,
    np.ndarray,
]  # fmt: skip


class SurfaceSides(NamedTuple):
    """Normals of a surface at its edges and corners, and where it ends.

    Attributes:
        normals: (f, 3) of the undeformed facets.
        of_nodes: (k, 3) mean normals round the nodes.
        across: (f, 4) the facet on the other side of each edge; −1 where the surface ends, and behind the edges.
        ends: (f, 4) whether an edge belongs to only one facet.
        ends_at: (k,) whether a node lies where the surface ends.
        ridges: (k, 2) facet and edge of the sharpest edge between two facets that runs out at such a node; −1 for none.
    """

    normals: np.ndarray
    of_nodes: np.ndarray
    across: np.ndarray
    ends: np.ndarray
    ends_at: np.ndarray
    ridges: np.ndarray


def _gaps_of_all(
    nodes: np.ndarray, places: np.ndarray, chosen: np.ndarray, facets: np.ndarray, edges: np.ndarray,
    local: np.ndarray, connectivity: np.ndarray, shapes: np.ndarray, sizes: np.ndarray, polynomials: np.ndarray,
    corners: np.ndarray, normals: np.ndarray, of_nodes: np.ndarray, across: np.ndarray, ends: np.ndarray,
    ends_at: np.ndarray, ridges: np.ndarray,
) -> Gaps:  # fmt: skip
    parts, sides = [], SurfaceSides(normals, of_nodes, across, ends, ends_at, ridges)
    facets, edges, local = facets.copy(), edges.copy(), local.copy()
    on_ridge = _take_ridges(nodes, places, chosen, facets, edges, local, connectivity, shapes, sides)
    for number, kind in enumerate(facet_kinds):
        of_kind = chosen[shapes[facets[chosen]] == number]
        # Next to the surface's own end, but over the facet if that is extended slightly.
        at_end = _are_at_end(kind, edges[of_kind], local[of_kind], facets[of_kind], connectivity, sides)
        ending = of_kind[at_end & ~on_ridge[of_kind]]
        if len(ending):
            x = nodes[connectivity[facets[ending], : kind.n_nodes]]
            continued, projects = project_on_facets(kind, x, places[ending])
            over = projects & kind.is_inside(
                continued[:, 0], continued[:, 1], _BESIDE * _width(kind.n_corners)
            )
            edges[ending[over]], local[ending[over]] = -1, continued[over]
            of_kind = np.setdiff1d(of_kind, ending[~over])
        for on_edge in (False, True):
            own = of_kind[(edges[of_kind] >= 0) == on_edge]
            if not len(own):
                continue
            corner, here = connectivity[facets[own], : kind.n_nodes], local[own]
            shares, first, second = (
                kind.shape(*here.T), kind.shape_derivatives(*here.T), kind.shape_second_derivatives(*here.T)
            )  # fmt: skip
            of, where = (own, places[own], corner, nodes[corner]), (facets[own], here)
            if not on_edge:
                parts.append(gaps_over_faces(*of, (shares, first, second), where))
                continue
            # On which side: by the mean normal of the corner, or of the two facets that share the edge.
            at_end = np.where(on_ridge[own], -1, _ends(kind, edges[own], here))
            stays = (at_end >= 0)[:, None]
            looks = kind.normals(of[3], *here.T)
            looks /= np.linalg.norm(looks, axis=1, keepdims=True)
            others = sides.across[facets[own], edges[own]]
            looks += np.where((others >= 0)[:, None], sides.normals[others], 0.0)
            end_node = np.take_along_axis(corner, np.maximum(at_end, 0)[:, None], 1)[:, 0]
            looks = np.where(stays, sides.of_nodes[end_node], looks)
            ways = of[1] - np.einsum("mk,mkc->mc", shares, of[3])
            side = np.where(np.einsum("mc,mc->m", ways, looks) >= 0.0, 1.0, -1.0)
            _, along = _edge_lines(kind, edges[own])
            edgewise = (
                shares,
                np.where(stays, 0.0, np.einsum("mka,ma->mk", first, along)),
                np.where(stays, 0.0, np.einsum("mkab,ma,mb->mk", second, along, along)),
            )
            parts.append(gaps_over_edges(*of, edgewise, where, side))
    width = connectivity.shape[1]
    found = joined(parts, width) if parts else no_gaps(width)
    found = found.of(np.argsort(found.slaves, kind="stable"))
    return (
        found.slaves, found.gaps, found.normals, found.nodes, found.shares, found.slopes, found.directions,
        found.hessians, found.facets, found.local,
    )  # fmt: skip


def _edge_lines(kind: FacetKind, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where edges (m,) begin, and the ways to their ends, both (m, 2) in local coordinates."""
    at = np.array([edge[:2] for edge in kind.edges])[edges]
    start = kind.node_coordinates[at[:, 0]]
    return start, kind.node_coordinates[at[:, 1]] - start


def _ends(kind: FacetKind, edges: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Return at which corner (m,) of their facet points on edges lie; −1 where between two."""
    start, along = _edge_lines(kind, edges)
    t = np.einsum("ma,ma->m", local - start, along) / np.einsum("ma,ma->m", along, along)
    at = np.array([edge[:2] for edge in kind.edges])[edges]
    return np.where(t < _CORNER, at[:, 0], np.where(t > 1.0 - _CORNER, at[:, 1], -1))


def _are_at_end(
    kind: FacetKind, edges: np.ndarray, local: np.ndarray, facets: np.ndarray, connectivity: np.ndarray,
    sides: SurfaceSides,
) -> np.ndarray:  # fmt: skip
    """Return (m,) which closest points lie where the surface ends."""
    at_end = _ends(kind, edges, local)
    ends = np.where(at_end >= 0, sides.ends_at[connectivity[facets, at_end]], sides.ends[facets, edges])
    return np.asarray((edges >= 0) & ends)


def _take_ridges(
    nodes: np.ndarray, places: np.ndarray, chosen: np.ndarray, facets: np.ndarray, edges: np.ndarray,
    local: np.ndarray, connectivity: np.ndarray, shapes: np.ndarray, sides: SurfaceSides,
) -> np.ndarray:  # fmt: skip
    """Put closest points at ends of ridges where the surface ends on the ridges; return (n,) which those are."""
    on_ridge, last = np.zeros(len(places), bool), np.full(len(places), -1)
    for number, kind in enumerate(facet_kinds):
        own = chosen[(shapes[facets[chosen]] == number) & (edges[chosen] >= 0)]
        at = _ends(kind, edges[own], local[own])
        own, at = own[at >= 0], at[at >= 0]
        last[own] = np.where(sides.ends_at[connectivity[facets[own], at]], connectivity[facets[own], at], -1)
    ending = np.flatnonzero((last >= 0) & (sides.ridges[last, 0] >= 0))
    ridges = sides.ridges[last]
    for number, kind in enumerate(facet_kinds):
        own = ending[shapes[ridges[ending, 0]] == number]
        if not len(own):
            continue
        facet, edge = ridges[own].T
        x = nodes[connectivity[facet, : kind.n_nodes]]
        where, beyond = closest_on_edges(kind, x, places[own], edge, _BESIDE)
        way = places[own] - np.einsum("mk,mkc->mc", kind.shape(*where.T), x)
        _, ahead = _edge_lines(kind, edge)
        along = np.einsum("mka,mkc,ma->mc", kind.shape_derivatives(*where.T), x, ahead)
        most = -_CORNER * np.einsum("mc,mc->m", along, along)
        over = beyond == 0.0
        for turn, normal in ((1.0, sides.normals[facet]), (-1.0, sides.normals[sides.across[facet, edge]])):
            over &= turn * np.einsum("mc,mc->m", way, np.cross(normal, along)) < most
        on_ridge[own] = over
        facets[own[over]], edges[own[over]], local[own[over]] = facet[over], edge[over], where[over]
    return on_ridge


@compiled(plain=_gaps_of_all, reorder=False)
def gaps_of_all(
    nodes: np.ndarray, places: np.ndarray, chosen: np.ndarray, facets: np.ndarray, edges: np.ndarray,
    local: np.ndarray, connectivity: np.ndarray, shapes: np.ndarray, sizes: np.ndarray, polynomials: np.ndarray,
    corners: np.ndarray, normals: np.ndarray, of_nodes: np.ndarray, across: np.ndarray, ends: np.ndarray,
    ends_at: np.ndarray, ridges: np.ndarray,
) -> Gaps:  # fmt: skip
    """Return the gaps of points with known closest points; points outside the end of the surface have none.

    A point that is barely outside (`_BESIDE`) counts as over the facet there, whose shape functions are extended
    so far: then its gap is along the normal, too, and its forces leave no moment. At the end of a ridge the same holds
    for a point over the ridge, between the normals of its two facets: the ridge is continued, as no facet has a
    projection.

    Args:
        nodes: (k, 3) of the surface.
        places: (n, 3) points.
        chosen: (m,) numbers of the points, ascending.
        facets, edges, local: (n,), (n,) and (n, 2) closest points, see `search_kernels.closest_of_all`.
        connectivity, shapes, sizes, polynomials, corners: a `search_kernels.FacetTable`.
        normals, of_nodes, across, ends, ends_at, ridges: `SurfaceSides`.
    """
    m, width = len(chosen), connectivity.shape[1]
    slaves, gaps, facing = np.empty(m, np.int64), np.empty(m), np.empty((m, 3))
    corner, shares, slopes = np.zeros((m, width), np.int64), np.zeros((m, width)), np.zeros((m, 2, width))
    directions, hessians, at = np.empty((m, 2, 3)), np.zeros((m, 4, 4)), np.empty((m, 2))
    on = np.empty(m, np.int64)
    c = np.empty((8, 3))
    mono, first, second = np.empty(8), np.empty((2, 8)), np.empty((3, 8))
    tangents, bends, way, looks = np.empty((2, 3)), np.empty((3, 3)), np.empty(3), np.empty(3)
    count = 0
    for point in chosen:
        f, e = facets[point], edges[point]
        shape = shapes[f]
        n_nodes, n_corners = sizes[shape, 0], sizes[shape, 1]
        xi, eta = local[point, 0], local[point, 1]
        at_end, last = False, 0
        if e >= 0:
            # On an edge, or at its end.
            start, end = corners[shape, e], corners[shape, e + 1]
            d1, d2 = end[0] - start[0], end[1] - start[1]
            t = ((xi - start[0]) * d1 + (eta - start[1]) * d2) / (d1 * d1 + d2 * d2)
            at_end = t < _CORNER or t > 1.0 - _CORNER
            last = connectivity[f, e if t < _CORNER else (e + 1) % n_corners]
            over = False
            if at_end and ridges[last, 0] >= 0:
                g, h = ridges[last, 0], ridges[last, 1]
                kind = shapes[g]
                expand(c, polynomials[kind], nodes, connectivity[g], sizes[kind, 0], places[point])
                begin, stop = corners[kind, h], corners[kind, h + 1]
                over, x, y = _over_ridge(c, begin, stop, normals[g], normals[across[g, h]])
            if over:
                f, e, shape, xi, eta, at_end = g, h, kind, x, y, False
                n_nodes, n_corners = sizes[shape, 0], sizes[shape, 1]
                d1, d2 = stop[0] - begin[0], stop[1] - begin[1]
            elif ends_at[last] if at_end else ends[f, e]:
                expand(c, polynomials[shape], nodes, connectivity[f], n_nodes, places[point])
                found, xi, eta = projection(c, n_corners)
                if not (found and is_inside(n_corners, xi, eta, _BESIDE * _width(n_corners))):
                    continue
                e = -1
        _monomials(mono, first, second, xi, eta)
        # Shape functions; the vector from the closest point, the surface's tangents and second derivatives.
        way[:] = places[point]
        tangents[:], bends[:] = 0.0, 0.0
        for k in range(n_nodes):
            node = connectivity[f, k]
            share = s1 = s2 = s11 = s12 = s22 = 0.0
            for i in range(8):
                factor = polynomials[shape, i, k]
                share += factor * mono[i]
                s1 += factor * first[0, i]
                s2 += factor * first[1, i]
                s11 += factor * second[0, i]
                s12 += factor * second[1, i]
                s22 += factor * second[2, i]
            corner[count, k], shares[count, k] = node, share
            slopes[count, 0, k], slopes[count, 1, k] = s1, s2
            for a in range(3):
                x = nodes[node, a]
                way[a] -= share * x
                tangents[0, a] += s1 * x
                tangents[1, a] += s2 * x
                bends[0, a] += s11 * x
                bends[1, a] += s12 * x
                bends[2, a] += s22 * x
        normal = facing[count]
        _across(normal, tangents[0], tangents[1])
        if e < 0:
            gap = _dot(normal, way)
            # Metric m, curvature h = n · X,αβ, and A = m − g h.
            m11, m12, m22 = (
                _dot(tangents[0], tangents[0]), _dot(tangents[0], tangents[1]), _dot(tangents[1], tangents[1])
            )  # fmt: skip
            h11, h12, h22 = _dot(normal, bends[0]), _dot(normal, bends[1]), _dot(normal, bends[2])
            a11, a12, a22 = m11 - gap * h11, m12 - gap * h12, m22 - gap * h22
            determinant = a11 * a22 - a12 * a12
            i11, i12, i22 = a22 / determinant, -a12 / determinant, a11 / determinant
            # h A⁻¹, then −m⁻¹ of it.
            p11, p12 = h11 * i11 + h12 * i12, h11 * i12 + h12 * i22
            p21, p22 = h12 * i11 + h22 * i12, h12 * i12 + h22 * i22
            metric = m11 * m22 - m12 * m12
            own = hessians[count]
            own[0, 0], own[0, 1] = -(m22 * p11 - m12 * p21) / metric, -(m22 * p12 - m12 * p22) / metric
            own[1, 0], own[1, 1] = -(m11 * p21 - m12 * p11) / metric, -(m11 * p22 - m12 * p12) / metric
            own[0, 2], own[0, 3], own[1, 2], own[1, 3] = -i11, -i12, -i12, -i22
            own[2, 0], own[3, 0], own[2, 1], own[3, 1] = -i11, -i12, -i12, -i22
            own[2, 2], own[2, 3], own[3, 2], own[3, 3] = -gap * i11, -gap * i12, -gap * i12, -gap * i22
            directions[count] = tangents
            slaves[count], gaps[count], on[count], at[count, 0], at[count, 1] = point, gap, f, xi, eta
            count += 1
            continue
        # On which side: by the mean normal of the corner, or of the two facets that share the edge.
        looks[:] = of_nodes[last] if at_end else normal
        if not at_end and across[f, e] >= 0:
            looks += normals[across[f, e]]
        length = np.sqrt(_dot(way, way))
        gap = length if _dot(way, looks) >= 0.0 else -length
        for a in range(3):
            normal[a] = way[a] / gap if gap != 0.0 else way[a]
        bending = 1.0 / gap if gap != 0.0 else 0.0
        along, sideways, own = directions[count, 0], directions[count, 1], hessians[count]
        own[1, 1] = bending
        for k in range(n_nodes):
            slopes[count, 0, k] = 0.0 if at_end else d1 * slopes[count, 0, k] + d2 * slopes[count, 1, k]
            slopes[count, 1, k] = 0.0
        if at_end:
            # Any two directions at right angles.
            least = 0
            for a in range(1, 3):
                if abs(normal[a]) < abs(normal[least]):
                    least = a
            looks[:] = 0.0
            looks[least] = 1.0
            _across(along, normal, looks)
            own[0, 0] = bending
        else:
            for a in range(3):
                along[a] = d1 * tangents[0, a] + d2 * tangents[1, a]
                looks[a] = d1 * d1 * bends[0, a] + 2.0 * d1 * d2 * bends[1, a] + d2 * d2 * bends[2, a]
            metric, curvature = _dot(along, along), _dot(looks, normal)
            moving = 1.0 / (metric - gap * curvature)
            own[0, 0], own[0, 2], own[2, 0] = -curvature * moving / metric, -moving, -moving
            own[2, 2] = -gap * moving
        _across(sideways, normal, along)
        slaves[count], gaps[count], on[count], at[count, 0], at[count, 1] = point, gap, f, xi, eta
        count += 1
    return (
        slaves[:count], gaps[:count], facing[:count], corner[:count], shares[:count], slopes[:count],
        directions[:count], hessians[:count], on[:count], at[:count],
    )  # fmt: skip


@compiled(reorder=False)
def _over_ridge(
    c: np.ndarray, begin: np.ndarray, stop: np.ndarray, normal: np.ndarray, beyond: np.ndarray
) -> tuple[bool, float, float]:
    """Return whether a point lies over a ridge that is extended slightly beyond its ends, and where there.

    Args:
        c: coefficients of the vector from the point to a facet of the ridge (8, 3).
        begin, stop: (2,) local coordinates of the ridge's ends.
        normal, beyond: (3,) of this facet and of the other one.
    """
    d1, d2 = stop[0] - begin[0], stop[1] - begin[1]
    xi, eta = closest_on_edge(c, begin[0], begin[1], d1, d2, 2.0 * _BESIDE)
    t = ((xi - begin[0]) * d1 + (eta - begin[1]) * d2) / (d1 * d1 + d2 * d2)
    way, along, inward = np.empty(3), np.empty(3), np.empty(3)
    for a in range(3):
        s1, s2 = facet_slopes(c, a, xi, eta)
        way[a], along[a] = -facet_value(c, a, xi, eta), s1 * d1 + s2 * d2
    most = -_CORNER * _dot(along, along)
    _cross(inward, normal, along)
    over = _dot(way, inward) < most
    _cross(inward, along, beyond)
    return abs(t - 0.5) <= 0.5 + _BESIDE and over and _dot(way, inward) < most, xi, eta


@compiled
def _width(n_corners: int) -> float:
    """Return how wide a facet is in its local coordinates."""
    return 1.0 if n_corners == 3 else 2.0


@compiled(reorder=False)
def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


@compiled(reorder=False)
def _across(found: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Write the unit vector along a × b."""
    _cross(found, a, b)
    length = np.sqrt(_dot(found, found))
    for i in range(3):
        found[i] /= length


@compiled(reorder=False)
def _cross(found: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Write a × b."""
    found[0], found[1], found[2] = (
        a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
    )  # fmt: skip


@compiled(reorder=False)
def _monomials(mono: np.ndarray, first: np.ndarray, second: np.ndarray, xi: float, eta: float) -> None:
    """Write the monomials (8,) at a point, with their first (2, 8) and second (3, 8) derivatives: ξξ, ξη, ηη."""
    for i in range(8):
        p, q = _EXPONENTS[i, 0], _EXPONENTS[i, 1]
        mono[i] = xi**p * eta**q
        first[0, i] = p * xi ** max(p - 1, 0) * eta**q
        first[1, i] = q * xi**p * eta ** max(q - 1, 0)
        second[0, i] = p * (p - 1) * xi ** max(p - 2, 0) * eta**q
        second[1, i] = p * q * xi ** max(p - 1, 0) * eta ** max(q - 1, 0)
        second[2, i] = q * (q - 1) * xi**p * eta ** max(q - 2, 0)
