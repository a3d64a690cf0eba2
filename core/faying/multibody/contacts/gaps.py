"""Gaps between points and surfaces as functions of the points' places and of the surfaces' nodes."""

import numpy as np

from faying.records import record


@record("surface gaps")
class SurfaceGaps:
    """Gaps of some slave nodes in the master's frame, with their first and second derivatives.

    With x the slave node and x_j the master's nodes, w = δx − Σ N_j δx_j is how the node moves relative to its closest
    point. Then δg = n · w, and δ²g = Uᵀ H U with the rows U = (u₁ · w, u₂ · w, n · Σ N_j,₁ δx_j, n · Σ N_j,₂ δx_j).

    Attributes:
        slaves: (m,) numbers of the slave nodes.
        gaps: (m,) distance from the surface, negative inside.
        normals: (m, 3) unit vectors n, outward.
        nodes: (m, k) the master's nodes x_j, and their shares N_j, `shares` (m, k); (m, 0) for a rigid shape.
        slopes: (m, 2, k) shares N_j,α that describe how the surface tilts.
        directions: (m, 2, 3) u₁ and u₂.
        hessians: (m, 4, 4) H, symmetric.
        facets, local: (m,) and (m, 2) where the closest point is; −1 and 0 on a rigid shape.
    """

    slaves: np.ndarray
    gaps: np.ndarray
    normals: np.ndarray
    nodes: np.ndarray
    shares: np.ndarray
    slopes: np.ndarray
    directions: np.ndarray
    hessians: np.ndarray
    facets: np.ndarray
    local: np.ndarray

    def of(self, chosen: np.ndarray) -> "SurfaceGaps":
        """Return some of them, by numbers or by a mask."""
        return SurfaceGaps(*(value[chosen] for value in vars(self).values()))


def gaps_over_faces(
    slaves: np.ndarray,
    points: np.ndarray,
    nodes: np.ndarray,
    places: np.ndarray,
    functions: tuple[np.ndarray, np.ndarray, np.ndarray],
    where: tuple[np.ndarray, np.ndarray],
) -> SurfaceGaps:
    """Return the gaps of points whose projections lie inside of facets (Wriggers 2006, section 4.1 and chapter 6).

    Args:
        slaves: (m,) numbers of the points.
        points: (m, 3).
        nodes, places: (m, k) and (m, k, 3) nodes of the facets.
        functions: shape functions (m, k) and their first (m, k, 2) and second (m, k, 2, 2) derivatives there.
        where: facet numbers (m,) and local coordinates (m, 2).
    """
    shares, first, second = functions
    tangents = np.einsum("mka,mkc->mac", first, places)
    normals = np.cross(tangents[:, 0], tangents[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    gaps = np.einsum("mc,mc->m", normals, points - np.einsum("mk,mkc->mc", shares, places))
    # Metric m, curvature h = n · X,αβ, and A = m − g h, with which the projection moves: A δξ = u · w + g c.
    metric = np.einsum("mac,mbc->mab", tangents, tangents)
    curvature = np.einsum("mkab,mkc,mc->mab", second, places, normals)
    moving = np.linalg.inv(metric - gaps[:, None, None] * curvature)
    hessians = np.empty((len(points), 4, 4))
    hessians[:, :2, :2] = -np.linalg.solve(metric, curvature @ moving)
    hessians[:, :2, 2:] = -moving
    hessians[:, 2:, :2] = -moving
    hessians[:, 2:, 2:] = -gaps[:, None, None] * moving
    slopes = np.moveaxis(first, 2, 1)
    return SurfaceGaps(slaves, gaps, normals, nodes, shares, slopes, tangents, hessians, *where)


def gaps_over_edges(
    slaves: np.ndarray,
    points: np.ndarray,
    nodes: np.ndarray,
    places: np.ndarray,
    functions: tuple[np.ndarray, np.ndarray, np.ndarray],
    where: tuple[np.ndarray, np.ndarray],
    sides: np.ndarray,
) -> SurfaceGaps:
    """Return the gaps of points whose closest points lie on edges of facets, or at their corners.

    Args:
        slaves, points, nodes, places, where: as in `gaps_over_faces`.
        functions: shape functions (m, k), their first (m, k) and second (m, k) derivatives along the edges; both are
            zero at a corner, where the closest point stays.
        sides: (m,) 1 where a point is outside, −1 inside.
    """
    shares, first, second = functions
    ways = points - np.einsum("mk,mkc->mc", shares, places)
    lengths = np.linalg.norm(ways, axis=1)
    gaps = sides * lengths
    normals = ways / np.where(gaps != 0.0, gaps, 1.0)[:, None]
    tangents = np.einsum("mk,mkc->mc", first, places)
    metric = np.einsum("mc,mc->m", tangents, tangents)
    free = metric == 0.0
    # At a corner any two directions at right angles; on an edge its own and the one across.
    least = np.eye(3)[np.abs(normals).argmin(axis=1)]
    tangents = np.where(free[:, None], np.cross(normals, least), tangents)
    across = np.cross(normals, tangents)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    tangents[free] /= np.linalg.norm(tangents[free], axis=1, keepdims=True)
    curvature = np.einsum("mk,mkc,mc->m", second, places, normals)
    moving = 1.0 / np.where(free, 1.0, metric - gaps * curvature)
    bending = np.where(gaps != 0.0, 1.0 / np.where(gaps != 0.0, gaps, 1.0), 0.0)
    hessians = np.zeros((len(points), 4, 4))
    hessians[:, 0, 0] = np.where(free, bending, -curvature * moving / np.where(free, 1.0, metric))
    hessians[:, 1, 1] = bending
    hessians[:, 0, 2] = hessians[:, 2, 0] = np.where(free, 0.0, -moving)
    hessians[:, 2, 2] = np.where(free, 0.0, -gaps * moving)
    slopes = np.stack([first, np.zeros_like(first)], axis=1)
    directions = np.stack([tangents, across], axis=1)
    return SurfaceGaps(slaves, gaps, normals, nodes, shares, slopes, directions, hessians, *where)


def joined(parts: list[SurfaceGaps], width: int) -> SurfaceGaps:
    """Return gaps one after the other, as if all facets had so many nodes; shares of those added are zero."""
    wide = []
    for part in parts:
        more = width - part.nodes.shape[1]
        if not more:
            wide.append(part)
            continue
        beside = [(0, 0), (0, more)]
        wide.append(
            SurfaceGaps(
                part.slaves, part.gaps, part.normals, np.pad(part.nodes, beside), np.pad(part.shares, beside),
                np.pad(part.slopes, [(0, 0), *beside]), part.directions, part.hessians, part.facets, part.local,
            )
        )  # fmt: skip
    return SurfaceGaps(
        *(np.concatenate(values) for values in zip(*(vars(p).values() for p in wide), strict=True))
    )


def no_gaps(width: int) -> SurfaceGaps:
    """Return no gaps, of a surface whose facets have so many nodes."""
    none, rows = np.zeros(0), np.zeros(0, np.int64)
    return SurfaceGaps(
        rows, none, np.zeros((0, 3)), np.zeros((0, width), np.int64), np.zeros((0, width)), np.zeros((0, 2, width)),
        np.zeros((0, 2, 3)), np.zeros((0, 4, 4)), rows, np.zeros((0, 2)),
    )  # fmt: skip
