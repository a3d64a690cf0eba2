"""How the forces of terms change with the coordinates, as kernels (`faying.compiled`) with twins in NumPy.

For a few constraints the twins, with the formulas of `faying.multibody.term_changes` and
`faying.multibody.marker_table`, take a hundred times as long. Numbers are read one by one, as in all such kernels.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import cross, write_frame
from faying.multibody.small_matrices import curvatures
from faying.multibody.term_changes import changes, changes_over_coordinates
from faying.multibody.term_kernels import rotation_coefficients
from faying.multibody.terms import ALONG, ANGLE, LENGTH


# With a signature: else numba would compile these two again for each place of a block that is written as a number.
@compiled(reorder=False, signature="void(f8[:, ::1], i8, i8, f8[::1], f8)")
def add_skew(target: np.ndarray, row: int, column: int, a: np.ndarray, factor: float) -> None:
    """Add a factor times ã to a block (3, 3), for a (3,)."""
    x, y, z = factor * a[0], factor * a[1], factor * a[2]
    target[row, column + 1] -= z
    target[row, column + 2] += y
    target[row + 1, column] += z
    target[row + 1, column + 2] -= x
    target[row + 2, column] -= y
    target[row + 2, column + 1] += x


@compiled(reorder=False, signature="void(f8[:, ::1], i8, i8, f8[::1], f8[::1], f8, f8)")
def add_outer(
    target: np.ndarray, row: int, column: int, a: np.ndarray, b: np.ndarray, factor: float, less: float
) -> None:
    """Add factor (a bᵀ − less (a · b) I) to a block (3, 3), for a and b (3,); with less = 1 that is factor b̃ ã."""
    along = less * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
    x, y, z = factor * b[0], factor * b[1], factor * b[2]
    for i in range(3):
        target[row + i, column] += a[i] * x
        target[row + i, column + 1] += a[i] * y
        target[row + i, column + 2] += a[i] * z
        target[row + i, column + i] -= factor * along


@compiled(reorder=False)
def add_across(target: np.ndarray, a: np.ndarray, b: np.ndarray, factor: float) -> None:
    """Add the change of a factor times the row of a · b to a block (12, 12), for an axis a of i and b of j."""
    add_outer(target, 3, 3, a, b, factor, 1.0)
    add_outer(target, 9, 3, a, b, -factor, 1.0)
    add_outer(target, 3, 9, b, a, -factor, 1.0)
    add_outer(target, 9, 9, b, a, factor, 1.0)


@compiled(reorder=False)
def add_term_change(
    target: np.ndarray, kind: int, factor: float, a: np.ndarray, b: np.ndarray, y: np.ndarray, d: np.ndarray
) -> None:
    """Add the change of a factor times a term's row (`faying.multibody.term_changes.changes`) to a block (12, 12).

    Args:
        target, kind, factor: see above.
        a, b: (3,) the term's axes of i and j.
        y: (3,) of marker i.
        d: (3,) from i to j.
    """
    if kind == ALONG:
        for row, column, sign in ((0, 3, 1.0), (3, 6, 1.0), (6, 3, -1.0), (3, 0, -1.0)):
            add_skew(target, row, column, a, sign * factor)
        add_outer(target, 3, 3, a, d, factor, 1.0)
    elif kind == LENGTH:
        size = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        if size > 0.0:
            for row, column, sign in ((0, 0, 1.0), (6, 6, 1.0), (0, 6, -1.0), (6, 0, -1.0)):
                add_outer(target, row, column, d, d, -sign * factor / size**3, 1.0)
    elif kind == ANGLE:
        both = np.empty((4, 3))
        by_cosine, by_sine, turning, stretch = both[0], both[1], both[2], both[3]
        cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        sine = y[0] * b[0] + y[1] * b[1] + y[2] * b[2]
        over = 1.0 / max(cosine * cosine + sine * sine, 1e-300)
        by_cosine[0], by_cosine[1], by_cosine[2] = cross(a[0], a[1], a[2], b[0], b[1], b[2])
        by_sine[0], by_sine[1], by_sine[2] = cross(y[0], y[1], y[2], b[0], b[1], b[2])
        for c in range(3):
            turning[c] = over * (cosine * by_sine[c] - sine * by_cosine[c])
            stretch[c] = 2.0 * (cosine * by_cosine[c] + sine * by_sine[c])
        factor *= over
        add_across(target, y, b, factor * cosine)
        add_across(target, a, b, -factor * sine)
        for row, column, sign in ((3, 3, 1.0), (9, 9, 1.0), (3, 9, -1.0), (9, 3, -1.0)):
            add_outer(target, row, column, by_sine, by_cosine, sign * factor, 0.0)
            add_outer(target, row, column, by_cosine, by_sine, -sign * factor, 0.0)
            add_outer(target, row, column, turning, stretch, -sign * factor, 0.0)
    else:  # ACROSS
        add_across(target, a, b, factor)


def plain_term_changes(
    over: np.ndarray, wrenches: np.ndarray, terms: np.ndarray, pairs: np.ndarray, first: np.ndarray,
    multipliers: np.ndarray, position: np.ndarray, axes: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray,
    rows: np.ndarray,
) -> None:  # fmt: skip
    """Write what `write_term_changes` does."""
    change = changes(terms, pairs, position, axes, multipliers)
    over[:] = changes_over_coordinates(change, pairs, first, d_position, d_rotation)
    np.add.at(wrenches, pairs, multipliers[:, None, None] * rows.reshape(-1, 2, 6))


@compiled(plain=plain_term_changes, reorder=False)
def write_term_changes(
    over: np.ndarray, wrenches: np.ndarray, terms: np.ndarray, pairs: np.ndarray, first: np.ndarray,
    multipliers: np.ndarray, position: np.ndarray, axes: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray,
    rows: np.ndarray,
) -> None:  # fmt: skip
    """Write the change of the forces of terms between the same two markers, and the wrenches on all markers.

    Args:
        over: (c, 2, 2, w, w) of one marker's coordinates over those of the other.
        wrenches: (N, 6) zeros.
        terms, pairs: (k, 3) and (k, 2), as `faying.multibody.term_kernels.write_rows` takes them.
        first: (c,) of `faying.multibody.term_changes.first_of_pairs`.
        multipliers: (k,).
        position, axes, d_position, d_rotation: of the markers, as `write_motions` writes them.
        rows: (k, 12) of the terms.
    """
    width = d_position.shape[2]
    change, half, vectors = np.empty((12, 12)), np.empty((6, width)), np.empty((4, 3))
    for c in range(len(first)):
        i, j = pairs[first[c], 0], pairs[first[c], 1]
        for r in range(12):
            for s in range(12):
                change[r, s] = 0.0
        for k in range(first[c], first[c + 1] if c + 1 < len(first) else len(pairs)):
            for r in range(3):
                vectors[0, r], vectors[1, r] = axes[i, r, terms[k, 1]], axes[j, r, terms[k, 2]]
                vectors[2, r], vectors[3, r] = axes[i, r, 1], position[j, r] - position[i, r]
            add_term_change(
                change, terms[k, 0], multipliers[k], vectors[0], vectors[1], vectors[2], vectors[3]
            )
            for r in range(6):
                wrenches[i, r] += multipliers[k] * rows[k, r]
                wrenches[j, r] += multipliers[k] * rows[k, 6 + r]
        # Dᵀ change D with the virtual motions D of both markers.
        for right in range(2):
            there = pairs[first[c], right]
            for left in range(2):
                here = pairs[first[c], left]
                for r in range(6):
                    for s in range(width):
                        value = 0.0
                        for x in range(3):
                            value += change[6 * left + r, 6 * right + x] * d_position[there, x, s]
                            value += change[6 * left + r, 6 * right + 3 + x] * d_rotation[there, x, s]
                        half[r, s] = value
                for r in range(width):
                    for s in range(width):
                        value = 0.0
                        for x in range(3):
                            value += (
                                d_position[here, x, r] * half[x, s] + d_rotation[here, x, r] * half[3 + x, s]
                            )
                        over[c, left, right, r, s] = value


@compiled(reorder=False)
def write_turning(
    bent: np.ndarray, p: np.ndarray, rates: np.ndarray, there: np.ndarray, f: np.ndarray, m: np.ndarray
) -> None:
    """Write the block of the Euler parameters: H̄ᵀ (x̃ f̃ + m̃) H̄, and H̄ᵀ of the constant moment x × f + m.

    Args:
        bent: (w, w) see above.
        p: (4,) Euler parameters, with `rates` H̄ (3, 4).
        there, f, m: (3,) place, force and moment in the part's frame.
    """
    x, y, z = cross(there[0], there[1], there[2], f[0], f[1], f[2])
    x, y, z = x + m[0], y + m[1], z + m[2]
    s = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    for j in range(4):
        u, v, w = cross(f[0], f[1], f[2], rates[0, j], rates[1, j], rates[2, j])
        u, v, w = cross(there[0], there[1], there[2], u, v, w)
        a, b, c = cross(m[0], m[1], m[2], rates[0, j], rates[1, j], rates[2, j])
        u, v, w = u + a, v + b, w + c
        for i in range(4):
            value = rates[0, i] * u + rates[1, i] * v + rates[2, i] * w
            bent[3 + i, 3 + j] = value - s * (rates[0, i] * x + rates[1, i] * y + rates[2, i] * z) * p[j]
    x, y, z = s * x, s * y, s * z
    for i, part in ((4, x), (5, y), (6, z)):
        bent[3, i] -= part
        bent[i, 3] += part
    bent[4, 5] += z
    bent[4, 6] -= y
    bent[5, 4] -= z
    bent[5, 6] += x
    bent[6, 4] += y
    bent[6, 5] -= x


@compiled(reorder=False)
def write_in_frame(vectors: np.ndarray, axes: np.ndarray, wrench: np.ndarray) -> None:
    """Write force and moment (6,) along the axes (3, 3) of a part into the first two rows of vectors."""
    for i in range(3):
        vectors[0, i] = axes[0, i] * wrench[0] + axes[1, i] * wrench[1] + axes[2, i] * wrench[2]
        vectors[1, i] = axes[0, i] * wrench[3] + axes[1, i] * wrench[4] + axes[2, i] * wrench[5]


def plain_rigid_curvatures(
    bent: np.ndarray, q: np.ndarray, wrenches: np.ndarray, moving: np.ndarray, starts: np.ndarray, places: np.ndarray
) -> None:  # fmt: skip
    """Write what `write_rigid_curvatures` does."""
    own, none = q[starts[moving, None] + np.arange(7)], np.zeros((len(moving), 3, 0))
    bent[:] = curvatures(own, places[moving], none, none, wrenches[moving, :3], wrenches[moving, 3:])


@compiled(plain=plain_rigid_curvatures, reorder=False)
def write_rigid_curvatures(
    bent: np.ndarray, q: np.ndarray, wrenches: np.ndarray, moving: np.ndarray, starts: np.ndarray, places: np.ndarray
) -> None:  # fmt: skip
    """Write what `write_curvatures` does, (M, 7, 7) of markers that do not deform: compiled in a third of the time."""
    both, vectors = np.empty((2, 3, 4)), np.empty((2, 3))
    axes, rates = both[0], both[1]
    for k in range(len(moving)):
        marker = moving[k]
        p = starts[marker] + 3
        write_frame(axes, rates, q, p)
        write_in_frame(vectors, axes, wrenches[marker])
        write_turning(bent[k], q[p : p + 4], rates, places[marker], vectors[0], vectors[1])


def plain_curvatures(
    bent: np.ndarray, q: np.ndarray, wrenches: np.ndarray, moving: np.ndarray, starts: np.ndarray, sizes: np.ndarray,
    places: np.ndarray, displacements: np.ndarray, rotations: np.ndarray, bows: np.ndarray, deforming: np.ndarray,
) -> None:  # fmt: skip
    """Write what `write_curvatures` does."""
    columns = np.minimum(starts[moving, None] + np.arange(bent.shape[1]), len(q) - 1)
    bent[:] = curvatures(
        q[columns], places[moving], displacements[moving], rotations[moving], wrenches[moving, :3],
        wrenches[moving, 3:], bows[moving] if len(bows) else None,
    )  # fmt: skip


@compiled(plain=plain_curvatures, reorder=False)
def write_curvatures(
    bent: np.ndarray, q: np.ndarray, wrenches: np.ndarray, moving: np.ndarray, starts: np.ndarray, sizes: np.ndarray,
    places: np.ndarray, displacements: np.ndarray, rotations: np.ndarray, bows: np.ndarray, deforming: np.ndarray,
) -> None:  # fmt: skip
    """Write the change of the generalised forces of constant wrenches at markers (`curvatures`).

    Args:
        bent: (M, w, w) zeros, of the markers that move.
        q: (n,) all coordinates.
        wrenches: (N, 6) force and moment at each marker.
        moving: (M,) markers of parts that move.
        starts, sizes, places, displacements, rotations, bows, deforming: of a
            `faying.multibody.marker_table.MarkerTable`.
    """
    width = displacements.shape[2]
    frames, vectors, own = np.empty((2, 3, 4)), np.empty((6, 3)), np.empty((9, width))
    axes, rates = frames[0], frames[1]
    f, m, there, theta, once, twice = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4], vectors[5]
    slopes, pushed, twisted = own[0:3], own[3:6], own[6:9]
    bend = np.empty((3, 3))
    for k in range(len(moving)):
        marker = moving[k]
        start, r = starts[marker], sizes[marker] - 7
        p = start + 3
        write_frame(axes, rates, q, p)
        write_in_frame(vectors, axes, wrenches[marker])
        for i in range(3):
            theta[i], there[i] = 0.0, places[marker, i]
            for j in range(r):
                slope = displacements[marker, i, j]
                if deforming[marker, 2]:
                    for c in range(r):
                        slope += bows[marker, i, j, c] * q[start + 7 + c]
                slopes[i, j] = slope
                there[i] += 0.5 * (displacements[marker, i, j] + slope) * q[start + 7 + j]
                theta[i] += rotations[marker, i, j] * q[start + 7 + j]

        write_turning(bent[k], q[p : p + 4], rates, there, f, m)

        # The place deforms, and with bows its slopes.
        if deforming[marker, 0]:
            for j in range(r):
                pushed[0, j], pushed[1, j], pushed[2, j] = cross(
                    f[0], f[1], f[2], slopes[0, j], slopes[1, j], slopes[2, j]
                )
                for i in range(4):
                    value = (
                        rates[0, i] * pushed[0, j] + rates[1, i] * pushed[1, j] + rates[2, i] * pushed[2, j]
                    )
                    bent[k, 3 + i, 7 + j] -= value
                    bent[k, 7 + j, 3 + i] -= value
                if deforming[marker, 2]:
                    for i in range(r):
                        for c in range(3):
                            bent[k, 7 + i, 7 + j] += f[c] * bows[marker, c, i, j]

        # The axes turn in the frame: δ(Tᵀ m) with m along the frame's axes.
        if deforming[marker, 1]:
            a, b, slope_a, slope_b = rotation_coefficients(
                theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]
            )
            for j in range(4):
                x, y, z = cross(m[0], m[1], m[2], rates[0, j], rates[1, j], rates[2, j])
                u, v, w = cross(theta[0], theta[1], theta[2], x, y, z)
                x, y, z = x - a * u, y - a * v, z - a * w
                u, v, w = cross(theta[0], theta[1], theta[2], u, v, w)
                x, y, z = x + b * u, y + b * v, z + b * w
                for i in range(r):
                    value = rotations[marker, 0, i] * x + rotations[marker, 1, i] * y
                    bent[k, 7 + i, 3 + j] += value + rotations[marker, 2, i] * z
            once[0], once[1], once[2] = cross(theta[0], theta[1], theta[2], m[0], m[1], m[2])
            twice[0], twice[1], twice[2] = cross(theta[0], theta[1], theta[2], once[0], once[1], once[2])
            for i in range(3):
                for j in range(3):
                    bend[i, j] = 0.0
            add_skew(bend, 0, 0, m, a)
            add_outer(bend, 0, 0, once, theta, -slope_a, 0.0)
            add_skew(bend, 0, 0, once, -b)
            add_outer(bend, 0, 0, m, theta, -b, 1.0)
            add_outer(bend, 0, 0, twice, theta, slope_b, 0.0)
            for j in range(r):
                for i in range(3):
                    twisted[i, j] = 0.0
                    for c in range(3):
                        twisted[i, j] += bend[i, c] * rotations[marker, c, j]
                for i in range(r):
                    for c in range(3):
                        bent[k, 7 + i, 7 + j] += rotations[marker, c, i] * twisted[c, j]
