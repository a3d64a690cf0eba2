"""Rectangular, cylindrical and spherical coordinate systems of Nastran and Ansys."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class CoordinateSystem:
    """A coordinate system: kind "R", "C" or "S", origin (3,), and its axes as rows (3, 3)."""

    kind: str
    origin: np.ndarray
    axes: np.ndarray

    def to_global(self, points: np.ndarray) -> np.ndarray:
        """Return (n, 3) global Cartesian coordinates of points in this frame; angles are in degrees."""
        x, y, z = points.T
        if self.kind == "C":
            angle = np.radians(y)
            points = np.stack([x * np.cos(angle), x * np.sin(angle), z], axis=1)
        elif self.kind == "S":
            # Radius, angle from the z axis, angle about it.
            polar, azimuth = np.radians(y), np.radians(z)
            sine = np.sin(polar)
            points = x[:, None] * np.stack(
                [sine * np.cos(azimuth), sine * np.sin(azimuth), np.cos(polar)], axis=1
            )
        return np.asarray(self.origin + points @ self.axes)

    def directions(self, points: np.ndarray) -> np.ndarray:
        """Return (n, 3, 3) unit vectors of the system's directions at global points (n, 3), as rows.

        Cylindrical: radius, angle, axis. Spherical: radius, angle from the axis, angle about it. On the axis the angle
        is measured from the frame's first axis.
        """
        if self.kind == "R":
            return np.broadcast_to(self.axes, (len(points), 3, 3)).copy()
        own = (points - self.origin) @ self.axes.T
        angle = np.arctan2(own[:, 1], own[:, 0])
        zero = np.zeros(len(own))
        radial = np.stack([np.cos(angle), np.sin(angle), zero], axis=1)
        around = np.stack([-np.sin(angle), np.cos(angle), zero], axis=1)
        axis = np.broadcast_to([0.0, 0.0, 1.0], radial.shape)
        if self.kind == "C":
            local = np.stack([radial, around, axis], axis=1)
        else:
            polar = np.arctan2(np.hypot(own[:, 0], own[:, 1]), own[:, 2])[:, None]
            outward = np.sin(polar) * radial + np.cos(polar) * axis
            local = np.stack([outward, np.cos(polar) * radial - np.sin(polar) * axis, around], axis=1)
        return np.asarray(local @ self.axes)


BASIC = CoordinateSystem("R", np.zeros(3), np.eye(3))
