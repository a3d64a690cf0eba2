"""Mass and forces of all flexible parts at once, as a kernel (`faying.compiled`).

Asking each part in Python costs more than all of the arithmetic. Notation of `faying.multibody.inertia`.

Numbers are read one by one: numba takes seconds to compile products of small arrays that are written as such. Sums are
not reordered: whether a loop over several arrays uses vector instructions may depend on where these lie in memory, and
a run would not repeat to the last bit.
"""

import numpy as np

from faying.compiled import compiled


@compiled(reorder=False)
def cross(a: float, b: float, c: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the components of (a, b, c) × (x, y, z)."""
    return b * z - c * y, c * x - a * z, a * y - b * x


@compiled(reorder=False)
def write_frame(axes: np.ndarray, rates: np.ndarray, q: np.ndarray, at: int) -> None:
    """Write A (3, 3) and H̄ (3, 4) of the Euler parameters that begin at a place in q (n,)."""
    a, b, c, d = q[at], q[at + 1], q[at + 2], q[at + 3]
    s = 2.0 / (a * a + b * b + c * c + d * d)
    axes[0, 0], axes[0, 1], axes[0, 2] = 1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)
    axes[1, 0], axes[1, 1], axes[1, 2] = s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)
    axes[2, 0], axes[2, 1], axes[2, 2] = s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)
    rates[0, 0], rates[0, 1], rates[0, 2], rates[0, 3] = -s * b, s * a, s * d, -s * c
    rates[1, 0], rates[1, 1], rates[1, 2], rates[1, 3] = -s * c, -s * d, s * a, s * b
    rates[2, 0], rates[2, 1], rates[2, 2], rates[2, 3] = -s * d, s * c, -s * b, s * a


@compiled(reorder=False)
def write_tensor(tensor: np.ndarray, six: np.ndarray) -> None:
    """Write a symmetric tensor (3, 3) of its components (6,): the diagonal, then xy, xz, yz."""
    for k in range(3):
        tensor[k, k] = six[k]
    tensor[0, 1] = tensor[1, 0] = six[3]
    tensor[0, 2] = tensor[2, 0] = six[4]
    tensor[1, 2] = tensor[2, 1] = six[5]


@compiled(reorder=False)
def mass_and_forces(
    matrix: np.ndarray, force: np.ndarray, q: np.ndarray, v: np.ndarray, gravity: np.ndarray,
    places: np.ndarray, numbers: np.ndarray, elastic: np.ndarray,
) -> None:  # fmt: skip
    """Write M of flexible parts into a matrix (n, n) of zeros, and their own forces into a vector (n,).

    Args:
        matrix, force: see above.
        q, v: (n,).
        gravity: (3,) in the inertial frame.
        places: (parts, 4) number r of flexible coordinates of each part, and where its coordinates, inertia and
            elasticity begin.
        numbers: of all parts, each as `faying.multibody.inertia_numbers.packed`.
        elastic: stiffness, damping and load of each part, in the same form.
    """
    width = 0
    for k in range(len(places)):
        width = max(width, places[k, 0])
    # Few allocations, which numba compiles slowly.
    frames, vectors, shapes = np.empty((4, 3, 4)), np.empty((10, 6)), np.empty((18, width))
    axes, rates, tensor, tensor_rate = frames[0], frames[1], frames[2], frames[3]
    six, six_rate, first, drift, moment = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    spin, weight, turn, gyro, bow = vectors[5], vectors[6], vectors[7], vectors[8], vectors[9]
    coupling, right, left, bending, slope = shapes[0:3], shapes[3:6], shapes[6:9], shapes[9:15], shapes[15:18]
    for k in range(len(places)):
        r, at, o = places[k, 0], places[k, 1], places[k, 2]
        p, f = at + 3, at + 7
        # Where S, B, Ĝ, N (J, its slopes, its curvature), M_ff and L with its mark begin, behind m, the factor along p
        # and ŝ.
        slopes, total, along_p = o + 5, numbers[o], numbers[o + 1]
        turning = slopes + 3 * r
        gyration = turning + 3 * r
        second = gyration + 3 * r * r
        curvature = second + 6 + 6 * r
        flexible = curvature + 6 * r * r
        quadratic = flexible + r * r
        write_frame(axes, rates, q, p)

        # s = ŝ ẑ + ½ q_fᵀ L q_f, S, S q̇_f and Ṡ q̇_f; J and J̇ with ∂J/∂q_f; B_k = ẑᵀ Ĝ_k, Ĝ_k q̇_f and q̇_fᵀ Ĝ_k.
        for i in range(3):
            first[i], drift[i], gyro[i], bow[i] = numbers[o + 2 + i], 0.0, 0.0, 0.0
            for j in range(r):
                linear = numbers[slopes + i * r + j]
                slope[i, j] = linear
                if numbers[quadratic] != 0.0:
                    rate, row = 0.0, quadratic + 1 + (i * r + j) * r
                    for c in range(r):
                        slope[i, j] += numbers[row + c] * q[f + c]
                        rate += numbers[row + c] * v[f + c]
                    bow[i] += rate * v[f + j]
                first[i] += 0.5 * (linear + slope[i, j]) * q[f + j]
                drift[i] += slope[i, j] * v[f + j]
        for i in range(6):
            six[i], six_rate[i] = numbers[second + i], 0.0
            for j in range(r):
                bent, row = 0.0, curvature + (i * r + j) * r
                for c in range(r):
                    bent += numbers[row + c] * q[f + c]
                linear = numbers[second + 6 + i * r + j]
                six[i] += (2.0 * linear + bent) * q[f + j]
                bending[i, j] = 2.0 * (linear + bent)
                six_rate[i] += bending[i, j] * v[f + j]
        for i in range(3):
            for j in range(r):
                coupling[i, j], left[i, j] = numbers[turning + i * r + j], 0.0
            for c in range(r):
                place, speed, flow, row = q[f + c], v[f + c], 0.0, gyration + (i * r + c) * r
                for j in range(r):
                    coupling[i, j] += numbers[row + j] * place
                    left[i, j] += numbers[row + j] * speed
                    flow += numbers[row + j] * v[f + j]
                right[i, c] = flow
        write_tensor(tensor, six)
        write_tensor(tensor_rate, six_rate)

        # M_RR = m I, M_Rp = A (H̄ × s), M_pp = H̄ᵀ J H̄ with the term that vanishes on the unit sphere.
        for j in range(3):
            matrix[at + j, at + j] = total
        for j in range(4):
            x, y, z = cross(rates[0, j], rates[1, j], rates[2, j], first[0], first[1], first[2])
            for i in range(3):
                value = axes[i, 0] * x + axes[i, 1] * y + axes[i, 2] * z
                matrix[at + i, p + j] = value
                matrix[p + j, at + i] = value
                turn[i] = tensor[i, 0] * rates[0, j] + tensor[i, 1] * rates[1, j] + tensor[i, 2] * rates[2, j]
            for i in range(4):
                value = rates[0, i] * turn[0] + rates[1, i] * turn[1] + rates[2, i] * turn[2]
                matrix[p + i, p + j] = value + along_p * q[p + i] * q[p + j]
        # M_Rf = A S, M_pf = H̄ᵀ B, M_ff.
        for j in range(r):
            for i in range(3):
                value = 0.0
                for c in range(3):
                    value += axes[i, c] * slope[c, j]
                matrix[at + i, f + j] = value
                matrix[f + j, at + i] = value
            for i in range(4):
                value = 0.0
                for c in range(3):
                    value += rates[c, i] * coupling[c, j]
                matrix[p + i, f + j] = value
                matrix[f + j, p + i] = value
            for i in range(r):
                matrix[f + i, f + j] = numbers[flexible + i * r + j]

        # ω̄ = H̄ ṗ, the weight per mass in the body's frame, and 2 p · ṗ/|p|²: ω̄̇ = H̄ p̈ − stretch ω̄.
        along, square, speed = 0.0, 0.0, 0.0
        for j in range(4):
            along += q[p + j] * v[p + j]
            square += q[p + j] * q[p + j]
            speed += v[p + j] * v[p + j]
        stretch = 2.0 * along / square
        for i in range(3):
            spin[i] = weight[i] = 0.0
            for j in range(4):
                spin[i] += rates[i, j] * v[p + j]
            for j in range(3):
                weight[i] += axes[j, i] * gravity[j]
            for j in range(r):
                gyro[i] += coupling[i, j] * v[f + j]
        x, y, z = spin[0], spin[1], spin[2]
        # Q_R = m g − A (ω̄ × (ω̄ × s + 2 S q̇_f) + Ṡ q̇_f + stretch s × ω̄).
        ax, ay, az = cross(x, y, z, first[0], first[1], first[2])
        bx, by, bz = cross(x, y, z, ax + 2.0 * drift[0], ay + 2.0 * drift[1], az + 2.0 * drift[2])
        bx, by, bz = bx - stretch * ax + bow[0], by - stretch * ay + bow[1], bz - stretch * az + bow[2]
        for i in range(3):
            force[at + i] = total * gravity[i] - axes[i, 0] * bx - axes[i, 1] * by - axes[i, 2] * bz
        # Moment −J̇ ω̄ − Ḃ q̇_f − ω̄ × (J ω̄ + B q̇_f) + stretch J ω̄ + s × Aᵀ g.
        for i in range(3):
            turn[i] = tensor[i, 0] * x + tensor[i, 1] * y + tensor[i, 2] * z
            moment[i] = stretch * turn[i]
            moment[i] -= tensor_rate[i, 0] * x + tensor_rate[i, 1] * y + tensor_rate[i, 2] * z
            for j in range(r):
                moment[i] -= right[i, j] * v[f + j]
        ax, ay, az = cross(x, y, z, turn[0] + gyro[0], turn[1] + gyro[1], turn[2] + gyro[2])
        bx, by, bz = cross(first[0], first[1], first[2], weight[0], weight[1], weight[2])
        moment[0], moment[1], moment[2] = moment[0] - ax + bx, moment[1] - ay + by, moment[2] - az + bz
        # Q_p = H̄ᵀ moment − J |ṗ|² p, the last of ½ J (p · ṗ)², which vanishes on the unit sphere.
        for i in range(4):
            value = rates[0, i] * moment[0] + rates[1, i] * moment[1] + rates[2, i] * moment[2]
            force[p + i] = value - along_p * speed * q[p + i]
        # Q_f = ω̄ᵀ (Ĝ q̇_f − q̇_fᵀ Ĝ + stretch B) + ω̄ᵀ ∂J/∂q_f ω̄ / 2 + Sᵀ Aᵀ g; thesis eq. 2.40.
        for j in range(r):
            value = 0.5 * (x * x * bending[0, j] + y * y * bending[1, j] + z * z * bending[2, j])
            value += x * y * bending[3, j] + x * z * bending[4, j] + y * z * bending[5, j]
            for i in range(3):
                value += spin[i] * (right[i, j] - left[i, j] + stretch * coupling[i, j])
                value += weight[i] * slope[i, j]
            force[f + j] = value
        # Elasticity, damping and constant load; stiffness and damping are symmetric.
        o = places[k, 3]
        for i in range(r):
            value, row = elastic[o + 2 * r * r + i], o + i * r
            for j in range(r):
                value -= elastic[row + j] * q[f + j] + elastic[row + r * r + j] * v[f + j]
            force[f + i] += value
