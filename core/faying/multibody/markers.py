"""Markers: points with axes on the parts of a system, where constraints and forces act."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True, eq=False)
class MarkerMotion:
    """Where a marker is and how its part's coordinates move it; everything in the inertial frame.

    Attributes:
        position: (3,).
        axes: (3, 3) unit vectors of the marker in its columns.
        d_position: (3, n) ∂position/∂q of the part's n coordinates.
        d_rotation: (3, n): virtual rotation δπ = d_rotation δq, so that an axis a changes by δπ × a.
        velocity, spin: (3,) rates of change; zero where only positions matter.
    """

    position: np.ndarray
    axes: np.ndarray
    d_position: np.ndarray
    d_rotation: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray


class Marker(Protocol):
    """A marker of one part; it knows its part's coordinates and nothing else."""

    name: str

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return where the marker is for its part's coordinates (n,) and how fast it moves for velocities (n,)."""

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return (n, n) ∂/∂q of d_positionᵀ force + d_rotationᵀ moment at constant force and moment (3,)."""
