"""Quadrature rules on reference lines, triangles, hexahedra, wedges and tetrahedra; all weights are positive."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np


@dataclass(frozen=True)
class QuadratureRule:
    """Points (q, d) in local coordinates and weights (q,); the weights sum to the reference volume."""

    points: np.ndarray
    weights: np.ndarray


def gauss_line(count: int) -> QuadratureRule:
    """Return the Gauss rule with `count` points on [-1, 1], exact to degree 2 count - 1."""
    points, weights = np.polynomial.legendre.leggauss(count)
    return QuadratureRule(points[:, None], weights)


def gauss_square(count: int) -> QuadratureRule:
    """Return the product rule with count² points on [-1, 1]², exact to degree 2 count - 1 per direction."""
    x, w = np.polynomial.legendre.leggauss(count)
    points = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
    return QuadratureRule(points, np.outer(w, w).ravel())


def gauss_hexahedron(count: int) -> QuadratureRule:
    """Return the product rule with count³ points on [-1, 1]³, exact to degree 2 count - 1 per direction."""
    x, w = np.polynomial.legendre.leggauss(count)
    points = np.stack(np.meshgrid(x, x, x, indexing="ij"), axis=-1).reshape(-1, 3)
    return QuadratureRule(points, np.einsum("i,j,k->ijk", w, w, w).ravel())


def triangle_rule(degree: int) -> QuadratureRule:
    """Return a rule on the triangle (0, 0), (1, 0), (0, 1), exact to degree 1 (1 point), 2 (3) or 4 (6 points).

    The six points are two orbits (a, a, 1 - 2a) in area coordinates (Strang and Fix 1973).
    """
    if degree <= 1:
        return QuadratureRule(np.full((1, 2), 1.0 / 3.0), np.array([0.5]))
    if degree == 2:
        orbits = [(1.0 / 6.0, 1.0 / 3.0)]
    elif degree <= 4:
        orbits = [(0.445948490915965, 0.223381589678011), (0.091576213509771, 0.109951743655322)]
    else:
        raise ValueError(f"no triangle rule of degree {degree}")
    points, weights = [], []
    for a, weight in orbits:
        points += [(a, a), (1.0 - 2.0 * a, a), (a, 1.0 - 2.0 * a)]
        weights += [weight / 2.0] * 3
    return QuadratureRule(np.array(points), np.array(weights))


def wedge_rule(degree: int, count: int) -> QuadratureRule:
    """Return the product of the triangle rule of a degree and the Gauss rule with `count` points on [-1, 1]."""
    triangle, line = triangle_rule(degree), gauss_line(count)
    n, m = len(triangle.weights), len(line.weights)
    points = np.hstack([np.tile(triangle.points, (m, 1)), np.repeat(line.points, n, axis=0)])
    return QuadratureRule(points, np.outer(line.weights, triangle.weights).ravel())


def collapsed_rule(count: int) -> QuadratureRule:
    """Return the product Gauss rule on [-1, 1]² × [-1, 0], for pyramids in collapsed coordinates.

    Its weights sum to the box's volume; the element's Jacobian contains the square of the third coordinate, the factor
    by which a pyramid's section shrinks towards its apex.
    """
    rule = gauss_hexahedron(count)
    return QuadratureRule(rule.points * [1.0, 1.0, 0.5] - [0.0, 0.0, 0.5], rule.weights / 2.0)


def tetrahedron_rule(degree: int) -> QuadratureRule:
    """Return a rule on the reference tetrahedron, exact to degree 1 (1 point), 2 (4) or 5 (14 points).

    The 14 points are two orbits (a, a, a, 1 - 3a) and one orbit (b, b, 1/2 - b, 1/2 - b) in volume
    coordinates (Walkington 2000); their six parameters solve the moment equations, as a test verifies.
    """
    if degree <= 1:
        orbits = [((0.25, 0.25, 0.25, 0.25), 1.0)]
    elif degree == 2:
        a = (5.0 - np.sqrt(5.0)) / 20.0
        orbits = [((a, a, a, 1.0 - 3.0 * a), 0.25)]
    elif degree <= 5:
        a, b, c = 0.3108859192633006, 0.09273525031089123, 0.04550370412564965
        orbits = [
            ((a, a, a, 1.0 - 3.0 * a), 0.11268792571801585),
            ((b, b, b, 1.0 - 3.0 * b), 0.07349304311636194),
            ((c, c, 0.5 - c, 0.5 - c), 0.04254602077708147),
        ]
    else:
        raise ValueError(f"no tetrahedron rule of degree {degree}")
    points, weights = [], []
    for volume_coordinates, weight in orbits:
        images = sorted(set(permutations(volume_coordinates)))
        points += [image[1:] for image in images]
        weights += [weight / 6.0] * len(images)
    return QuadratureRule(np.array(points), np.array(weights))
