"""Building blocks of constraints: scalar equations between two markers, and their derivatives.

Notation of Haug (1989): i and j are the markers, P their positions, d = P_j − P_i, a and b their axes. Each
function returns values (k,) and rows (k, 12) over the virtual motions [δP_i, δπ_i, δP_j, δπ_j] in the inertial
frame, where an axis changes by δa = δπ × a.
"""

from dataclasses import dataclass

import numpy as np

from faying.multibody.kernels import kernels
from faying.multibody.markers import MarkerMotion
from faying.spatial.rotations import cross

Rows = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of one constraint.

    Attributes:
        values: (k,) zero when it is met.
        rows: (k, 6 m) derivatives over the virtual displacements and rotations of its m markers.
        words: what each equation holds: "displacement along x", …
    """

    values: np.ndarray
    rows: np.ndarray
    words: tuple[str, ...]


def stack(*parts: Rows, words: tuple[str, ...]) -> Equations:
    """Return several building blocks as the equations of one constraint."""
    values, rows = zip(*parts, strict=True)
    return Equations(np.concatenate(values), np.concatenate(rows), words)


def coincident(i: MarkerMotion, j: MarkerMotion) -> Rows:
    """Return P_j − P_i = 0 along the axes of i (3 equations)."""
    return _along(i, j, _ALL)


def along(i: MarkerMotion, j: MarkerMotion, axis: int) -> Rows:
    """Return a · d for an axis of i: how far j has moved along it."""
    return _along(i, j, _ALL[axis : axis + 1])


def between_axes(i: MarkerMotion, j: MarkerMotion, axis_i: int, axis_j: int) -> Rows:
    """Return a · b: zero where an axis of i and one of j are at right angles."""
    return _between_axes(i, j, np.array([[axis_i, axis_j]]))


def parallel_z(i: MarkerMotion, j: MarkerMotion) -> Rows:
    """Return x_i · z_j and y_i · z_j (2 equations): zero where the z axes are parallel."""
    return _between_axes(i, j, _AXES_AND_Z)


def no_turning(i: MarkerMotion, j: MarkerMotion) -> Rows:
    """Return y_i · z_j, z_i · x_j, x_i · y_j (3 equations): zero where all axes are parallel.

    Near there they are the small rotation of j against i about x, y and z of i (with the signs − − −).
    """
    return _between_axes(i, j, _EACH_AND_NEXT)


_ALL = np.arange(3)
_AXES_AND_Z = np.array([[0, 2], [1, 2]])
_EACH_AND_NEXT = np.array([[1, 2], [2, 0], [0, 1]])


def _along(i: MarkerMotion, j: MarkerMotion, axes: np.ndarray) -> Rows:
    values, rows = kernels().along(i.position, i.axes, j.position, axes)
    return values, rows


def _between_axes(i: MarkerMotion, j: MarkerMotion, pairs: np.ndarray) -> Rows:
    values, rows = kernels().between_axes(i.axes, j.axes, pairs)
    return values, rows


def length(i: MarkerMotion, j: MarkerMotion) -> Rows:
    """Return |d|; its derivative is zero where the markers coincide."""
    d = j.position - i.position
    size = float(np.linalg.norm(d))
    e = d / size if size > 0.0 else np.zeros(3)
    return np.array([size]), np.concatenate([-e, np.zeros(3), e, np.zeros(3)])[None]


def angle_about_z(i: MarkerMotion, j: MarkerMotion) -> Rows:
    """Return the angle from x_i to the projection of x_j, about z_i, in (−π, π]."""
    x, y, b = i.axes[:, 0], i.axes[:, 1], j.axes[:, 0]
    cosine, sine = float(x @ b), float(y @ b)
    square = max(cosine**2 + sine**2, 1e-300)
    # d(angle) = (cos d(sin) − sin d(cos)) / square, each a product of two turning axes.
    turning = (cosine * cross(y, b) - sine * cross(x, b)) / square
    row = np.concatenate([np.zeros(3), turning, np.zeros(3), -turning])[None]
    return np.array([np.arctan2(sine, cosine)]), row


def unwrapped(angle: float, near: float) -> float:
    """Return the angle plus as many full turns as bring it next to another."""
    return angle + 2.0 * np.pi * round((near - angle) / (2.0 * np.pi))
