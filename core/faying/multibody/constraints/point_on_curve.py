"""A point that stays on a curve."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import field_validator

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.constraints._curve import SplineCurve, curve_through, points_apart
from faying.multibody.markers import MarkerMotion
from faying.multibody.placement import Vector
from faying.multibody.rows import Equations
from faying.params import parameter
from faying.spatial.rotations import cross

Points = tuple[Vector, ...]


@constraints.register("point_on_curve")
class PointOnCurve(Constraint):
    """The second marker stays on a curve that moves with the first one, and may turn: two equations.

    The curve is a cubic spline over the length of its chords. With p the second marker along the first one's axes, and
    c the nearest point of the curve, (p − c) · c′ = 0, the equations are e₁ · (p − c) = e₂ · (p − c) = 0 for two unit
    vectors at right angles to the curve there. The nearest point is followed from the last accepted state, so that the
    marker stays on its branch where a curve crosses itself. An open curve goes on straight beyond its ends.
    """

    title: ClassVar[str] = "Point on a curve"

    first: str = parameter(
        title="First marker", choices="marker", meaning="Of the part that carries the curve; its axes are the curve's."
    )  # fmt: skip
    second: str = parameter(
        title="Second marker", choices="marker", meaning="The point that stays on the curve."
    )
    points: Points = parameter(
        ((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (20.0, 5.0, 0.0)), title="Points", quantity="length", min_length=3,
        meaning="Points of the curve, one after the other, in the first marker's axes.",
    )  # fmt: skip
    closed: bool = parameter(
        False, title="Closed", meaning="Whether the curve returns smoothly from the last point to the first."
    )

    @field_validator("points")
    @classmethod
    def _apart(cls, points: Points) -> Points:
        return points_apart(points)

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a flat arc in space."""
        points = ((-8.0, 0.0, 0.0), (-3.0, 0.5, 0.1), (3.0, 0.4, -0.2), (8.0, -0.2, 0.0))
        return {**super().example(), "points": points}

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def first_angles(self) -> np.ndarray:
        """Return (1,) NaN for the parameter on the curve: at the start the nearest of all points counts."""
        return np.full(1, np.nan)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the parameter on the curve, next to the last one."""
        i, j = markers
        return np.array([self._curve.nearest(i.axes.T @ (j.position - i.position), float(last[0]))])

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return the distances from the curve in two directions at right angles to it."""
        i, j = markers
        between = j.position - i.position
        place, curve = i.axes.T @ between, self._curve
        s = curve.nearest(place, float(angles[0]))
        point, slope, bend = curve.at(s)
        across, turning = curve.across(s)
        away = place - point
        # The nearest point moves by δs = c′ · δp/(c′ · c′ − (p − c) · c″).
        moving = slope / (slope @ slope - away @ bend)
        directions = (across + np.outer(turning @ away, moving)) @ i.axes.T
        rows = [np.concatenate([-w, cross(w, between), w, np.zeros(3)]) for w in directions]
        words = "distance from the curve", "distance from the curve the other way"
        return Equations(across @ away, np.array(rows), words)

    @property
    def _curve(self) -> SplineCurve:
        return curve_through(self.points, self.closed)
