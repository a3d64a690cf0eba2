"""Contact at points of two parts: gaps of shapes by formula, generalised forces on the frames (`faying.compiled`).

They run in each evaluation of contact. In NumPy most of their time would be that of the calls: a part touches at a few
points.
"""

import numpy as np

from faying.compiled import compiled
from faying.multibody.inertia_kernels import cross

Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _gaps_within(
    distances: np.ndarray, normals: np.ndarray, curved: np.ndarray, along: np.ndarray, reach: float
) -> Rows:
    near = np.flatnonzero(np.abs(distances) <= reach)
    normal, along = normals[near], along[near]
    least = np.eye(3)[np.abs(normal).argmin(axis=1)]
    given = np.abs(np.einsum("nc,nc->n", along, normal)) < 0.5
    second = np.where((given & along.any(axis=1))[:, None], along, np.cross(normal, least))
    second = second / np.linalg.norm(second, axis=1, keepdims=True)
    hessians = np.zeros((len(near), 4, 4))
    hessians[:, 0, 0], hessians[:, 1, 1] = curved[near].T
    return near, distances[near], normal, np.stack([np.cross(second, normal), second], axis=1), hessians


@compiled(plain=_gaps_within, reorder=False)
def gaps_within(
    distances: np.ndarray, normals: np.ndarray, curved: np.ndarray, along: np.ndarray, reach: float
) -> Rows:
    """Return of points within reach of a shape their numbers (m,), gaps (m,), normals, directions and Hessians.

    The last three are (m, 3), (m, 2, 3) and (m, 4, 4) as in `faying.multibody.contacts.gaps.SurfaceGaps`.

    Args:
        distances: (n,) of all points from the surface, negative inside.
        normals: (n, 3) unit vectors, outward.
        curved: (n, 2) second derivatives of the distance in two directions square to the normal.
        along: (n, 3) the second of these directions; zero for any.
        reach: distance, outside and inside.
    """
    count = 0
    for point in range(len(distances)):
        count += abs(distances[point]) <= reach
    near, gaps, found = np.empty(count, np.int64), np.empty(count), np.empty((count, 3))
    directions, hessians = np.empty((count, 2, 3)), np.zeros((count, 4, 4))
    m = 0
    for point in range(len(distances)):
        if not abs(distances[point]) <= reach:
            continue
        near[m], gaps[m] = point, distances[point]
        x, y, z = normals[point, 0], normals[point, 1], normals[point, 2]
        u, v, w = along[point, 0], along[point, 1], along[point, 2]
        if (u == 0.0 and v == 0.0 and w == 0.0) or abs(u * x + v * y + w * z) >= 0.5:
            # Square to the normal, and to the axis that is farthest from it.
            if abs(x) <= abs(y) and abs(x) <= abs(z):
                u, v, w = 0.0, z, -y
            elif abs(y) <= abs(z):
                u, v, w = -z, 0.0, x
            else:
                u, v, w = y, -x, 0.0
        length = np.sqrt(u * u + v * v + w * w)
        u, v, w = u / length, v / length, w / length
        found[m, 0], found[m, 1], found[m, 2] = x, y, z
        directions[m, 0, 0], directions[m, 0, 1], directions[m, 0, 2] = cross(u, v, w, x, y, z)
        directions[m, 1, 0], directions[m, 1, 1], directions[m, 1, 2] = u, v, w
        hessians[m, 0, 0], hessians[m, 1, 1] = curved[point, 0], curved[point, 1]
        m += 1
    return near, gaps, found, directions, hessians


def _write_on_frames(
    found: np.ndarray, forces: np.ndarray, places: np.ndarray, turned: np.ndarray, axes: np.ndarray,
    body: np.ndarray, spatial: np.ndarray, n: int,
) -> None:  # fmt: skip
    inertial = forces @ axes.T
    total = inertial.sum(axis=1)
    if n:
        found[:, :3] = -total
        found[:, 3:7] = _moments(forces, places) @ body
    if found.shape[1] > n:
        found[:, n : n + 3] = total
        found[:, n + 3 : n + 7] = -_moments(inertial, turned) @ spatial


def _moments(forces: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return (s, 3) Σ f × y of sets of forces (s, m, 3) at places (m, 3)."""
    products = np.swapaxes(forces, 1, 2) @ places
    return np.asarray((products - np.swapaxes(products, 1, 2))[:, (1, 2, 0), (2, 0, 1)])


@compiled(plain=_write_on_frames, reorder=False)
def write_on_frames(
    found: np.ndarray, forces: np.ndarray, places: np.ndarray, turned: np.ndarray, axes: np.ndarray,
    body: np.ndarray, spatial: np.ndarray, n: int,
) -> None:  # fmt: skip
    """Write the generalised forces of contact on the position and the Euler parameters of both parts.

    Args:
        found: (s, k) coordinates of the master, then of the slave; those of deformations stay as they are.
        forces: (s, m, 3) sets of forces on the slave in the master's frame; the opposite acts on the master.
        places: (m, 3) where they act, in the master's frame.
        turned: (m, 3) from the origin of the slave's frame to there, in the inertial frame.
        axes: (3, 3) of the master.
        body: (3, 4) H̄ of the master, and `spatial` (3, 4) H of the slave.
        n: number of the master's coordinates; 0 for ground, and k where the slave is ground.
    """
    for s in range(len(forces)):
        tx = ty = tz = mx = my = mz = ux = uy = uz = 0.0
        for point in range(len(places)):
            x, y, z = forces[s, point, 0], forces[s, point, 1], forces[s, point, 2]
            u, v, w = cross(x, y, z, places[point, 0], places[point, 1], places[point, 2])
            mx, my, mz = mx + u, my + v, mz + w
            u = axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z
            v = axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z
            w = axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z
            tx, ty, tz = tx + u, ty + v, tz + w
            u, v, w = cross(turned[point, 0], turned[point, 1], turned[point, 2], u, v, w)
            ux, uy, uz = ux + u, uy + v, uz + w
        if n:
            found[s, 0], found[s, 1], found[s, 2] = -tx, -ty, -tz
            for j in range(4):
                found[s, 3 + j] = mx * body[0, j] + my * body[1, j] + mz * body[2, j]
        if found.shape[1] > n:
            found[s, n], found[s, n + 1], found[s, n + 2] = tx, ty, tz
            for j in range(4):
                found[s, n + 3 + j] = ux * spatial[0, j] + uy * spatial[1, j] + uz * spatial[2, j]
