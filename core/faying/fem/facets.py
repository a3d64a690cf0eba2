"""Facet kinds: shape functions of triangles and quadrilaterals on surfaces.

Node order: corners counter-clockwise seen from outside, then the midside nodes of the edges 1-2, 2-3, ….
Local coordinates: triangles (ξ, η) with corners (0,0), (1,0), (0,1); quadrilaterals in [-1, 1]².
"""

import numpy as np

from faying.errors import ModelError
from faying.fem.polynomials import NodalPolynomials


class FacetKind:
    """One facet shape; has no state.

    Attributes:
        name: "tri3", "tri6", "quad4" or "quad8".
        n_nodes, n_corners: numbers of nodes and of corners.
        node_coordinates: (k, 2) local coordinates of the nodes.
        centre: (2,) local coordinates of the middle.
        edges: local node positions of each edge: both ends, then the midside node if there is one.
        vtk_type, vtk_order: VTK's cell type number, and the positions of VTK's nodes in our order.
        triangles: (m, 3) node positions of flat triangles that cover the facet once, through all its
            nodes; for drawing.
        polynomials: the shape functions.
    """

    def __init__(
        self,
        name: str,
        vtk_type: int,
        nodes: list[tuple[float, float]],
        exponents: list[tuple[int, int]],
        triangles: list[tuple[int, int, int]],
        mirrored: list[tuple[int, int, int]],
    ) -> None:
        self.name, self.vtk_type = name, vtk_type
        self.node_coordinates = np.array(nodes)
        self.n_nodes = len(nodes)
        self.n_corners = 3 if name.startswith("tri") else 4
        self.vtk_order = tuple(range(self.n_nodes))
        n = self.n_corners
        self.edges = tuple(
            (i, (i + 1) % n) if self.n_nodes == n else (i, (i + 1) % n, n + i) for i in range(n)
        )
        self.centre = self.node_coordinates[:n].mean(axis=0)
        self.triangles = np.array(triangles)
        # Two mirrored cuts at half weight keep the lumped areas of a quadrilateral symmetric.
        self._area_triangles = np.array(triangles + mirrored) if mirrored else self.triangles
        self._area_share = 0.5 if mirrored else 1.0
        self.polynomials = NodalPolynomials(np.array(exponents), self.node_coordinates, 4)

    def __repr__(self) -> str:
        return f"facet_kind({self.name!r})"

    def shape(self, xi: np.ndarray, eta: np.ndarray) -> np.ndarray:
        """Return (…, k) shape functions at local coordinates of shape (…)."""
        return self.polynomials.values(_points(xi, eta))

    def shape_derivatives(self, xi: np.ndarray, eta: np.ndarray) -> np.ndarray:
        """Return (…, k, 2) derivatives of the shape functions along ξ and η."""
        return self.polynomials.derivatives(_points(xi, eta))

    def shape_second_derivatives(self, xi: np.ndarray, eta: np.ndarray) -> np.ndarray:
        """Return (…, k, 2, 2) second derivatives of the shape functions; zero on tri3."""
        return self.polynomials.second_derivatives(_points(xi, eta))

    def is_inside(self, xi: np.ndarray, eta: np.ndarray, tolerance: float = 0.0) -> np.ndarray:
        """Return (…) whether points lie in the facet, enlarged by a tolerance in local coordinates."""
        if self.n_corners == 3:
            inside: np.ndarray = (xi >= -tolerance) & (eta >= -tolerance) & (xi + eta <= 1.0 + tolerance)
        else:
            inside = (np.abs(xi) <= 1.0 + tolerance) & (np.abs(eta) <= 1.0 + tolerance)
        return inside

    def clamp(self, xi: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return ξ and η (n,) of the nearest points in the facet, measured in local coordinates."""
        if self.n_corners == 4:
            return np.clip(xi, -1.0, 1.0), np.clip(eta, -1.0, 1.0)
        # Beyond the hypotenuse: project onto it, then clamp between its corners.
        beyond = np.maximum((np.asarray(xi) + eta - 1.0) / 2.0, 0.0)
        clamped_xi = np.clip(xi - beyond, 0.0, 1.0)
        clamped_eta = np.where(beyond > 0.0, 1.0 - clamped_xi, np.clip(eta, 0.0, 1.0))
        return clamped_xi, clamped_eta

    def normals(self, coordinates: np.ndarray, xi: np.ndarray, eta: np.ndarray) -> np.ndarray:
        """Return (n, 3) normals ∂X/∂ξ × ∂X/∂η, not normalised, at one point of each facet.

        Args:
            coordinates: (n, k, 3) of the facets' nodes.
            xi, eta: (n,) local coordinates, or one number for all facets.
        """
        xi, eta = np.broadcast_arrays(np.asarray(xi, float), np.asarray(eta, float))
        derivatives = np.broadcast_to(self.shape_derivatives(xi, eta), (len(coordinates), self.n_nodes, 2))
        tangents = np.einsum("nkd,nkx->ndx", derivatives, coordinates)
        return np.cross(tangents[:, 0], tangents[:, 1])

    def lumped_areas(self, coordinates: np.ndarray) -> np.ndarray:
        """Return (n, k) the area lumped to each node of each facet.

        The facet is divided into flat triangles through all its nodes (four for tri6: three corner-mid-mid and one
        mid-mid-mid), and a third of each triangle's area goes to each of its nodes. Unlike consistent weights, all
        areas are positive; they sum to the area of the triangulated facet.

        Args:
            coordinates: (n, k, 3) of the facets' nodes.
        """
        corners = np.asarray(coordinates)[:, self._area_triangles]
        first, second = corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0]
        areas = np.linalg.norm(np.cross(first, second), axis=-1) * (self._area_share / 2.0)
        lumped = np.zeros((len(corners), self.n_nodes))
        for column, triangle in enumerate(self._area_triangles):
            lumped[:, triangle] += areas[:, column, None] / 3.0
        return lumped


def facet_kind(name: str) -> FacetKind:
    """Return the facet kind of that name: "tri3", "tri6", "quad4" or "quad8".

    Raises:
        ModelError: when the name is unknown.
    """
    try:
        return _KINDS[name]
    except KeyError:
        raise ModelError(
            f"There is no facet kind called {name!r}.", f"Known are: {', '.join(_KINDS)}."
        ) from None


def _points(xi: np.ndarray, eta: np.ndarray) -> np.ndarray:
    return np.stack(np.broadcast_arrays(np.asarray(xi, float), np.asarray(eta, float)), axis=-1)


_TRIANGLE: list[tuple[float, float]] = [(0, 0), (1, 0), (0, 1)]
_SQUARE: list[tuple[float, float]] = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
_LINEAR = [(0, 0), (1, 0), (0, 1)]
_QUADRATIC = [*_LINEAR, (2, 0), (1, 1), (0, 2)]
_KINDS = {
    kind.name: kind
    for kind in (
        FacetKind("tri3", 5, _TRIANGLE, _LINEAR, [(0, 1, 2)], []),
        FacetKind(
            "tri6", 22, [*_TRIANGLE, (0.5, 0), (0.5, 0.5), (0, 0.5)], _QUADRATIC,
            [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)], [],
        ),
        FacetKind(
            "quad4", 9, _SQUARE, [*_LINEAR, (1, 1)], [(0, 1, 2), (0, 2, 3)], [(0, 1, 3), (1, 2, 3)]
        ),
        FacetKind(
            "quad8", 23, [*_SQUARE, (0, -1), (1, 0), (0, 1), (-1, 0)], [*_QUADRATIC, (2, 1), (1, 2)],
            [(0, 4, 7), (1, 5, 4), (2, 6, 5), (3, 7, 6), (4, 5, 6), (4, 6, 7)],
            [(0, 4, 7), (1, 5, 4), (2, 6, 5), (3, 7, 6), (4, 5, 7), (5, 6, 7)],
        ),
    )
}  # fmt: skip
facet_kinds: tuple[FacetKind, ...] = tuple(_KINDS.values())
"""All that there are."""
