"""Where edges of two rigid surfaces cross each other, as a kernel (`faying.compiled`)."""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import cross

_PARALLEL = 0.05  # sine of the angle below which edges lie along each other and do not cross
_ENDS = 1e-3  # of an edge's length: the ends belong to its corners
_ASIDE = 0.05  # cosine by which a normal may miss the directions in which an edge supports a surface


@compiled(reorder=False)
def find_crossings(
    slave: np.ndarray, slave_inward: np.ndarray, master: np.ndarray, master_inward: np.ndarray,
    slave_depths: np.ndarray, master_depths: np.ndarray, reach: float,
    away: np.ndarray, pairs: np.ndarray, found: np.ndarray,
) -> int:  # fmt: skip
    """Write the crossings of edges within reach; return their number m.

    Two edges touch along the common perpendicular of their lines where it meets both between their ends, and where each
    of both bodies, convex there, lies on its own side: then the edges are a face of the Minkowski difference of both
    bodies (Gregorius 2013).

    Args:
        slave, master: (k, 2, 3) and (l, 2, 3) ends of the edges, in one frame.
        slave_inward, master_inward: (k, 2, 3) and (l, 2, 3) from each edge into its two facets.
        slave_depths, master_depths: (k,) and (l,) largest penetrations: beyond, the other side of the body is nearer.
        reach: distance, outside and inside.
        away: (k l,) written: distances of the edges from each other, or lower bounds.
        pairs: (k l,) written: numbers of the pairs that cross.
        found: (k l, 6) written: gap, normal (3) from master to slave, positions along the edges of slave and master.
    """
    m = 0
    for i in range(len(slave)):
        ux, uy, uz = (
            slave[i, 1, 0] - slave[i, 0, 0],
            slave[i, 1, 1] - slave[i, 0, 1],
            slave[i, 1, 2] - slave[i, 0, 2],
        )
        uu = ux * ux + uy * uy + uz * uz
        for j in range(len(master)):
            k = i * len(master) + j
            wx, wy, wz = (
                master[j, 1, 0] - master[j, 0, 0], master[j, 1, 1] - master[j, 0, 1], master[j, 1, 2] - master[j, 0, 2]
            )  # fmt: skip
            rx, ry, rz = (
                slave[i, 0, 0] - master[j, 0, 0], slave[i, 0, 1] - master[j, 0, 1], slave[i, 0, 2] - master[j, 0, 2]
            )  # fmt: skip
            ww = wx * wx + wy * wy + wz * wz
            mx, my, mz = rx + 0.5 * (ux - wx), ry + 0.5 * (uy - wy), rz + 0.5 * (uz - wz)
            away[k] = np.sqrt(mx * mx + my * my + mz * mz) - 0.5 * (np.sqrt(uu) + np.sqrt(ww))
            if away[k] > reach:
                continue
            uw, ur, wr = ux * wx + uy * wy + uz * wz, ux * rx + uy * ry + uz * rz, wx * rx + wy * ry + wz * rz
            square = uu * ww - uw * uw
            crosses = square > _PARALLEL * _PARALLEL * uu * ww
            s = (uw * wr - ur * ww) / square if crosses else 0.0
            t = (uu * wr - ur * uw) / square if crosses else 0.0
            inside = crosses and min(s, t) > _ENDS and max(s, t) < 1.0 - _ENDS
            if not inside:
                # Closest points of both segments (Ericson 2005, section 5.1.9).
                s = min(max(s, 0.0), 1.0)
                t = (uw * s + wr) / ww
                if t < 0.0 or t > 1.0:
                    t = min(max(t, 0.0), 1.0)
                    s = min(max((uw * t - ur) / uu, 0.0), 1.0)
            dx, dy, dz = rx + s * ux - t * wx, ry + s * uy - t * wy, rz + s * uz - t * wz
            away[k] = np.sqrt(dx * dx + dy * dy + dz * dz)
            if not inside or abs(away[k]) > reach:
                continue
            x, y, z = cross(ux, uy, uz, wx, wy, wz)
            size = np.sqrt(x * x + y * y + z * z)
            out = 0.0
            for a in range(2):
                out -= x * master_inward[j, a, 0] + y * master_inward[j, a, 1] + z * master_inward[j, a, 2]
                out += x * slave_inward[i, a, 0] + y * slave_inward[i, a, 1] + z * slave_inward[i, a, 2]
            size = size if out >= 0.0 else -size
            x, y, z = x / size, y / size, z / size
            supports = True
            for a in range(2):
                one = x * master_inward[j, a, 0] + y * master_inward[j, a, 1] + z * master_inward[j, a, 2]
                other = x * slave_inward[i, a, 0] + y * slave_inward[i, a, 1] + z * slave_inward[i, a, 2]
                supports = supports and one <= _ASIDE and other >= -_ASIDE
            gap = x * dx + y * dy + z * dz
            if not supports or gap < -min(slave_depths[i], master_depths[j]):
                continue
            away[k] = gap
            pairs[m] = k
            found[m, 0], found[m, 1], found[m, 2], found[m, 3], found[m, 4], found[m, 5] = gap, x, y, z, s, t
            m += 1
    return m
