"""The equations of many constraints at once, as kernels (`faying.compiled`).

Asking each constraint in Python costs more than all of the arithmetic: a slider-crank spent most of its time there.
Notation of `faying.multibody.terms`; markers are rows of a `faying.multibody.system_terms.MarkerTable`.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.marker_kernels import add_curvature
from faying.multibody.small_matrices import (
    add,
    cross,
    frame,
    inner,
    product,
    products,
    skew,
    small_rotation,
)
from faying.multibody.terms import ACROSS, ALONG, ANGLE


@compiled
def motions(
    q: np.ndarray, starts: np.ndarray, sizes: np.ndarray, places: np.ndarray, axes: np.ndarray,
    displacements: np.ndarray, rotations: np.ndarray, deforming: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Return of N markers position (N, 3), axes (N, 3, 3), and ∂position/∂q and δπ/δq (N, 3, 7 + r).

    Args:
        q: (n,) all coordinates.
        starts, sizes: (N,) where the coordinates of each marker's part begin, and how many they are; 0 for ground.
        places, axes: (N, 3) and (N, 3, 3) in the part's frame.
        displacements, rotations: (N, 3, r) Φ_t and Φ_r, zero beyond the part's own coordinates.
        deforming: (N, 2) whether each of the two is not zero.
    """
    count, width = len(starts), 7 + displacements.shape[2]
    position, own = places.copy(), axes.copy()
    d_position, d_rotation = np.zeros((count, 3, width)), np.zeros((count, 3, width))
    for m in range(count):
        if sizes[m] == 0:
            continue
        start, r = starts[m], sizes[m] - 7
        turn, rates = frame(q[start + 3 : start + 7])
        flexible = q[start + 7 : start + 7 + r]
        there = places[m].copy()
        d_rotation[m, :, 3:7] = products(turn, rates)
        if deforming[m, 0]:
            for i in range(3):
                for j in range(r):
                    there[i] += displacements[m, i, j] * flexible[j]
                    for k in range(3):
                        d_position[m, k, 7 + j] += turn[k, i] * displacements[m, i, j]
        if deforming[m, 1]:
            theta = np.zeros(3)
            for i in range(3):
                for j in range(r):
                    theta[i] += rotations[m, i, j] * flexible[j]
            local, tangent = small_rotation(theta)
            own[m] = products(local, axes[m])
            carried = products(turn, tangent)
            for i in range(3):
                for j in range(r):
                    for k in range(3):
                        d_rotation[m, k, 7 + j] += carried[k, i] * rotations[m, i, j]
        own[m] = products(turn, own[m])
        position[m] = q[start : start + 3] + product(turn, there)
        for j in range(4):
            d_position[m, :, 3 + j] = product(turn, cross(rates[:, j], there))
        for i in range(3):
            d_position[m, i, i] = 1.0
    return position, own, d_position, d_rotation


@compiled
def rows(
    terms: np.ndarray, pairs: np.ndarray, position: np.ndarray, axes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return values (k,) and rows (k, 12) over [δP_i, δπ_i, δP_j, δπ_j].

    Args:
        terms: (k, 3) kind, axis of marker i, axis of marker j.
        pairs: (k, 2) numbers of the markers i and j.
        position, axes: (N, 3) and (N, 3, 3) of the markers.
    """
    values, result = np.zeros(len(terms)), np.zeros((len(terms), 12))
    for k in range(len(terms)):
        i, j, kind = pairs[k, 0], pairs[k, 1], terms[k, 0]
        d = position[j] - position[i]
        a, b = axes[i][:, terms[k, 1]], axes[j][:, terms[k, 2]]
        row = result[k]
        if kind == ALONG:
            values[k] = a[0] * d[0] + a[1] * d[1] + a[2] * d[2]
            row[0:3], row[3:6], row[6:9] = -a, cross(a, d), a
        elif kind == ACROSS:
            values[k] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            turning = cross(a, b)
            row[3:6], row[9:12] = turning, -turning
        elif kind == ANGLE:
            cosine, sine, by_cosine, by_sine = _turn(axes[i], axes[j])
            square = max(cosine * cosine + sine * sine, 1e-300)
            values[k] = np.arctan2(sine, cosine)
            turning = (cosine * by_sine - sine * by_cosine) / square
            row[3:6], row[9:12] = turning, -turning
        else:  # LENGTH
            values[k] = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
            if values[k] > 0.0:
                row[0:3], row[6:9] = -d / values[k], d / values[k]
    return values, result


@compiled
def _turn(one: np.ndarray, other: np.ndarray) -> tuple[float, float, np.ndarray, np.ndarray]:
    """Return x_i · x_j, y_i · x_j, x_i × x_j and y_i × x_j: cosine and sine of the angle about z_i."""
    x, y, b = one[:, 0], one[:, 1], other[:, 0]
    cosine = x[0] * b[0] + x[1] * b[1] + x[2] * b[2]
    sine = y[0] * b[0] + y[1] * b[1] + y[2] * b[2]
    return cosine, sine, cross(x, b), cross(y, b)


@compiled
def carried(
    rows_of_terms: np.ndarray, pairs: np.ndarray, starts: np.ndarray, sizes: np.ndarray,
    d_position: np.ndarray, d_rotation: np.ndarray, target: np.ndarray, targets: np.ndarray,
) -> None:  # fmt: skip
    """Add rows (k, 12) over virtual motions to the rows `targets` (k,) of `target` (m, n) over all coordinates."""
    for k in range(len(pairs)):
        for side in range(2):
            marker, first = pairs[k, side], 6 * side
            start = starts[marker]
            for c in range(3):
                push, turn = rows_of_terms[k, first + c], rows_of_terms[k, first + 3 + c]
                for j in range(sizes[marker]):
                    target[targets[k], start + j] += (
                        push * d_position[marker, c, j] + turn * d_rotation[marker, c, j]
                    )


@compiled
def changes(
    terms: np.ndarray, pairs: np.ndarray, position: np.ndarray, axes: np.ndarray, multipliers: np.ndarray
) -> np.ndarray:  # fmt: skip
    """Return (k, 12, 12) the change of each term's row times its multiplier with virtual motions of its markers.

    An axis changes by δa = δπ × a, so that a × b changes by b̃ ã δπ_i − ã b̃ δπ_j.
    """
    result = np.zeros((len(terms), 12, 12))
    for k in range(len(terms)):
        i, j, kind, factor, change = pairs[k, 0], pairs[k, 1], terms[k, 0], multipliers[k], result[k]
        d = position[j] - position[i]
        a, b = axes[i][:, terms[k, 1]], axes[j][:, terms[k, 2]]
        if kind == ALONG:
            arm = factor * skew(a)
            change[0:3, 3:6], change[6:9, 3:6] = arm, -arm
            change[3:6, 0:3], change[3:6, 6:9] = -arm, arm
            change[3:6, 3:6] = products(skew(d), arm)
        elif kind == ACROSS:
            _add_across(change, a, b, factor)
        elif kind == ANGLE:
            cosine, sine, by_cosine, by_sine = _turn(axes[i], axes[j])
            square = max(cosine * cosine + sine * sine, 1e-300)
            x, y = axes[i][:, 0], axes[i][:, 1]
            _add_across(change, y, b, factor * cosine / square)
            _add_across(change, x, b, -factor * sine / square)
            # With d cos, d sin and the row alike up to sign on both sides.
            turning = (cosine * by_sine - sine * by_cosine) / square
            stretch = 2.0 * (cosine * by_cosine + sine * by_sine)
            for r in range(3):
                for c in range(3):
                    value = by_sine[r] * by_cosine[c] - by_cosine[r] * by_sine[c] - turning[r] * stretch[c]
                    value *= factor / square
                    change[3 + r, 3 + c] += value
                    change[9 + r, 9 + c] += value
                    change[3 + r, 9 + c] -= value
                    change[9 + r, 3 + c] -= value
        else:  # LENGTH
            size = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
            if size > 0.0:
                for r in range(3):
                    for c in range(3):
                        value = ((1.0 if r == c else 0.0) - d[r] * d[c] / (size * size)) * factor / size
                        change[r, c], change[6 + r, 6 + c] = value, value
                        change[r, 6 + c], change[6 + r, c] = -value, -value
    return result


@compiled
def _add_across(change: np.ndarray, a: np.ndarray, b: np.ndarray, factor: float) -> None:
    """Add the change (12, 12) of the row of a · b times a factor."""
    ba, ab = products(skew(b), skew(a)), products(skew(a), skew(b))
    add(change, 3, 3, factor, ba)
    add(change, 3, 9, -factor, ab)
    add(change, 9, 3, -factor, ba)
    add(change, 9, 9, factor, ab)


@compiled
def add_changes(
    matrix: np.ndarray, change: np.ndarray, pairs: np.ndarray, starts: np.ndarray, sizes: np.ndarray,
    d_position: np.ndarray, d_rotation: np.ndarray,
) -> None:  # fmt: skip
    """Add Dᵀ change D of each term (k, 12, 12) to a matrix (n, n), D the virtual motions over all coordinates.

    Terms between the same two markers have to follow each other; they are summed first.
    """
    width = d_position.shape[2]
    k = 0
    while k < len(pairs):
        total, i, j = change[k].copy(), pairs[k, 0], pairs[k, 1]
        k += 1
        while k < len(pairs) and pairs[k, 0] == i and pairs[k, 1] == j:
            total += change[k]
            k += 1
        for one in range(2):
            for other in range(2):
                m, o = pairs[k - 1, one], pairs[k - 1, other]
                if sizes[m] == 0 or sizes[o] == 0:
                    continue
                right = np.zeros((6, width))
                for r in range(6):
                    for c in range(3):
                        push, turn = total[6 * one + r, 6 * other + c], total[6 * one + r, 6 * other + 3 + c]
                        if push == 0.0 and turn == 0.0:
                            continue
                        for col in range(sizes[o]):
                            right[r, col] += push * d_position[o, c, col] + turn * d_rotation[o, c, col]
                for row in range(sizes[m]):
                    for r in range(3):
                        push, turn = d_position[m, r, row], d_rotation[m, r, row]
                        if push == 0.0 and turn == 0.0:
                            continue
                        for col in range(sizes[o]):
                            matrix[starts[m] + row, starts[o] + col] += (
                                push * right[r, col] + turn * right[3 + r, col]
                            )


@compiled
def evaluate(
    values: np.ndarray, target: np.ndarray, equations: np.ndarray, terms: np.ndarray, pairs: np.ndarray,
    rotations_of_parts: np.ndarray, q: np.ndarray, starts: np.ndarray, sizes: np.ndarray, places: np.ndarray,
    axes: np.ndarray, displacements: np.ndarray, rotations: np.ndarray, deforming: np.ndarray,
) -> None:  # fmt: skip
    """Write the terms' values and rows, and (pᵀp − 1)/2 of each part, into those of all equations.

    Args:
        values, target: (m,) and (m, n) zeros; Euler parameters have the last equations.
        equations: (k,) which equations the terms are.
        terms, pairs: as `rows` takes them; all else as `motions` does.
        rotations_of_parts: (parts,) where the Euler parameters of each part begin in q.
    """
    position, turned, d_position, d_rotation = motions(
        q, starts, sizes, places, axes, displacements, rotations, deforming
    )
    own, own_rows = rows(terms, pairs, position, turned)
    for k in range(len(own)):
        values[equations[k]] = own[k]
    carried(own_rows, pairs, starts, sizes, d_position, d_rotation, target, equations)
    first = len(values) - len(rotations_of_parts)
    for k in range(len(rotations_of_parts)):
        at = rotations_of_parts[k]
        values[first + k] = 0.5 * (inner(q[at : at + 4], q[at : at + 4]) - 1.0)
        for j in range(4):
            target[first + k, at + j] = q[at + j]


@compiled
def add_all_changes(
    matrix: np.ndarray, multipliers: np.ndarray, terms: np.ndarray, pairs: np.ndarray,
    q: np.ndarray, starts: np.ndarray, sizes: np.ndarray, places: np.ndarray, axes: np.ndarray,
    displacements: np.ndarray, rotations: np.ndarray, deforming: np.ndarray,
) -> None:  # fmt: skip
    """Add ∂(C_qᵀ λ)/∂q of the terms to a matrix (n, n), for their multipliers (k,); the rest as `evaluate` takes it."""
    position, turned, d_position, d_rotation = motions(
        q, starts, sizes, places, axes, displacements, rotations, deforming
    )
    change = changes(terms, pairs, position, turned, multipliers)
    add_changes(matrix, change, pairs, starts, sizes, d_position, d_rotation)
    # The rows themselves turn and grow with the coordinates.
    own_rows = rows(terms, pairs, position, turned)[1]
    wrenches = np.zeros((len(starts), 6))
    for k in range(len(pairs)):
        for side in range(2):
            for c in range(6):
                wrenches[pairs[k, side], c] += multipliers[k] * own_rows[k, 6 * side + c]
    for m in range(len(starts)):
        if sizes[m]:
            a, b = starts[m], starts[m] + sizes[m]
            moved, turning = deforming[m, 0] * (sizes[m] - 7), deforming[m, 1] * (sizes[m] - 7)
            add_curvature(
                matrix, a, q[a:b], places[m], displacements[m, :, :moved].copy(),
                rotations[m, :, :turning].copy(), wrenches[m, :3], wrenches[m, 3:],
            )  # fmt: skip
