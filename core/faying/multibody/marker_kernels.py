"""Arithmetic of markers, as kernels (`faying.compiled`).

A part's mass, forces and markers are dozens of products of tiny matrices: a double pendulum spent nine tenths of its
time with the overhead of NumPy.

Notation of `faying.multibody.inertia`.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.small_matrices import (
    add,
    cross,
    frame,
    moment_change,
    product,
    products,
    skew,
    small_rotation,
    tangent_change,
    transposed,
    transposed_products,
)


@compiled
def marker(
    q: np.ndarray, v: np.ndarray, place: np.ndarray, displacements: np.ndarray, rotations: np.ndarray,
    axes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Return what `MarkerMotion` holds, in its order; see `faying.multibody.parts.markers.NodeMarker`.

    Args:
        q, v: (n,) coordinates and velocities of the part.
        place: x (3,).
        displacements, rotations: Φ_t and Φ_r (3, r); (3, 0) where the marker does not move in the frame.
        axes: A₀ (3, 3).
    """
    n = len(q)
    turn, rates = frame(q[3:7])
    d_position, d_rotation = np.zeros((3, n)), np.zeros((3, n))
    d_rotation[:, 3:7] = products(turn, rates)
    there, own = np.zeros(3) + place, np.zeros((3, 3)) + axes
    if displacements.shape[1]:
        there += product(displacements, q[7:])
        d_position[:, 7:] = products(turn, displacements)
    if rotations.shape[1]:
        theta = product(rotations, q[7:])
        local, tangent = small_rotation(theta)
        own = products(local, own)
        d_rotation[:, 7:] = products(turn, products(tangent, rotations))
    for j in range(4):
        d_position[:, 3 + j] = product(turn, cross(rates[:, j], there))
    for i in range(3):
        d_position[i, i] = 1.0
    position, velocity, spin = q[:3] + product(turn, there), product(d_position, v), product(d_rotation, v)
    return position, products(turn, own), d_position, d_rotation, velocity, spin


@compiled
def carry(
    rows: np.ndarray,
    first: int,
    d_position: np.ndarray,
    d_rotation: np.ndarray,
    target: np.ndarray,
    start: int,
) -> None:
    """Add rows over one marker's virtual motions to rows over all coordinates.

    Args:
        rows: (k, 6 m) over the virtual motions of m markers.
        first: column where those of this marker begin.
        d_position, d_rotation: (3, n) of this marker over its part's coordinates.
        target: (k, N) over all coordinates; added to.
        start: column where those of the part begin.
    """
    for k in range(rows.shape[0]):
        for c in range(3):
            push, turn = rows[k, first + c], rows[k, first + 3 + c]
            for j in range(d_position.shape[1]):
                target[k, start + j] += push * d_position[c, j] + turn * d_rotation[c, j]


@compiled
def add_curvature(
    matrix: np.ndarray, at: int, q: np.ndarray, place: np.ndarray, displacements: np.ndarray,
    rotations: np.ndarray, force: np.ndarray, moment: np.ndarray,
) -> None:  # fmt: skip
    """Add the change of the generalised force of a constant force and moment at a marker to a matrix.

    Args:
        matrix: of all coordinates; added to from row and column `at` on.
        at: where the coordinates of the marker's part begin.
        q: (n,) those coordinates.
        place, displacements, rotations: as `marker` takes them.
        force, moment: (3,) in the inertial frame.
    """
    p, flexible = q[3:7], q[7:]
    turn, rates = frame(p)
    f, m, there = transposed(turn, force), transposed(turn, moment), place.copy()
    pull = skew(f)
    if displacements.shape[1]:
        there += product(displacements, flexible)
        add(matrix, at + 3, at + 7, -1.0, transposed_products(rates, products(pull, displacements)))
        add(matrix, at + 7, at + 3, 1.0, transposed_products(displacements, products(pull, rates)))
    if rotations.shape[1]:
        theta = product(rotations, flexible)
        carried = transposed_products(small_rotation(theta)[1], products(skew(m), rates))
        add(matrix, at + 7, at + 3, 1.0, transposed_products(rotations, carried))
        by_theta = products(tangent_change(theta, m), rotations)
        add(matrix, at + 7, at + 7, 1.0, transposed_products(rotations, by_theta))
    by_turn = products(skew(there), pull)
    add(by_turn, 0, 0, 1.0, skew(m))
    add(matrix, at + 3, at + 3, 1.0, transposed_products(rates, products(by_turn, rates)))
    add(matrix, at + 3, at + 3, 1.0, moment_change(p, cross(there, f) + m))
