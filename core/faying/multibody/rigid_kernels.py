"""Equations of motion of rigid parts at once, as a kernel (`faying.compiled`), without matrices.

Notation of `faying.multibody.inertia`; a rigid part has no q_f. Every sum is that of one part, so that the work grows
with the number of parts alone. Numbers are read one by one, as in `faying.multibody.inertia_kernels`.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import cross, write_frame


@compiled(reorder=False)
def write_imbalance(
    force: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, gravity: np.ndarray,
    starts: np.ndarray, numbers: np.ndarray,
) -> None:  # fmt: skip
    """Write M a − Q of rigid parts, with Q their quadratic velocity forces and weight.

    Args:
        force: (n,) see above; other coordinates stay as they are.
        q, v, a: (n,) coordinates, velocities, accelerations.
        gravity: (3,) in the inertial frame.
        starts: (parts,) where the coordinates of each part begin.
        numbers: (parts, 11) m, the factor along p, s, and J: the diagonal, then xy, xz, yz.
    """
    both = np.empty((2, 3, 4))
    axes, rates = both[0], both[1]
    for k in range(len(starts)):
        at, p = starts[k], starts[k] + 3
        mass, along_p = numbers[k, 0], numbers[k, 1]
        sx, sy, sz = numbers[k, 2], numbers[k, 3], numbers[k, 4]
        jx, jy, jz = numbers[k, 5], numbers[k, 6], numbers[k, 7]
        jxy, jxz, jyz = numbers[k, 8], numbers[k, 9], numbers[k, 10]
        write_frame(axes, rates, q, p)
        # ω̄ = H̄ ṗ, ᾱ = H̄ p̈ − stretch ω̄ with 2 p · ṗ/|p|², and p · p̈ + |ṗ|², which vanishes on the unit sphere.
        x = y = z = u = v_ = w = along = square = out = 0.0
        for j in range(4):
            speed, push, place = v[p + j], a[p + j], q[p + j]
            x, y, z = x + rates[0, j] * speed, y + rates[1, j] * speed, z + rates[2, j] * speed
            u, v_, w = u + rates[0, j] * push, v_ + rates[1, j] * push, w + rates[2, j] * push
            along, square = along + place * speed, square + place * place
            out += place * push + speed * speed
        stretch = 2.0 * along / square
        u, v_, w = u - stretch * x, v_ - stretch * y, w - stretch * z
        # (a_R − g) in the inertial frame and in the part's.
        ax, ay, az = a[at] - gravity[0], a[at + 1] - gravity[1], a[at + 2] - gravity[2]
        fx = axes[0, 0] * ax + axes[1, 0] * ay + axes[2, 0] * az
        fy = axes[0, 1] * ax + axes[1, 1] * ay + axes[2, 1] * az
        fz = axes[0, 2] * ax + axes[1, 2] * ay + axes[2, 2] * az
        # Row of R: m (a_R − g) + A (ᾱ × s + ω̄ × (ω̄ × s)).
        bx, by, bz = cross(x, y, z, sx, sy, sz)
        bx, by, bz = cross(x, y, z, bx, by, bz)
        cx, cy, cz = cross(u, v_, w, sx, sy, sz)
        bx, by, bz = bx + cx, by + cy, bz + cz
        force[at] = mass * ax + axes[0, 0] * bx + axes[0, 1] * by + axes[0, 2] * bz
        force[at + 1] = mass * ay + axes[1, 0] * bx + axes[1, 1] * by + axes[1, 2] * bz
        force[at + 2] = mass * az + axes[2, 0] * bx + axes[2, 1] * by + axes[2, 2] * bz
        # Row of p: H̄ᵀ (s × Aᵀ (a_R − g) + J ᾱ + ω̄ × J ω̄).
        bx, by, bz = cross(
            x, y, z, jx * x + jxy * y + jxz * z, jxy * x + jy * y + jyz * z, jxz * x + jyz * y + jz * z
        )
        cx, cy, cz = cross(sx, sy, sz, fx, fy, fz)
        bx += cx + jx * u + jxy * v_ + jxz * w
        by += cy + jxy * u + jy * v_ + jyz * w
        bz += cz + jxz * u + jyz * v_ + jz * w
        for j in range(4):
            force[p + j] = rates[0, j] * bx + rates[1, j] * by + rates[2, j] * bz + along_p * out * q[p + j]


@compiled(reorder=False)
def write_imbalance_changes(
    blocks: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, gravity: np.ndarray,
    weights: np.ndarray, starts: np.ndarray, numbers: np.ndarray,
) -> None:  # fmt: skip
    """Write the weighted sum of the derivatives of `write_imbalance` over q, v and a.

    Column by column it is the change as q, v and a grow together, each by its weight.

    Args:
        blocks: (parts, 7, 7) zeros, see above.
        q, v, a, gravity, starts, numbers: as `write_imbalance` takes them.
        weights: (3,) of the derivatives over q, v and a.
    """
    both = np.empty((3, 3, 4))
    axes, rates, rates_change = both[0], both[1], both[2]
    by_q, by_v, by_a = weights[0], weights[1], weights[2]
    for k in range(len(starts)):
        at, p = starts[k], starts[k] + 3
        mass, along_p = numbers[k, 0], numbers[k, 1]
        sx, sy, sz = numbers[k, 2], numbers[k, 3], numbers[k, 4]
        jx, jy, jz = numbers[k, 5], numbers[k, 6], numbers[k, 7]
        jxy, jxz, jyz = numbers[k, 8], numbers[k, 9], numbers[k, 10]
        write_frame(axes, rates, q, p)
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
        # β = ᾱ × s + ω̄ × (ω̄ × s), L = J ω̄ and μ = s × Aᵀ (a_R − g) + J ᾱ + ω̄ × L, as there.
        rx, ry, rz = cross(x, y, z, sx, sy, sz)
        bx, by, bz = cross(x, y, z, rx, ry, rz)
        cx, cy, cz = cross(u, v_, w, sx, sy, sz)
        bx, by, bz = bx + cx, by + cy, bz + cz
        lx, ly, lz = jx * x + jxy * y + jxz * z, jxy * x + jy * y + jyz * z, jxz * x + jyz * y + jz * z
        mx, my, mz = cross(x, y, z, lx, ly, lz)
        cx, cy, cz = cross(sx, sy, sz, fx, fy, fz)
        mx += cx + jx * u + jxy * v_ + jxz * w
        my += cy + jxy * u + jy * v_ + jyz * w
        mz += cz + jxz * u + jyz * v_ + jz * w
        # Columns of R: only a_R counts.
        for j in range(3):
            blocks[k, j, j] = by_a * mass
            cx, cy, cz = cross(sx, sy, sz, axes[j, 0], axes[j, 1], axes[j, 2])
            for i in range(4):
                blocks[k, 3 + i, j] = by_a * (rates[0, i] * cx + rates[1, i] * cy + rates[2, i] * cz)
        for j in range(4):
            # δH̄ = H̄ of δp less H̄ times 2 p · δp/|p|²; the frame turns by δπ̄ = H̄ δp.
            shrink, s = 2.0 * by_q * q[p + j] / square, 2.0 * by_q / square
            for c in range(3):
                for i in range(4):
                    rates_change[c, i] = -shrink * rates[c, i]
            if j == 0:
                for c in range(3):
                    rates_change[c, c + 1] += s
            else:
                one, other = (j % 3), (j + 1) % 3
                rates_change[j - 1, 0] -= s
                rates_change[one, 1 + other] += s
                rates_change[other, 1 + one] -= s
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
            # δμ
            ex, ey, ez = cross(tx, ty, tz, fx, fy, fz)
            cx, cy, cz = cross(ex, ey, ez, sx, sy, sz)
            cx += jx * du + jxy * dv + jxz * dw
            cy += jxy * du + jy * dv + jyz * dw
            cz += jxz * du + jyz * dv + jz * dw
            ex, ey, ez = cross(dx, dy, dz, lx, ly, lz)
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            ex, ey, ez = cross(
                x, y, z, jx * dx + jxy * dy + jxz * dz, jxy * dx + jy * dy + jyz * dz, jxz * dx + jyz * dy + jz * dz
            )  # fmt: skip
            cx, cy, cz = cx + ex, cy + ey, cz + ez
            for i in range(4):
                value = rates_change[0, i] * mx + rates_change[1, i] * my + rates_change[2, i] * mz
                value += rates[0, i] * cx + rates[1, i] * cy + rates[2, i] * cz
                blocks[k, 3 + i, 3 + j] = value + along_p * d_out * q[p + i]
            blocks[k, 3 + j, 3 + j] += along_p * out * by_q
