"""Forces along the line of two markers: its length, and how they change as it moves."""

import math

import numpy as np

from faying.multibody.markers import MarkerMotion


def line_of(i: MarkerMotion, j: MarkerMotion) -> tuple[float, float, np.ndarray]:
    """Return distance, its rate, and the unit vector (3,) from the first to the second; zero where they coincide."""
    d, rate = j.position - i.position, j.velocity - i.velocity
    size = math.sqrt(d @ d)
    along = d / size if size > 0.0 else np.zeros(3)
    return size, float(rate @ along), along


def changes_along_line(
    i: MarkerMotion, j: MarkerMotion, pull: float, by_size: float, by_rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return (12, 12) changes of the wrenches of a pull with virtual motions of the markers and with their velocities.

    With d = P_j − P_i = l u the pull F(l, l̇) u changes with d by F_l u uᵀ + F (I − u uᵀ)/l, and with l̇, which also
    changes as the line turns. The lever has no moment, wherever the markers are.

    Args:
        i, j: the markers, not in one place.
        pull: F, towards each other.
        by_size, by_rate: F_l and the derivative by l̇.
    """
    size, _, along = line_of(i, j)
    outer = along[:, None] * along
    across = (np.eye(3) - outer) / size
    turning = across @ (j.velocity - i.velocity)
    by_ends = by_size * outer + pull * across + by_rate * along[:, None] * turning
    by_place, by_speed = np.zeros((2, 12, 12))
    for change, own in ((by_place, by_ends), (by_speed, by_rate * outer)):
        change[:3, 6:9] = change[6:9, :3] = own
        change[:3, :3] = change[6:9, 6:9] = -own
    return by_place, by_speed
