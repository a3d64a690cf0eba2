"""A point that stays on a curve."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import model_validator

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.constraints._curves import with_curve
from faying.multibody.curve_shapes import CurveShape, curve_shapes
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations
from faying.multibody.spline_curve import SplineCurve
from faying.params import member_of, parameter
from faying.spatial.rotations import cross


@constraints.register("point_on_curve")
class PointOnCurve(Constraint):
    """The second marker stays on a curve that moves with the first one, and may turn: two equations.

    With p the second marker along the first one's axes, and
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
    curve: member_of(curve_shapes) = parameter(  # type: ignore[valid-type]
        {"kind": "points"}, title="Curve", meaning="In the first marker's axes."
    )

    @model_validator(mode="before")
    @classmethod
    def _of_points(cls, table: Any) -> Any:
        return with_curve(table, "curve")

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a flat arc in space."""
        points = ((-8.0, 0.0, 0.0), (-3.0, 0.5, 0.1), (3.0, 0.4, -0.2), (8.0, -0.2, 0.0))
        return {**super().example(), "curve": {"kind": "points", "points": points}}

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def outlines(self) -> tuple[tuple[int, np.ndarray], ...]:
        """Return the points (n, 3) of the curve; raises a FayingError when it cannot be made."""
        return ((0, self._curve.sampled.places),)

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
        curve: CurveShape = self.curve
        return curve.spline()
