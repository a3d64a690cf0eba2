"""Kinematic couplings in each node's own directions, solved for dependent global components."""

import numpy as np


def turned_entries(
    dofs: np.ndarray,
    reference: np.ndarray,
    arms: np.ndarray,
    directions: np.ndarray,
    chosen: list[int],
    turned: list[int],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (dependent dofs, dofs that they follow, coefficients), each (m,).

    A (u - u_ref - θ_ref × r) = 0, with the coupled directions as rows of A, is solved at each node for as many global
    components as A has rows; likewise for rotations.

    Args:
        dofs: (n, 6) displacements and rotations of the coupled nodes; negative where a node has no rotations.
        reference: (6,) dofs of the reference node.
        arms: (n, 3, 3) matrices R with R θ = θ × r for the arms r from the reference node.
        directions: (n, 3, 3) directions of each node, as rows.
        chosen: indices 0 to 2 of coupled displacements in these directions; `turned` likewise for rotations.
    """
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []

    def follow(own: np.ndarray, matrix: np.ndarray, others: np.ndarray, moved: np.ndarray) -> None:
        pivots, solved = solved_for_some(matrix)
        rest = np.setdiff1d(np.arange(3), pivots)
        for pivot, row in zip(pivots, solved, strict=True):
            rows.extend([own[pivot]] * (len(rest) + len(others)))
            columns.extend([*own[rest], *others])
            values.extend([*-row[rest], *row @ moved])

    for own, arm, axes in zip(dofs, arms, directions, strict=True):
        if chosen:
            follow(own[:3], axes[chosen], reference, np.hstack([np.eye(3), arm]))
        if turned and own[3] >= 0:
            follow(own[3:], axes[turned], reference[3:], np.eye(3))
    found = np.array(rows, np.int64), np.array(columns, np.int64), np.array(values, float)
    # The coefficient of the reference node's own component is one, so no dependent row is lost.
    keep = found[2] != 0.0
    return found[0][keep], found[1][keep], found[2][keep]


def solved_for_some(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (k,) columns and (k, 3) the rows reduced to the identity in these columns, for independent rows (k, 3).

    The columns are those with the largest determinant.
    """
    count = len(matrix)
    if count == 1:
        pivots = np.array([int(np.argmax(np.abs(matrix[0])))])
    elif count == 2:
        # The determinant of two columns is a component of the rows' cross product.
        pivots = np.delete(np.arange(3), int(np.argmax(np.abs(np.cross(matrix[0], matrix[1])))))
    else:
        pivots = np.arange(3)
    return pivots, np.linalg.solve(matrix[:, pivots], matrix)
