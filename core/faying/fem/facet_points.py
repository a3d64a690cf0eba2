"""Points on the facets of a surface, such as the integration points of its facets."""

from functools import cache
from typing import Any

import numpy as np

from faying.fem.facets import facet_kind
from faying.fem.quadrature import QuadratureRule, gauss_square, triangle_rule
from faying.fem.surface import Surface
from faying.records import record


@record("facet_points", read_only=True)
class FacetPoints:
    """Points on facets, each by the shape functions of its facet.

    Attributes:
        facets: (n,) facet numbers of the surface.
        local_coordinates: (n, 2) isoparametric coordinates.
        nodes: (n, k) node rows of the facet, padded with its first node.
        shape_values: (n, k) shape functions at the point, zero for padding; each row sums to one.
        nearness: (n, k) weight of each node at the point, never negative, 1 at the node itself: the linear shape
            functions for corners, the quadratic ones for midside nodes.
    """

    facets: np.ndarray
    local_coordinates: np.ndarray
    nodes: np.ndarray
    shape_values: np.ndarray
    nearness: np.ndarray

    def __len__(self) -> int:
        return len(self.facets)

    def of(self, values: Any) -> np.ndarray:
        """Return (n, …) nodal values (n_nodes, …) interpolated at the points."""
        return np.asarray(np.einsum("nk,nk...->n...", self.shape_values, values[self.nodes]))

    def part(self, rows: np.ndarray) -> "FacetPoints":
        """Return some of the points, by row or by a mask."""
        return FacetPoints(
            self.facets[rows], self.local_coordinates[rows], self.nodes[rows], self.shape_values[rows],
            self.nearness[rows],
        )  # fmt: skip


@cache
def facet_rule(facet: str) -> QuadratureRule:
    """Return the quadrature points and weights for contact on a facet of this kind.

    2 × 2 and 3 × 3 Gauss points on linear and quadratic quadrilaterals, 3 and 6 points on linear and quadratic
    triangles. On flat facets with straight edges they integrate forces and moments of a linear pressure exactly; on
    triangles and parallelograms also products of two shape functions, so that no pattern of nodal gaps is invisible.
    Fewer points on quadratic facets (2 × 2, 3) let nodes penetrate: contact in a lap joint was 9 % too soft on a coarse
    mesh instead of 1 %.
    """
    kind = facet_kind(facet)
    is_linear = kind.n_nodes == kind.n_corners
    if kind.n_corners == 4:
        return gauss_square(2 if is_linear else 3)
    return triangle_rule(2 if is_linear else 4)


def integration_points(
    surface: Surface, nodes: np.ndarray
) -> tuple[FacetPoints, np.ndarray, np.ndarray, np.ndarray]:
    """Return the integration points of a surface's facets, their places, areas and normals.

    The area of a point is its weight times the Jacobian of its facet there. Points of facets without area are omitted.

    Args:
        surface: its facets.
        nodes: (m, 3) coordinates of the model's nodes.

    Returns:
        The points, facet by facet, their (n, 3) positions, (n,) areas and (n, 3) unit normals.
    """
    width = max((facet_kind(b.facet).n_nodes for b in surface.blocks), default=1)
    facets, local, rows, shapes, near, vectors = [], [], [], [], [], []
    first = 0
    for block in surface.blocks:
        kind, rule = facet_kind(block.facet), facet_rule(block.facet)
        n, q = len(block.connectivity), len(rule.weights)
        facets.append(np.repeat(np.arange(first, first + n), q))
        local.append(np.tile(rule.points, (n, 1)))
        filled = np.repeat(block.connectivity[:, :1], width, axis=1)
        filled[:, : kind.n_nodes] = block.connectivity
        rows.append(np.repeat(filled, q, axis=0))
        shape = np.zeros((q, width))
        shape[:, : kind.n_nodes] = kind.shape(*rule.points.T)
        shapes.append(np.tile(shape, (n, 1)))
        nearness, corners = shape.copy(), kind.n_corners
        nearness[:, :corners] = facet_kind("tri3" if corners == 3 else "quad4").shape(*rule.points.T)
        near.append(np.tile(nearness, (n, 1)))
        # The normal ∂X/∂ξ × ∂X/∂η has the length of the area element.
        normals = [
            weight * kind.normals(nodes[block.connectivity], xi, eta)
            for (xi, eta), weight in zip(rule.points, rule.weights, strict=True)
        ]
        vectors.append(np.stack(normals, axis=1).reshape(-1, 3))
        first += n
    vector = np.concatenate(vectors)
    area = np.linalg.norm(vector, axis=1)
    points = FacetPoints(*(np.concatenate(part) for part in (facets, local, rows, shapes, near)))
    there = area > 0.0
    points = points.part(there)
    return points, points.of(nodes), area[there], vector[there] / area[there, None]
