"""Quadrature rules on reference lines, hexahedra and tetrahedra; all weights are positive."""

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


def gauss_hexahedron(count: int) -> QuadratureRule:
    """Return the product rule with count³ points on [-1, 1]³, exact to degree 2 count - 1 per direction."""
    x, w = np.polynomial.legendre.leggauss(count)
    points = np.stack(np.meshgrid(x, x, x, indexing="ij"), axis=-1).reshape(-1, 3)
    return QuadratureRule(points, np.einsum("i,j,k->ijk", w, w, w).ravel())


def tetrahedron_rule(degree: int) -> QuadratureRule:
    """Return a rule on the reference tetrahedron, exact to degree 1 (1 point), 2 (4) or 5 (14 points).

    The 14 points are two orbits (a, a, a, 1 - 3a) and one orbit (b, b, 1/2 - b, 1/2 - b) in volume
    coordinates (Walkington 2000); their six numbers solve the moment equations, which a test evaluates.
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
