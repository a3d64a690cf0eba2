"""A cam and its follower."""

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

_ROUND = ((10.0, 0.0, 0.0), (0.0, 10.0, 0.0), (-10.0, 0.0, 0.0), (0.0, -10.0, 0.0))
_FLAT = ((-10.0, 0.0, 0.0), (0.0, 0.0, 0.0), (10.0, 0.0, 0.0))

_ITERATIONS = 60
_LONGEST = 0.05  # of a curve's length: a step of Newton's method
_PARALLEL = 0.97  # cosine of tangents where a touch is looked for at the start


@constraints.register("curve_on_curve")
class CurveOnCurve(Constraint):
    """Two plane curves touch at one point, as a cam and its follower that a spring keeps together: one equation.

    Both curves are seen in the x-y plane of the first marker. The point of contact is where the tangents are parallel,
    n₁ · c₂′ = 0, and the points have no distance along them, c₁′ · (c₂ − c₁) = 0; the equation is n₁ · (c₂ − c₁) = 0.
    It is followed from the last accepted state. The follower never lifts off: a negative multiplier says that it would.
    """

    title: ClassVar[str] = "Curve on curve (cam)"

    first: str = parameter(
        title="First marker", choices="marker", meaning="Of the cam; x and y are its curve's axes."
    )
    second: str = parameter(
        title="Second marker", choices="marker", meaning="Of the follower; x and y are its curve's axes."
    )
    curve: member_of(curve_shapes) = parameter(  # type: ignore[valid-type]
        {"kind": "points", "closed": True, "points": _ROUND}, title="Curve of the cam",
        meaning="In the first marker's axes.",
    )  # fmt: skip
    second_curve: member_of(curve_shapes) = parameter(  # type: ignore[valid-type]
        {"kind": "points", "points": _FLAT}, title="Curve of the follower",
        meaning="In the second marker's axes; a line for a flat face, a circle for a roller.",
    )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _of_points(cls, table: Any) -> Any:
        if isinstance(table, dict) and "points" in table:
            table = {"closed": True, **table}
        return with_curve(with_curve(table, "curve"), "second_curve", "second_")

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a round cam and a nearly flat follower."""
        cam = {"kind": "formula", "x": "3*cos(s)", "y": "2.5*sin(s)"}
        flat = ((-9.0, 0.8, 0.0), (-3.0, 0.1, 0.0), (3.0, 0.1, 0.0), (9.0, 0.8, 0.0))
        return {**super().example(), "curve": cam, "second_curve": {"kind": "points", "points": flat}}

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers."""
        return self.first, self.second

    def outlines(self) -> tuple[tuple[int, np.ndarray], ...]:
        """Return points (n, 3) of both curves; raises a FayingError when one cannot be made."""
        return (0, self._cam.sampled.places), (1, self._follower.sampled.places)

    def first_angles(self) -> np.ndarray:
        """Return (2,) NaN for the parameters on both curves: at the start the nearest touch counts."""
        return np.full(2, np.nan)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (2,) the parameters on both curves, next to the last ones."""
        return self._touch(markers, last)

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return the distance of both curves along the cam's normal."""
        i, j = markers
        s = self._touch(markers, angles)
        point, slope, _ = _flat(self._cam.at(s[0]))
        normal = np.array([slope[1], -slope[0]]) / np.linalg.norm(slope)
        # The follower's point of contact from its marker, and from the cam's, in space.
        arm = j.axes @ self._follower.at(s[1])[0]
        way = j.position - i.position + arm
        value = normal @ ((i.axes.T @ way)[:2] - point)
        w = i.axes[:, :2] @ normal
        row = np.concatenate([-w, cross(w, way), w, cross(arm, w)])
        return Equations(np.array([value]), row[None], ("distance of the curves",))

    def _touch(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (2,) the parameters where the tangents are parallel and nothing lies between the points along them."""
        i, j = markers
        shift, turn = i.axes.T @ (j.position - i.position), i.axes.T @ j.axes
        s = np.array(last, float) if np.isfinite(last).all() else self._nearest(shift, turn)
        longest = _LONGEST * np.array([self._cam.length, self._follower.length])
        for _ in range(_ITERATIONS):
            point, slope, bend = _flat(self._cam.at(s[0]))
            other, along, curl = _flat(turn @ x for x in self._follower.at(s[1]))
            way = other + shift[:2] - point
            normal, turning = np.array([slope[1], -slope[0]]), np.array([bend[1], -bend[0]])
            values = np.array([slope @ way, normal @ along])
            matrix = np.array([[bend @ way - slope @ slope, slope @ along], [turning @ along, normal @ curl]])
            step = np.linalg.lstsq(matrix, -values, rcond=1e-12)[0]
            step *= min(1.0, float((longest / np.maximum(np.abs(step), 1e-300)).min()))
            s = s + step
            if (np.abs(step) <= 1e-13 * longest).all():
                break
        return s

    def _nearest(self, shift: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Return (2,) the parameters of the nearest samples with nearly parallel tangents."""
        cam, follower = self._cam.sampled, self._follower.sampled
        other = (follower.places @ turn.T + shift)[:, :2]
        along = (follower.tangents @ turn.T)[:, :2]
        cosines = np.abs(cam.tangents[:, :2] @ along.T) / np.linalg.norm(along, axis=1)
        distances = np.linalg.norm(cam.places[:, None, :2] - other, axis=2)
        best = np.where(cosines >= min(_PARALLEL, float(cosines.max())), distances, np.inf).argmin()
        one, two = np.unravel_index(best, distances.shape)
        return np.array([cam.parameters[one], follower.parameters[two]])

    @property
    def _cam(self) -> SplineCurve:
        curve: CurveShape = self.curve
        return curve.spline()

    @property
    def _follower(self) -> SplineCurve:
        curve: CurveShape = self.second_curve
        return curve.spline()


def _flat(vectors: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return place, slope and second derivative (2,) in the plane."""
    place, slope, bend = (vector[:2] for vector in vectors)
    return place, slope, bend
