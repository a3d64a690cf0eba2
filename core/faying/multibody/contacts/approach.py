"""Speed of approach of surfaces, to limit steps so that none misses a first contact."""

import numpy as np

from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.surface import PartSurface, superposed
from faying.multibody.part import RIGID
from faying.spatial.rotations import body_rates, rotation_matrix, spatial_rates


def approach_speeds(
    slave: PartSurface, slave_q: np.ndarray, slave_v: np.ndarray, master_q: np.ndarray, master_v: np.ndarray
) -> np.ndarray:
    """Return (n, 3) velocities of the slave's nodes as the master's frame sees them.

    Args:
        slave: the surface.
        slave_q, slave_v, master_q, master_v: coordinates and velocities (7 + r,) of both parts; (0,) for ground.
    """
    velocities, places = np.zeros(slave.places.shape), slave.deformed(slave_q)
    if len(slave_q):
        axes = rotation_matrix(slave_q[3:RIGID])
        spin = spatial_rates(slave_q[3:RIGID]) @ slave_v[3:RIGID]
        places = places @ axes.T
        velocities = (
            slave_v[:3] + np.cross(spin, places) + superposed(slave.displacements, slave_v[RIGID:]) @ axes.T
        )
        places = places + slave_q[:3]
    if not len(master_q):
        return velocities
    axes = rotation_matrix(master_q[3:RIGID])
    turning = body_rates(master_q[3:RIGID]) @ master_v[3:RIGID]
    return np.asarray((velocities - master_v[:3]) @ axes - np.cross(turning, (places - master_q[:3]) @ axes))


def closing_rates(gaps: SurfaceGaps, velocities: np.ndarray, bending: np.ndarray) -> np.ndarray:
    """Return (m,) rates at which penetrations grow.

    Args:
        gaps: of m slave nodes.
        velocities: (m, 3) of these as the master's frame sees them.
        bending: (m, k, 3) of the master's nodes there; (m, 0, 3) of a shape by formula.
    """
    relative = velocities - np.einsum("mk,mkc->mc", gaps.shares, bending)
    return np.asarray(-np.einsum("mc,mc->m", gaps.normals, relative))


def touch_speeds(gaps: np.ndarray, rates: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return (m,) the speeds with which touches began, or will begin: zero of nodes that move away.

    On the way to a touch the square of the speed goes on to grow with the distance as it did since the last state,
    which is exact for a constant acceleration.

    Args:
        gaps: (m,) distances to the touch, negative once it has begun.
        rates: (m,) of the penetration.
        last: (m, 3) gaps, rates and these speeds of the last state, as in `ContactMemory.approach`.
    """
    now, (before, rate, known) = np.maximum(rates, 0.0), last.T
    way = np.where(np.isfinite(before), before, gaps) - gaps
    comes = (now > 0.0) & (rate > 0.0) & (way > 0.0)
    growth = np.where(comes, now**2 - np.where(comes, rate, 0.0) ** 2, 0.0) / np.where(comes, way, 1.0)
    ahead = np.sqrt(np.clip(now**2 + growth * np.maximum(gaps, 0.0), 0.0, 4.0 * now**2))
    return np.asarray(np.where((gaps < 0.0) & (known > 0.0), known, ahead))


def longest_approach(
    distances: np.ndarray, velocities: np.ndarray, bending: float, allowed: float | np.ndarray
) -> float:
    """Return the longest step after which no node that is outside now could be deeper inside than allowed.

    However a node moves, its distance from the master falls no faster than its own speed and that of the master's
    deformation together; so a lower bound of the distance does for nodes that are still far away.

    Args:
        distances: (n,) of the slave's nodes, or lower bounds; nodes inside count as touching.
        velocities: (n, 3) as the master's frame sees them.
        bending: largest speed of the master's nodes in its frame.
        allowed: depth, or (n,) depths; about half a facet, and not more than the reach of the search.

    Returns:
        Infinity when nothing moves.
    """
    speeds = np.linalg.norm(velocities, axis=1) + bending
    moving = speeds > 0.0
    if not moving.any():
        return float("inf")
    return float(((np.maximum(distances, 0.0) + allowed)[moving] / speeds[moving]).min())
