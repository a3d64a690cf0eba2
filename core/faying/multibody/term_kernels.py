"""Motions of markers and the equations between them, as kernels (`faying.compiled`).

Asking each constraint in Python costs more than all of the arithmetic: a slider-crank spent most of its time there.
Notation of `faying.multibody.terms`; markers are rows of a `faying.multibody.marker_table.MarkerTable`. How the
equations change, which only Newton's matrix needs, is in `faying.multibody.term_changes`.

Numbers are read one by one: numba takes seconds to compile products of small arrays that are written as such.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import cross, write_frame
from faying.multibody.terms import ALONG, ANGLE, LENGTH
from faying.spatial import rotation_vectors

rotation_coefficients = compiled(rotation_vectors.coefficients)


@compiled(reorder=False)
def write_motions(
    position: np.ndarray, own: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray,
    q: np.ndarray, starts: np.ndarray, sizes: np.ndarray, places: np.ndarray, axes: np.ndarray,
    displacements: np.ndarray, rotations: np.ndarray, bows: np.ndarray, deforming: np.ndarray,
) -> None:  # fmt: skip
    """Write of N markers position (N, 3), axes (N, 3, 3), and ∂position/∂q and δπ/δq (N, 3, 7 + r).

    Args:
        position, own: see above; those of markers on ground stay as they are.
        d_position, d_rotation: see above; columns beyond a part's own coordinates stay as they are.
        q: (n,) all coordinates.
        starts, sizes: (N,) where the coordinates of each marker's part begin, and how many they are; 0 for ground.
        places, axes: (N, 3) and (N, 3, 3) in the part's frame.
        displacements, rotations: (N, 3, r) Φ_t and Φ_r, zero beyond the part's own coordinates.
        bows: (N, 3, r, r) W; empty where none deforms by it.
        deforming: (N, 3) whether each of the three is not zero.
    """
    frames, vectors, slopes = np.empty((4, 3, 4)), np.empty((2, 3)), np.empty((3, displacements.shape[2]))
    frame, rates, local, tangent = frames[0], frames[1], frames[2], frames[3]
    there, theta = vectors[0], vectors[1]
    for m in range(len(starts)):
        if sizes[m] == 0:
            continue
        start, r = starts[m], sizes[m] - 7
        write_frame(frame, rates, q, start + 3)
        # Place and axes in the deformed part's frame; exp(θ̃) = I + θ̃ T.
        for i in range(3):
            there[i] = places[m, i]
            if deforming[m, 0]:
                for j in range(r):
                    slope = displacements[m, i, j]
                    if deforming[m, 2]:
                        for k in range(r):
                            slope += bows[m, i, j, k] * q[start + 7 + k]
                    slopes[i, j] = slope
                    there[i] += 0.5 * (displacements[m, i, j] + slope) * q[start + 7 + j]
        if deforming[m, 1]:
            for i in range(3):
                theta[i] = 0.0
                for j in range(r):
                    theta[i] += rotations[m, i, j] * q[start + 7 + j]
            x, y, z = theta[0], theta[1], theta[2]
            a, b, _, _ = rotation_coefficients(x * x + y * y + z * z)
            # T = I + a θ̃ + b (θ θᵀ − |θ|² I)
            straight = 1.0 - b * (x * x + y * y + z * z)
            tangent[0, 0], tangent[1, 1], tangent[2, 2] = (
                straight + b * x * x,
                straight + b * y * y,
                straight + b * z * z,
            )
            tangent[0, 1], tangent[0, 2], tangent[1, 2] = (
                b * x * y - a * z,
                b * x * z + a * y,
                b * y * z - a * x,
            )
            tangent[1, 0], tangent[2, 0], tangent[2, 1] = (
                b * x * y + a * z,
                b * x * z - a * y,
                b * y * z + a * x,
            )
            for j in range(3):
                one, two, three = axes[m, 0, j], axes[m, 1, j], axes[m, 2, j]
                u = tangent[0, 0] * one + tangent[0, 1] * two + tangent[0, 2] * three
                v = tangent[1, 0] * one + tangent[1, 1] * two + tangent[1, 2] * three
                w = tangent[2, 0] * one + tangent[2, 1] * two + tangent[2, 2] * three
                u, v, w = cross(x, y, z, u, v, w)
                local[0, j], local[1, j], local[2, j] = one + u, two + v, three + w
        else:
            for i in range(3):
                for j in range(3):
                    local[i, j] = axes[m, i, j]
        # Turned with the frame.
        for i in range(3):
            position[m, i] = q[start + i]
            for j in range(3):
                position[m, i] += frame[i, j] * there[j]
                own[m, i, j] = (
                    frame[i, 0] * local[0, j] + frame[i, 1] * local[1, j] + frame[i, 2] * local[2, j]
                )
            d_position[m, i, i] = 1.0
        for j in range(4):
            u, v, w = cross(rates[0, j], rates[1, j], rates[2, j], there[0], there[1], there[2])
            for i in range(3):
                d_position[m, i, 3 + j] = frame[i, 0] * u + frame[i, 1] * v + frame[i, 2] * w
                d_rotation[m, i, 3 + j] = (
                    frame[i, 0] * rates[0, j] + frame[i, 1] * rates[1, j] + frame[i, 2] * rates[2, j]
                )
        if deforming[m, 0]:
            for i in range(3):
                for j in range(r):
                    d_position[m, i, 7 + j] = (
                        frame[i, 0] * slopes[0, j] + frame[i, 1] * slopes[1, j] + frame[i, 2] * slopes[2, j]
                    )
        if deforming[m, 1]:
            for i in range(3):
                for j in range(r):
                    d_rotation[m, i, 7 + j] = 0.0
                for k in range(3):
                    factor = (
                        frame[i, 0] * tangent[0, k]
                        + frame[i, 1] * tangent[1, k]
                        + frame[i, 2] * tangent[2, k]
                    )
                    for j in range(r):
                        d_rotation[m, i, 7 + j] += factor * rotations[m, k, j]


def rows(
    terms: np.ndarray, pairs: np.ndarray, position: np.ndarray, axes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return values (k,) and rows (k, 12) over [δP_i, δπ_i, δP_j, δπ_j]; for arguments see `write_rows`."""
    values, found = np.zeros(len(terms)), np.zeros((len(terms), 12))
    write_rows(values, found, terms, pairs, position, axes)
    return values, found


@compiled(reorder=False)
def write_rows(
    values: np.ndarray, result: np.ndarray, terms: np.ndarray, pairs: np.ndarray, position: np.ndarray,
    axes: np.ndarray,
) -> None:  # fmt: skip
    """Write values (k,) and rows (k, 12) over [δP_i, δπ_i, δP_j, δπ_j].

    Args:
        values, result: see above; numbers that are zero for a term's kind stay as they are.
        terms: (k, 3) kind, axis of marker i, axis of marker j.
        pairs: (k, 2) numbers of the markers i and j.
        position, axes: (N, 3) and (N, 3, 3) of the markers.
    """
    for k in range(len(terms)):
        i, j, kind, of_i, of_j = pairs[k, 0], pairs[k, 1], terms[k, 0], terms[k, 1], terms[k, 2]
        x, y, z = (
            position[j, 0] - position[i, 0],
            position[j, 1] - position[i, 1],
            position[j, 2] - position[i, 2],
        )
        a, b, c = axes[i, 0, of_i], axes[i, 1, of_i], axes[i, 2, of_i]
        # The row: push on the places, `turn` on the axes; u, v, w first hold the axis of j.
        u, v, w = axes[j, 0, of_j], axes[j, 1, of_j], axes[j, 2, of_j]
        if kind == ALONG:
            values[k] = a * x + b * y + c * z
            u, v, w = cross(a, b, c, x, y, z)
            result[k, 3], result[k, 4], result[k, 5] = u, v, w
            result[k, 0], result[k, 1], result[k, 2] = -a, -b, -c
            result[k, 6], result[k, 7], result[k, 8] = a, b, c
        elif kind == LENGTH:
            values[k] = np.sqrt(x * x + y * y + z * z)
            over = 1.0 / values[k] if values[k] > 0.0 else 0.0
            a, b, c = over * x, over * y, over * z
            result[k, 0], result[k, 1], result[k, 2] = -a, -b, -c
            result[k, 6], result[k, 7], result[k, 8] = a, b, c
        else:  # ACROSS, ANGLE
            sine, factor = a * u + b * v + c * w, 1.0
            values[k] = sine
            a, b, c = cross(a, b, c, u, v, w)
            if kind == ANGLE:
                # Cosine and sine of the angle about z_i: x_i · x_j and y_i · x_j, each a product of two turning axes.
                cosine = sine
                d, e, f = axes[i, 0, 1], axes[i, 1, 1], axes[i, 2, 1]
                sine = d * u + e * v + f * w
                values[k] = np.arctan2(sine, cosine)
                u, v, w = cross(d, e, f, u, v, w)
                factor = 1.0 / max(cosine * cosine + sine * sine, 1e-300)
                a, b, c = cosine * u - sine * a, cosine * v - sine * b, cosine * w - sine * c
            a, b, c = factor * a, factor * b, factor * c
            result[k, 3], result[k, 4], result[k, 5] = a, b, c
            result[k, 9], result[k, 10], result[k, 11] = -a, -b, -c


@compiled(reorder=False)
def write_equations(
    values: np.ndarray, target: np.ndarray, equations: np.ndarray, own: np.ndarray, own_rows: np.ndarray,
    pairs: np.ndarray, starts: np.ndarray, sizes: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray,
    rotations_of_parts: np.ndarray, q: np.ndarray,
) -> None:  # fmt: skip
    """Write the terms' values and rows, and (pᵀp − 1)/2 of each part, into those of all equations.

    Args:
        values, target: (m,) and (m, n) zeros; Euler parameters have the last equations.
        equations: (k,) which equations the terms are.
        own, own_rows: of the terms, as `rows` returns them.
        pairs: as it takes them.
        starts, sizes: of the markers, as `write_motions` takes them.
        d_position, d_rotation: as it writes them.
        rotations_of_parts: (parts,) where the Euler parameters of each part begin in q.
        q: (n,) all coordinates.
    """
    for k in range(len(own)):
        e = equations[k]
        values[e] = own[k]
        for side in range(2):
            m = pairs[k, side]
            start = starts[m]
            for c in range(3):
                push, turn = own_rows[k, 6 * side + c], own_rows[k, 6 * side + 3 + c]
                for j in range(sizes[m]):
                    target[e, start + j] += push * d_position[m, c, j] + turn * d_rotation[m, c, j]
    first = len(values) - len(rotations_of_parts)
    for k in range(len(rotations_of_parts)):
        at, square = rotations_of_parts[k], -1.0
        for j in range(4):
            square += q[at + j] * q[at + j]
            target[first + k, at + j] = q[at + j]
        values[first + k] = 0.5 * square


@compiled(reorder=False)
def add_constraints(
    force: np.ndarray, values: np.ndarray, q: np.ndarray, multipliers: np.ndarray,
    equations: np.ndarray, terms: np.ndarray, pairs: np.ndarray, rotations_of_parts: np.ndarray,
    starts: np.ndarray, sizes: np.ndarray, places: np.ndarray, axes: np.ndarray,
    displacements: np.ndarray, rotations: np.ndarray, bows: np.ndarray, deforming: np.ndarray,
    position: np.ndarray, own: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray,
    of_terms: np.ndarray, rows: np.ndarray, wrenches: np.ndarray,
) -> None:  # fmt: skip
    """Add C_qᵀ λ to forces (n,) and write C (m,), of terms and Euler parameters, without a matrix.

    Args:
        force, values: see above.
        q, multipliers: (n,) all coordinates, and λ (m,).
        equations, rotations_of_parts: as `write_equations` takes them.
        terms, pairs: as `write_rows` takes them.
        starts, sizes, places, axes, displacements, rotations, bows, deforming: as `write_motions` takes them.
        position, own, d_position, d_rotation: space, as that needs it.
        of_terms, rows: space (k,) and (k, 12) that was zero at first.
        wrenches: space (N, 6).
    """
    write_motions(
        position, own, d_position, d_rotation, q, starts, sizes, places, axes, displacements, rotations, bows,
        deforming,
    )  # fmt: skip
    write_rows(of_terms, rows, terms, pairs, position, own)
    # Forces and moments on the markers, then over the coordinates.
    for m in range(len(starts)):
        for c in range(6):
            wrenches[m, c] = 0.0
    for k in range(len(pairs)):
        e = equations[k]
        values[e] = of_terms[k]
        for c in range(6):
            wrenches[pairs[k, 0], c] += multipliers[e] * rows[k, c]
            wrenches[pairs[k, 1], c] += multipliers[e] * rows[k, 6 + c]
    for m in range(len(starts)):
        for c in range(3):
            push, turn = wrenches[m, c], wrenches[m, 3 + c]
            for j in range(sizes[m]):
                force[starts[m] + j] += push * d_position[m, c, j] + turn * d_rotation[m, c, j]
    first = len(values) - len(rotations_of_parts)
    for k in range(len(rotations_of_parts)):
        at, square = rotations_of_parts[k], -1.0
        for j in range(4):
            square += q[at + j] * q[at + j]
            force[at + j] += multipliers[first + k] * q[at + j]
        values[first + k] = 0.5 * square
