"""A disc that rolls on a plane."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations
from faying.params import parameter
from faying.spatial.rotations import cross, rotation_vector

_WORDS = ("slip along x", "slip along y", "distance from the plane")
_PLACE, _AXES = slice(0, 3), slice(3, 12)


@constraints.register("rolling")
class Rolling(Constraint):
    """A thin disc rolls on the x-y plane of the first marker without slipping: three equations.

    With d and A the place and the axes of the disc along those of the first marker, n = z, a = A z, and the point of
    contact ρ = −R (n − (n·a) a)/|n − (n·a) a| from the centre, the velocity of the disc at that point is zero:
    ḋ + ω × ρ = 0. Its component along n keeps the disc on the plane; the other two do not follow from any position
    (nonholonomic constraints; Neimark and Fufaev 1972). Over a step they read Δd + Δθ × (ρ₀ + ρ₁)/2 = 0, with Δθ the
    rotation since the last accepted state: of second order in the step, and exact for a disc that rolls straight on.
    """

    title: ClassVar[str] = "Rolling disc"
    holonomic: ClassVar[bool] = False

    first: str = parameter(
        title="First marker", choices="marker", meaning="Of the plane, which is spanned by its x and y."
    )
    second: str = parameter(
        title="Second marker", choices="marker", meaning="At the centre of the disc, z along its axis."
    )
    radius: float = parameter(
        10.0, title="Radius", quantity="length", gt=0.0, meaning="Radius R of the disc."
    )

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one of radius one."""
        return {**super().example(), "radius": 1.0}

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def outlines(self) -> tuple[tuple[int, np.ndarray], ...]:
        """Return points (n, 3) of the rim of the disc."""
        turns = np.linspace(0.0, 2.0 * np.pi, 61)
        return ((1, self.radius * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(61)])),)

    def first_angles(self) -> np.ndarray:
        """Return (12,) NaN: at the start nothing has rolled."""
        return np.full(12, np.nan)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (12,) place and axes of the disc along the axes of the plane, from which the next step rolls."""
        i, j = markers
        return np.concatenate([i.axes.T @ (j.position - i.position), (i.axes.T @ j.axes).ravel()])

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return the slip since the last accepted state along x and y, and the distance from the plane."""
        i, j = markers
        between = j.position - i.position
        place, turned = i.axes.T @ between, i.axes.T @ j.axes
        arm, slip = self._arm(turned), np.zeros(3)
        if np.isfinite(angles).all():
            before = angles[_AXES].reshape(3, 3)
            turn = rotation_vector(turned @ before.T)
            slip = place - angles[_PLACE] + cross(turn, 0.5 * (self._arm(before) + arm))
        values = np.array([slip[0], slip[1], place[2] + arm[2]])
        reach = i.axes @ arm
        rows = [np.concatenate([-w, cross(w, between + reach), w, cross(reach, w)]) for w in i.axes.T]
        return Equations(values, np.array(rows), _WORDS)

    def _arm(self, axes: np.ndarray) -> np.ndarray:
        """Return (3,) the point of contact from the centre, for axes (3, 3) of the disc along those of the plane."""
        axis = axes[:, 2]
        down = axis[2] * axis - np.array([0.0, 0.0, 1.0])
        size = float(np.linalg.norm(down))
        return np.asarray(self.radius / size * down) if size > 0.0 else self.radius * axes[:, 0]
