"""Equations of constraints over virtual motions of their markers, and the angle between two markers."""

from dataclasses import dataclass

import numpy as np

from faying.multibody.markers import MarkerMotion
from faying.spatial.rotations import cross, skew


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of one constraint.

    Attributes:
        values: (k,) zero when it is met.
        rows: (k, 6 m) derivatives over the virtual displacements and rotations of its m markers.
        words: quantity that each equation holds: "displacement along x", …
    """

    values: np.ndarray
    rows: np.ndarray
    words: tuple[str, ...]


def angle_about_z(i: MarkerMotion, j: MarkerMotion) -> float:
    """Return the angle from x_i to the projection of x_j, about z_i, in (−π, π]."""
    x, y, b = i.axes[:, 0], i.axes[:, 1], j.axes[:, 0]
    return float(np.arctan2(float(y @ b), float(x @ b)))


def angle_row_about_z(i: MarkerMotion, j: MarkerMotion) -> np.ndarray:
    """Return the derivatives (1, 12) of that angle over [δP_i, δπ_i, δP_j, δπ_j].

    All are in the inertial frame, where an axis changes by δπ × a.
    """
    x, y, b = i.axes[:, 0], i.axes[:, 1], j.axes[:, 0]
    cosine, sine = float(x @ b), float(y @ b)
    square = max(cosine**2 + sine**2, 1e-300)
    # d(angle) = (cos d(sin) − sin d(cos)) / square, each a product of two turning axes.
    turning = (cosine * cross(y, b) - sine * cross(x, b)) / square
    return np.asarray(np.concatenate([np.zeros(3), turning, np.zeros(3), -turning])[None])


def unwrapped(angle: float, near: float) -> float:
    """Return the angle plus as many full turns as bring it next to another."""
    return angle + 2.0 * np.pi * round((near - angle) / (2.0 * np.pi))


def unwrapped_vector(vector: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Return a rotation vector (3,) with as many full turns about its axis as bring it next to another."""
    size, reach = float(np.linalg.norm(vector)), float(np.linalg.norm(near))
    if size == 0.0 and reach == 0.0:
        return vector
    axis = vector / size if size > 0.0 else near / reach  # a full turn has no axis of its own
    return unwrapped(size, float(near @ axis)) * axis


def vector_rates(vector: np.ndarray) -> np.ndarray:
    """Return (3, 3) J with δφ = J δθ for a rotation δθ after that by the vector φ (Bauchau and Trainelli 2003)."""
    angle, turn = float(np.linalg.norm(vector)), skew(vector)
    if angle < 1e-3:
        factor = 1.0 / 12.0 + angle**2 / 720.0
    else:
        half = np.tan(0.5 * angle)
        # A full turn has no axis of its own: what turns it across is without bound there.
        half = np.copysign(max(abs(half), 1e-6), half)
        factor = 1.0 / angle**2 - 0.5 / (angle * half)
    return np.asarray(np.eye(3) - 0.5 * turn + factor * turn @ turn)
