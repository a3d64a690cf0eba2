"""How the equations of flexible parts change, as a kernel (`faying.compiled`) with a twin in NumPy.

Notation of `faying.multibody.inertia`. With ᾱ = H̄ p̈ − stretch ω̄ and f = Aᵀ (a_R − g) the equations M a − Q are

    R:    m (a_R − g) + A β     β = ᾱ × s + S a_f + ω̄ × (ω̄ × s + 2 S q̇_f) + Ṡ q̇_f
    p:    H̄ᵀ μ                  μ = s × f + J ᾱ + B a_f + J̇ ω̄ + Ḃ q̇_f + ω̄ × (J ω̄ + B q̇_f)
    q_f:  Sᵀ f + Bᵀ ᾱ + M_ff a_f − ω̄ · (Ĝ q̇_f − q̇_fᵀ Ĝ) − ½ ω̄ᵀ (∂J/∂q_f) ω̄ + elasticity

with the term of p that vanishes on the unit sphere. Numbers are read one by one, as in all such kernels.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_changes import force_changes, mass_changes
from faying.multibody.inertia_kernels import cross, mass_and_forces, write_frame, write_tensor
from faying.multibody.inertia_numbers import Inertias


def plain_flexible_changes(
    blocks: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, gravity: np.ndarray, weights: np.ndarray,
    places: np.ndarray, numbers: np.ndarray, elastic: np.ndarray,
) -> None:  # fmt: skip
    """Write what `write_flexible_changes` does."""
    by_q, by_v, by_a = weights
    mass = np.zeros((len(q), len(q)))
    mass_and_forces(mass, np.zeros(len(q)), q, v, gravity, places, numbers, elastic)
    for block, (r, begin, of_inertia, of_elasticity) in zip(blocks, places, strict=True):
        own = slice(begin, begin + 7 + r)
        inertia = Inertias.of(numbers[None, of_inertia:], r)
        stiffness, damping = elastic[of_elasticity : of_elasticity + 2 * r * r].reshape(2, r, r)
        own_q, own_v = force_changes(q[None, own], v[None, own], gravity, inertia)
        block[:] = by_q * (mass_changes(q[None, own], a[None, own], inertia) - own_q)[0]
        block -= by_v * own_v[0]
        block += by_a * mass[own, own]
        block[7:, 7:] += by_q * stiffness + by_v * damping


@compiled(plain=plain_flexible_changes, reorder=False)
def write_flexible_changes(
    blocks: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, gravity: np.ndarray, weights: np.ndarray,
    places: np.ndarray, numbers: np.ndarray, elastic: np.ndarray,
) -> None:  # fmt: skip
    """Write the weighted sum of the derivatives of M a − Q of flexible parts over q, v and a.

    Args:
        blocks: (parts, 7 + r, 7 + r), see above; all parts have as many coordinates.
        q, v, a: (n,).
        gravity: (3,) in the inertial frame.
        weights: (3,) of the derivatives over q, v and a.
        places, numbers, elastic: as `faying.multibody.inertia_kernels.mass_and_forces` takes them.
    """
    by_q, by_v, by_a = weights[0], weights[1], weights[2]
    r = blocks.shape[1] - 7
    frames, vectors, shapes = np.empty((5, 3, 4)), np.empty((5, 6)), np.empty((27, r))
    axes, rates, rates_change, tensor, tensor_rate = frames[0], frames[1], frames[2], frames[3], frames[4]
    six, six_rate, first, drift, bowed = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    slope, bow, pushed, coupling, right = shapes[0:3], shapes[3:6], shapes[6:9], shapes[9:12], shapes[12:15]
    left, gyrated, bending, speeding = shapes[15:18], shapes[18:21], shapes[21:24], shapes[24:27]
    turning_of, rest = np.empty((6, r)), np.empty((6, r))
    for k in range(len(places)):
        at, o = places[k, 1], places[k, 2]
        p, f = at + 3, at + 7
        slopes, mass, along_p = o + 5, numbers[o], numbers[o + 1]
        turning = slopes + 3 * r
        gyration = turning + 3 * r
        second = gyration + 3 * r * r
        curvature = second + 6 + 6 * r
        flexible = curvature + 6 * r * r
        quadratic = flexible + r * r
        curved = numbers[quadratic] != 0.0
        write_frame(axes, rates, q, p)

        # ω̄, ᾱ and f.
        x = y = z = u = v_ = w = along = square = out = 0.0
        for j in range(4):
            speed, push, place = v[p + j], a[p + j], q[p + j]
            x, y, z = x + rates[0, j] * speed, y + rates[1, j] * speed, z + rates[2, j] * speed
            u, v_, w = u + rates[0, j] * push, v_ + rates[1, j] * push, w + rates[2, j] * push
            along, square = along + place * speed, square + place * place
            out += place * push + speed * speed
        stretch = 2.0 * along / square
        u, v_, w = u - stretch * x, v_ - stretch * y, w - stretch * z
        ax, ay, az = a[at] - gravity[0], a[at + 1] - gravity[1], a[at + 2] - gravity[2]
        fx = axes[0, 0] * ax + axes[1, 0] * ay + axes[2, 0] * az
        fy = axes[0, 1] * ax + axes[1, 1] * ay + axes[2, 1] * az
        fz = axes[0, 2] * ax + axes[1, 2] * ay + axes[2, 2] * az

        # s, S, Ṡ and L a_f; S q̇_f; S a_f + Ṡ q̇_f.
        for i in range(3):
            first[i], drift[i], bowed[i] = numbers[o + 2 + i], 0.0, 0.0
            for j in range(r):
                linear = numbers[slopes + i * r + j]
                slope[i, j], bow[i, j], pushed[i, j] = linear, 0.0, 0.0
                if curved:
                    row = quadratic + 1 + (i * r + j) * r
                    for c in range(r):
                        slope[i, j] += numbers[row + c] * q[f + c]
                        bow[i, j] += numbers[row + c] * v[f + c]
                        pushed[i, j] += numbers[row + c] * a[f + c]
                first[i] += 0.5 * (linear + slope[i, j]) * q[f + j]
                drift[i] += slope[i, j] * v[f + j]
                bowed[i] += slope[i, j] * a[f + j] + bow[i, j] * v[f + j]
        # J and J̇; ∂J/∂q_f and its rate, six components each.
        for i in range(6):
            six[i], six_rate[i] = numbers[second + i], 0.0
            for j in range(r):
                bent, rate, row = 0.0, 0.0, curvature + (i * r + j) * r
                for c in range(r):
                    bent += numbers[row + c] * q[f + c]
                    rate += numbers[row + c] * v[f + c]
                linear = numbers[second + 6 + i * r + j]
                six[i] += (2.0 * linear + bent) * q[f + j]
                turning_of[i, j], rest[i, j] = 2.0 * (linear + bent), 2.0 * rate
                six_rate[i] += turning_of[i, j] * v[f + j]
        write_tensor(tensor, six)
        write_tensor(tensor_rate, six_rate)
        # B, Ĝ q̇_f, q̇_fᵀ Ĝ and Ĝ a_f.
        for i in range(3):
            for j in range(r):
                coupling[i, j], left[i, j] = numbers[turning + i * r + j], 0.0
            for c in range(r):
                place, speed, row = q[f + c], v[f + c], gyration + (i * r + c) * r
                right[i, c] = gyrated[i, c] = 0.0
                for j in range(r):
                    coupling[i, j] += numbers[row + j] * place
                    left[i, j] += numbers[row + j] * speed
                    right[i, c] += numbers[row + j] * v[f + j]
                    gyrated[i, c] += numbers[row + j] * a[f + j]
        # (∂J/∂q_f) ω̄ as `speeding`, and (∂J/∂q_f) ᾱ + (∂J̇/∂q_f) ω̄ as `bending`.
        for j in range(r):
            t, s = turning_of[:, j], rest[:, j]
            speeding[0, j] = t[0] * x + t[3] * y + t[4] * z
            speeding[1, j] = t[3] * x + t[1] * y + t[5] * z
            speeding[2, j] = t[4] * x + t[5] * y + t[2] * z
            bending[0, j] = t[0] * u + t[3] * v_ + t[4] * w + s[0] * x + s[3] * y + s[4] * z
            bending[1, j] = t[3] * u + t[1] * v_ + t[5] * w + s[3] * x + s[1] * y + s[5] * z
            bending[2, j] = t[4] * u + t[5] * v_ + t[2] * w + s[4] * x + s[5] * y + s[2] * z

        # β, J ω̄ + B q̇_f and μ.
        sx, sy, sz = first[0], first[1], first[2]
        rx, ry, rz = cross(x, y, z, sx, sy, sz)
        rx, ry, rz = rx + 2.0 * drift[0], ry + 2.0 * drift[1], rz + 2.0 * drift[2]
        bx, by, bz = cross(x, y, z, rx, ry, rz)
        cx, cy, cz = cross(u, v_, w, sx, sy, sz)
        bx, by, bz = bx + cx + bowed[0], by + cy + bowed[1], bz + cz + bowed[2]
        lx = tensor[0, 0] * x + tensor[0, 1] * y + tensor[0, 2] * z
        ly = tensor[1, 0] * x + tensor[1, 1] * y + tensor[1, 2] * z
        lz = tensor[2, 0] * x + tensor[2, 1] * y + tensor[2, 2] * z
        mx, my, mz = cross(sx, sy, sz, fx, fy, fz)
        mx += tensor[0, 0] * u + tensor[0, 1] * v_ + tensor[0, 2] * w
        my += tensor[1, 0] * u + tensor[1, 1] * v_ + tensor[1, 2] * w
        mz += tensor[2, 0] * u + tensor[2, 1] * v_ + tensor[2, 2] * w
        mx += tensor_rate[0, 0] * x + tensor_rate[0, 1] * y + tensor_rate[0, 2] * z
        my += tensor_rate[1, 0] * x + tensor_rate[1, 1] * y + tensor_rate[1, 2] * z
        mz += tensor_rate[2, 0] * x + tensor_rate[2, 1] * y + tensor_rate[2, 2] * z
        for j in range(r):
            speed, push = v[f + j], a[f + j]
            lx, ly, lz = lx + coupling[0, j] * speed, ly + coupling[1, j] * speed, lz + coupling[2, j] * speed
            mx += coupling[0, j] * push + right[0, j] * speed
            my += coupling[1, j] * push + right[1, j] * speed
            mz += coupling[2, j] * push + right[2, j] * speed
        cx, cy, cz = cross(x, y, z, lx, ly, lz)
        mx, my, mz = mx + cx, my + cy, mz + cz

        # Columns of R: only a_R counts.
        for j in range(3):
            for i in range(3):
                blocks[k, i, j] = by_a * mass if i == j else 0.0
            cx, cy, cz = cross(sx, sy, sz, axes[j, 0], axes[j, 1], axes[j, 2])
            for i in range(4):
                blocks[k, 3 + i, j] = by_a * (rates[0, i] * cx + rates[1, i] * cy + rates[2, i] * cz)
            for i in range(r):
                value = axes[j, 0] * slope[0, i] + axes[j, 1] * slope[1, i] + axes[j, 2] * slope[2, i]
                blocks[k, 7 + i, j] = by_a * value

        # Columns of p, as of `faying.multibody.rigid_kernels.write_imbalance_changes`.
        for j in range(4):
            shrink, s_ = 2.0 * by_q * q[p + j] / square, 2.0 * by_q / square
            for c in range(3):
                for i in range(4):
                    rates_change[c, i] = -shrink * rates[c, i]
            if j == 0:
                for c in range(3):
                    rates_change[c, c + 1] += s_
            else:
                one, other = (j % 3), (j + 1) % 3
                rates_change[j - 1, 0] -= s_
                rates_change[one, 1 + other] += s_
                rates_change[other, 1 + one] -= s_
            tx, ty, tz = by_q * rates[0, j], by_q * rates[1, j], by_q * rates[2, j]
            dx, dy, dz = by_v * rates[0, j], by_v * rates[1, j], by_v * rates[2, j]
            du, dv, dw = by_a * rates[0, j], by_a * rates[1, j], by_a * rates[2, j]
            for i in range(4):
                speed, push = v[p + i], a[p + i]
                dx += rates_change[0, i] * speed
                dy += rates_change[1, i] * speed
                dz += rates_change[2, i] * speed
                du += rates_change[0, i] * push
                dv += rates_change[1, i] * push
                dw += rates_change[2, i] * push
            d_stretch = 2.0 * (by_q * v[p + j] + by_v * q[p + j]) / square - stretch * shrink
            du -= d_stretch * x + stretch * dx
            dv -= d_stretch * y + stretch * dy
            dw -= d_stretch * z + stretch * dz
            d_out = by_q * a[p + j] + by_a * q[p + j] + 2.0 * by_v * v[p + j]
            # A (δπ̄ × β + δβ)
            cx, cy, cz = cross(tx, ty, tz, bx, by, bz)
            ex, ey, ez = cross(du, dv, dw, sx, sy, sz)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            ex, ey, ez = cross(dx, dy, dz, rx, ry, rz)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            ex, ey, ez = cross(dx, dy, dz, sx, sy, sz)
            ex, ey, ez = cross(x, y, z, ex, ey, ez)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            for i in range(3):
                blocks[k, i, 3 + j] = axes[i, 0] * cx + axes[i, 1] * cy + axes[i, 2] * cz
            # δμ, with δf = f × δπ̄
            gx, gy, gz = cross(fx, fy, fz, tx, ty, tz)
            cx, cy, cz = cross(sx, sy, sz, gx, gy, gz)
            cx += tensor[0, 0] * du + tensor[0, 1] * dv + tensor[0, 2] * dw
            cy += tensor[1, 0] * du + tensor[1, 1] * dv + tensor[1, 2] * dw
            cz += tensor[2, 0] * du + tensor[2, 1] * dv + tensor[2, 2] * dw
            cx += tensor_rate[0, 0] * dx + tensor_rate[0, 1] * dy + tensor_rate[0, 2] * dz
            cy += tensor_rate[1, 0] * dx + tensor_rate[1, 1] * dy + tensor_rate[1, 2] * dz
            cz += tensor_rate[2, 0] * dx + tensor_rate[2, 1] * dy + tensor_rate[2, 2] * dz
            ex, ey, ez = cross(dx, dy, dz, lx, ly, lz)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            ex = tensor[0, 0] * dx + tensor[0, 1] * dy + tensor[0, 2] * dz
            ey = tensor[1, 0] * dx + tensor[1, 1] * dy + tensor[1, 2] * dz
            ez = tensor[2, 0] * dx + tensor[2, 1] * dy + tensor[2, 2] * dz
            ex, ey, ez = cross(x, y, z, ex, ey, ez)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            for i in range(4):
                value = rates_change[0, i] * mx + rates_change[1, i] * my + rates_change[2, i] * mz
                value += rates[0, i] * cx + rates[1, i] * cy + rates[2, i] * cz
                blocks[k, 3 + i, 3 + j] = value + along_p * d_out * q[p + i]
            blocks[k, 3 + j, 3 + j] += along_p * out * by_q
            for i in range(r):
                value = slope[0, i] * gx + slope[1, i] * gy + slope[2, i] * gz
                value += coupling[0, i] * du + coupling[1, i] * dv + coupling[2, i] * dw
                value -= (right[0, i] - left[0, i] + speeding[0, i]) * dx
                value -= (right[1, i] - left[1, i] + speeding[1, i]) * dy
                value -= (right[2, i] - left[2, i] + speeding[2, i]) * dz
                blocks[k, 7 + i, 3 + j] = value

        # Columns of q_f: δs = S δq_f, δS = L δq_f, δB = Ĝ δq_f.
        for j in range(r):
            px, py, pz = by_q * slope[0, j], by_q * slope[1, j], by_q * slope[2, j]
            cx, cy, cz = cross(x, y, z, px, py, pz)
            cx += 2.0 * (by_q * bow[0, j] + by_v * slope[0, j])
            cy += 2.0 * (by_q * bow[1, j] + by_v * slope[1, j])
            cz += 2.0 * (by_q * bow[2, j] + by_v * slope[2, j])
            cx, cy, cz = cross(x, y, z, cx, cy, cz)
            ex, ey, ez = cross(u, v_, w, px, py, pz)
            cx += ex + by_q * pushed[0, j] + by_a * slope[0, j] + 2.0 * by_v * bow[0, j]
            cy += ey + by_q * pushed[1, j] + by_a * slope[1, j] + 2.0 * by_v * bow[1, j]
            cz += ez + by_q * pushed[2, j] + by_a * slope[2, j] + 2.0 * by_v * bow[2, j]
            for i in range(3):
                blocks[k, i, 7 + j] = axes[i, 0] * cx + axes[i, 1] * cy + axes[i, 2] * cz
            cx, cy, cz = cross(
                x, y, z, by_q * (speeding[0, j] + right[0, j]) + by_v * coupling[0, j],
                by_q * (speeding[1, j] + right[1, j]) + by_v * coupling[1, j],
                by_q * (speeding[2, j] + right[2, j]) + by_v * coupling[2, j],
            )  # fmt: skip
            ex, ey, ez = cross(px, py, pz, fx, fy, fz)
            cx += ex + by_q * (bending[0, j] + gyrated[0, j]) + by_a * coupling[0, j]
            cy += ey + by_q * (bending[1, j] + gyrated[1, j]) + by_a * coupling[1, j]
            cz += ez + by_q * (bending[2, j] + gyrated[2, j]) + by_a * coupling[2, j]
            cx += by_v * (speeding[0, j] + right[0, j] + left[0, j])
            cy += by_v * (speeding[1, j] + right[1, j] + left[1, j])
            cz += by_v * (speeding[2, j] + right[2, j] + left[2, j])
            for i in range(4):
                blocks[k, 3 + i, 7 + j] = rates[0, i] * cx + rates[1, i] * cy + rates[2, i] * cz
        o, across = places[k, 3], r * r
        for i in range(r):
            for j in range(r):
                own, swapped = gyration + i * r + j, gyration + j * r + i
                value = by_a * numbers[flexible + i * r + j]
                value += by_q * elastic[o + i * r + j] + by_v * elastic[o + across + i * r + j]
                for c, turn, speed in ((0, u, x), (1, v_, y), (2, w, z)):
                    value += (by_q * turn + by_v * speed) * numbers[swapped + c * across]
                    value -= by_v * speed * numbers[own + c * across]
                for c, both in (
                    (0, x * x),
                    (1, y * y),
                    (2, z * z),
                    (3, 2.0 * x * y),
                    (4, 2.0 * x * z),
                    (5, 2.0 * y * z),
                ):
                    value -= by_q * both * numbers[curvature + c * across + i * r + j]
                if curved:
                    for c, pull in ((0, fx), (1, fy), (2, fz)):
                        value += by_q * pull * numbers[quadratic + 1 + c * across + i * r + j]
                blocks[k, 7 + i, 7 + j] = value
