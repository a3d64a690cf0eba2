"""Quality of solid elements: scaled Jacobians at their corners, and whether they are inverted."""

from collections.abc import Callable

import numpy as np

from faying.fem import element_topology as topology
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import ElementBlock, FeModel
from faying.fem.solid_element import SolidElement

_Measure = Callable[[FeModel, ElementBlock, type[SolidElement]], np.ndarray]

# By number of corners: edges, local corners, and the factor that normalises the ideal element's Jacobian to one.
_SHAPES = {
    4: (topology.TETRAHEDRON_EDGES, topology.TETRAHEDRON_CORNERS, np.sqrt(2.0)),
    5: (topology.PYRAMID_EDGES, topology.PYRAMID_CORNERS, np.sqrt(2.0)),
    6: (topology.WEDGE_EDGES, topology.WEDGE_CORNERS, 2.0 / np.sqrt(3.0)),
    8: (topology.HEXAHEDRON_EDGES, topology.HEXAHEDRON_CORNERS, 1.0),
}


def element_quality(model: FeModel) -> np.ndarray:
    """Return (n_elements,) the smallest scaled Jacobian of each solid element's corners; NaN for other elements.

    It is 1 for ideal elements such as regular tetrahedra and cubes, small for flat and needle-like elements, and
    negative for inverted elements (Knupp 2000: the determinant of the three edges that meet in a corner, divided by
    their lengths).

    Args:
        model: the body's model.
    """
    return _per_element(model, _corner_quality)


def smallest_jacobians(model: FeModel) -> np.ndarray:
    """Return (n_elements,) the smallest Jacobian determinant at corners and integration points; NaN for non-solids."""
    return _per_element(model, _smallest_jacobian)


def jacobians_at_faces(model: FeModel, elements: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Return (n,) the Jacobian determinant in the middle of faces of solid elements; NaN for other elements.

    Args:
        model: the body's model.
        elements, faces: (n,) running positions of elements, and face numbers from 0.
    """
    values = np.full(len(elements), np.nan)
    for start, block in zip(model.block_starts, model.blocks, strict=False):
        kind = element_kinds[block.element]
        if not issubclass(kind, SolidElement):
            continue
        for face, (positions, facet) in enumerate(zip(kind.faces, kind.facets, strict=True)):
            own = np.flatnonzero((elements >= start) & (elements < start + len(block.ids)) & (faces == face))
            shape = facet_kind(facet)
            middle = shape.shape(*shape.centre) @ kind.polynomials.nodes[list(positions)]
            x = model.nodes[block.connectivity[elements[own] - start]]
            values[own] = _determinants(x, kind.polynomials.derivatives(middle))
    return values


def element_sizes(model: FeModel) -> np.ndarray:
    """Return (n_elements,) the mean length of each solid element's edges; NaN for other elements."""
    return _per_element(model, _mean_edge)


def _per_element(model: FeModel, measure: _Measure) -> np.ndarray:
    values = [np.zeros(0)]
    for block in model.blocks:
        kind = element_kinds[block.element]
        nothing = np.full(len(block.ids), np.nan)
        values.append(measure(model, block, kind) if issubclass(kind, SolidElement) else nothing)
    return np.concatenate(values)


def _shape(kind: type[SolidElement]) -> tuple[tuple[tuple[int, int], ...], np.ndarray, float]:
    corners = {corner for face, facet in zip(kind.faces, kind.facets, strict=True)
               for corner in face[: 3 if facet.startswith("tri") else 4]}  # fmt: skip
    return _SHAPES[len(corners)]


def _corner_quality(model: FeModel, block: ElementBlock, kind: type[SolidElement]) -> np.ndarray:
    edges, local, ideal = _shape(kind)
    quality = np.full(len(block.ids), np.inf)
    for corner in range(len(local)):
        ends = [b if a == corner else a for a, b in edges if corner in (a, b)]
        if len(ends) != 3:
            continue  # the tip of a pyramid
        if np.linalg.det(local[ends] - local[corner]) < 0.0:
            ends[1:] = ends[:0:-1]
        arms = model.nodes[block.connectivity[:, ends]] - model.nodes[block.connectivity[:, [corner]]]
        lengths = np.linalg.norm(arms, axis=2).prod(axis=1)
        volumes = np.einsum("ni,ni->n", arms[:, 0], np.cross(arms[:, 1], arms[:, 2]))
        quality = np.minimum(quality, ideal * volumes / np.where(lengths > 0.0, lengths, np.inf))
    return np.asarray(np.minimum(quality, 1.0))


def _smallest_jacobian(model: FeModel, block: ElementBlock, kind: type[SolidElement]) -> np.ndarray:
    points = np.concatenate([kind.stiffness_rule.points, _shape(kind)[1]])
    smallest = np.full(len(block.ids), np.inf)
    x = model.nodes[block.connectivity]
    # Shape functions of a pyramid are not differentiable at its apex.
    for derivatives in kind.polynomials.derivatives(points[: -1 if len(_shape(kind)[1]) == 5 else None]):
        smallest = np.minimum(smallest, _determinants(x, derivatives))
    return smallest


def _determinants(x: np.ndarray, derivatives: np.ndarray) -> np.ndarray:
    """Return (n,) Jacobian determinants of elements with nodes (n, k, 3) for shape function derivatives (k, 3)."""
    a, b, c = np.einsum("nki,kd->dni", x, derivatives)
    return np.asarray(np.einsum("ni,ni->n", a, np.cross(b, c)))


def _mean_edge(model: FeModel, block: ElementBlock, kind: type[SolidElement]) -> np.ndarray:
    first, second = np.array(_shape(kind)[0]).T
    ends = model.nodes[block.connectivity[:, first]] - model.nodes[block.connectivity[:, second]]
    return np.asarray(np.linalg.norm(ends, axis=2).mean(axis=1))
