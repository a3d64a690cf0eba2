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
