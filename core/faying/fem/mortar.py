"""Mortar coupling weights: nodes of a surface follow another surface with a different mesh, in the mean over facets.

The displacements of the two surfaces agree weakly, ∫ ψ (u_s − u_m) dA = 0, with multipliers ψ that are dual to the
shape functions of the slave surface, ∫ ψ_j N_k dA = δ_jk ∫ N_k dA (Wohlmuth 2000, SIAM J. Numer. Anal. 38(3)). So each
slave node depends only on nearby masters, and constant stress as well as rigid and linear motion are transferred
exactly. Shape functions at the corners of quadratic facets have integrals of zero or less; they are first mixed with
those at midside nodes (Popp, Wohlmuth, Gee and Wall 2012, SIAM J. Sci. Comput. 34(4), B421).
"""

from functools import cache

import numpy as np
import scipy.sparse as sp

from faying.fem.facet_index import FacetIndex
from faying.fem.facets import FacetKind, facet_kind
from faying.fem.projection import project_points
from faying.fem.quadrature import QuadratureRule, gauss_square, triangle_rule
from faying.fem.surface import Surface
from faying.progress import Progress

# Integration cells per direction of a facet; a facet coarser than the master's facets has that many for each of these,
# since the master's shape functions have kinks at facet edges.
_PARTS, _MOST_PARTS = 3, 15
_MIXED = 0.2  # share of midside functions mixed into corner functions of quadratic facets


def mortar_shares(
    nodes: np.ndarray,
    slave: Surface,
    usable: np.ndarray,
    index: FacetIndex,
    distance: float,
    progress: Progress | None = None,
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Return CSR (n_nodes, n_nodes) weights of master nodes for slave nodes, and (n_nodes,) a mask of the slave nodes.

    Only facets all of whose integration points have a projection on the master surface are coupled.

    Args:
        nodes: (n_nodes, 3) coordinates of the model's nodes.
        slave: the slave surface.
        usable: (n_nodes,) mask of nodes that may be coupled.
        index: facets of the master surface.
        distance: largest distance between a point of the slave surface and the master surface.
        progress: reports and cancels.
    """
    n = len(nodes)
    integrals, across, mixing = np.zeros(n), [], []
    for block in slave.blocks:
        kind, rule = facet_kind(block.facet), _rule(block.facet, _parts(nodes[block.connectivity], index))
        facets = block.connectivity[usable[block.connectivity].all(axis=1)]
        shapes = kind.shape(*rule.points.T)
        places = np.einsum("qk,fkx->fqx", shapes, nodes[facets])
        flat = places.reshape(-1, 3)
        if not len(flat):
            continue
        found = project_points(flat, np.zeros_like(flat), index, distance, 90.0, progress=progress)
        over = (found.facets.reshape(places.shape[:2]) >= 0).all(axis=1)
        facets = facets[over]
        if not len(facets):
            continue
        numbers = found.facets.reshape(places.shape[:2])[over].ravel()
        local = found.local.reshape(*places.shape[:2], 2)[over].reshape(-1, 2)
        areas = _areas(kind, rule, nodes[facets])
        # Dual functions of each facet: ψ = D M⁻¹ N, D = ∫ N, M = ∫ N Nᵀ.
        mixed = shapes @ _mixing(kind)
        lumped = areas @ mixed
        masses = np.einsum("fq,qj,qk->fjk", areas, mixed, mixed)
        duals = lumped[:, :, None] * np.linalg.solve(
            masses, np.broadcast_to(mixed.T, (len(facets), *mixed.T.shape))
        )
        weights = (duals * areas[:, None, :]).transpose(0, 2, 1).reshape(-1, kind.n_nodes)
        np.add.at(integrals, facets, lumped)
        of_points = np.repeat(facets, len(rule.weights), axis=0)
        for b, at, rows in index.blocks_of(numbers):
            values = index.kinds[b].shape(*local[at].T)
            masters = index.connectivity[b][rows]
            product = weights[at][:, :, None] * values[:, None, :]
            left = np.broadcast_to(of_points[at][:, :, None], product.shape)
            right = np.broadcast_to(masters[:, None, :], product.shape)
            across.append(sp.csr_matrix((product.ravel(), (left.ravel(), right.ravel())), shape=(n, n)))
        for edge in kind.edges:
            if len(edge) == 3:
                mixing.append(facets[:, edge])
    following = integrals > 0.0
    if not across:
        return sp.csr_matrix((n, n)), following
    shares = sp.diags(np.divide(1.0, integrals, out=np.zeros(n), where=following)) @ sum(
        across[1:], across[0]
    )
    if mixing:
        # Back from mixed to nodal motions: u_mid = (1 − 2 α) ũ_mid + α (ũ_1 + ũ_2).
        first, second, middle = np.unique(np.concatenate(mixing), axis=0).T
        middle, at = np.unique(middle, return_index=True)
        first, second = first[at], second[at]
        own = np.ones(n)
        own[middle] = 1.0 - 2.0 * _MIXED
        rows, columns = np.concatenate([middle, middle]), np.concatenate([first, second])
        more = sp.csr_matrix((np.full(len(rows), _MIXED), (rows, columns)), shape=(n, n))
        shares = (sp.diags(own) + more) @ shares
    return sp.csr_matrix(shares), following


def _areas(kind: FacetKind, rule: QuadratureRule, coordinates: np.ndarray) -> np.ndarray:
    """Return (n, q) the areas of the integration points of facets."""
    columns = [
        weight * np.linalg.norm(kind.normals(coordinates, xi, eta), axis=1)
        for (xi, eta), weight in zip(rule.points, rule.weights, strict=True)
    ]
    return np.stack(columns, axis=1)


def _mixing(kind: FacetKind) -> np.ndarray:
    """Return (k, k) T for mixed functions N T: corner functions receive a share of those at midside nodes."""
    mixing = np.eye(kind.n_nodes)
    for edge in kind.edges:
        if len(edge) == 3:
            mixing[edge[2], edge[2]] = 1.0 - 2.0 * _MIXED
            mixing[edge[2], list(edge[:2])] = _MIXED
    return mixing


def _parts(coordinates: np.ndarray, index: FacetIndex) -> int:
    """Return the number of integration cells per direction for facets (n, k, 3)."""
    edges = np.linalg.norm(coordinates[:, 0] - coordinates[:, 1], axis=1)
    coarser = float(edges.mean()) / index.mean_edge if len(edges) else 1.0
    return int(np.clip(np.ceil(_PARTS * coarser), _PARTS, _MOST_PARTS))


@cache
def _rule(facet: str, n: int) -> QuadratureRule:
    """Return a rule on n × n cells of a facet: 2 × 2 Gauss points per quadrilateral cell, 3 points per triangle."""
    kind = facet_kind(facet)
    if kind.n_corners == 4:
        inner = gauss_square(2)
        corners = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 1, 2)
        points = -1.0 + (2.0 * corners + 1.0 + inner.points) / n
        return QuadratureRule(points.reshape(-1, 2), np.tile(inner.weights / n**2, n * n))
    inner, points = triangle_rule(2), []
    for i in range(n):
        for j in range(n - i):
            points.append((np.array([i, j]) + inner.points) / n)
            if i + j < n - 1:  # the inverted triangle
                points.append((np.array([i + 1, j + 1]) - inner.points) / n)
    return QuadratureRule(np.concatenate(points), np.tile(inner.weights / n**2, n * n))
