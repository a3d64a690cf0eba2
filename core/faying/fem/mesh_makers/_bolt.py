"""The mesh of a bolt in one piece with its hexagonal head and nut."""

from math import pi

import numpy as np

from faying.fem.mesh_makers._bricks import BrickMesh, extruded, merged
from faying.fem.mesh_makers._sections import between, disc_of_size, joined, round_outline, steps

_CORNER = 0.25 * pi  # angle of one corner of the hexagon
HEXAGON = 0.5 * 3.0**0.5
"""Area of a hexagon over the square of its width across flats."""


def bolt_bricks(
    diameter: float, across: float, nut: float, grip: float, head: float, size: float
) -> BrickMesh:
    """Return a bolt along z: nut below z = 0, shank along the grip, head above.

    Args:
        diameter: shank diameter.
        across: width of head and nut across flats.
        nut, grip, head: heights.
        size: approximate element size.
    """
    radius = 0.5 * diameter
    shank = disc_of_size(radius, size, 3)  # corners of the hexagon coincide with points of its edge
    away = np.linalg.norm(shank.points, axis=1)
    rim = shank.points[away > radius * (1.0 - 1e-9)]
    angles = np.sort(np.arctan2(rim[:, 1], rim[:, 0]))
    from_flat = np.mod(angles - _CORNER, pi / 3.0) - pi / 6.0
    hexagon = 0.5 * across / np.cos(from_flat)[:, None] * round_outline(1.0, angles)
    rows = steps(0.5 * across - radius, size)
    wide = joined([shank, between([round_outline(radius, angles), hexagon], [rows])], 1e-6 * radius)

    def layers(low: float, high: float) -> np.ndarray:
        return np.linspace(low, high, steps(high - low, size, 2) + 1)

    parts = [
        extruded(wide, layers(-nut, 0.0)), extruded(shank, layers(0.0, grip)),
        extruded(wide, layers(grip, grip + head)),
    ]  # fmt: skip
    return merged(parts, 1e-6 * radius)
