"""Curves through points, and the points on them that are nearest to others."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

_SAMPLES = 12  # of each piece between two points, for a first search
_ITERATIONS = 50
_DIRECTIONS = [np.array([x, y, z], float) for x in (0, 1) for y in (0, 1) for z in (0, 1) if x or y or z]


class CurveSamples(NamedTuple):
    """Parameters (n,) along a curve, its places (n, 3) there, and its unit tangents (n, 3)."""

    parameters: np.ndarray
    places: np.ndarray
    tangents: np.ndarray


class SplineCurve:
    """A cubic spline over the length of the chords between its points, natural or closed.

    Beyond the ends of an open curve it goes on straight, as its second derivatives are zero there.

    Args:
        points: (n, 3); a closed curve returns from the last one to the first.
        closed: whether it does.

    Attributes:
        length: the parameter at its end.
    """

    def __init__(self, points: np.ndarray, closed: bool) -> None:
        self.closed = closed
        through = np.concatenate([points, points[:1]]) if closed else points
        self._knots = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(through, axis=0), axis=1))])
        self.length = float(self._knots[-1])
        from scipy.interpolate import CubicSpline  # late: it takes long to import

        self._spline = CubicSpline(self._knots, through, bc_type="periodic" if closed else "natural")

    def at(self, s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the place (3,) and its first and second derivatives at a parameter."""
        inside = s if self.closed else min(max(s, 0.0), self.length)
        place, slope = self._spline(inside), self._spline(inside, 1)
        if inside != s:
            return place + (s - inside) * slope, slope, np.zeros(3)
        return place, slope, self._spline(s, 2)

    def nearest(self, place: np.ndarray, near: float) -> float:
        """Return the parameter of the point nearest to a place (3,), next to `near`; of all points where that is NaN.

        Newton's method for (p − c) · c′ = 0, with the curvature left out where that leads away.
        """
        if not np.isfinite(near):
            there = self.sampled
            near = float(there.parameters[np.linalg.norm(there.places - place, axis=1).argmin()])
        s, longest = near, 0.5 * self.length
        for _ in range(_ITERATIONS):
            point, slope, bend = self.at(s)
            away, square = place - point, float(slope @ slope)
            curvature = square - float(away @ bend)
            step = float(away @ slope) / (curvature if curvature > 0.1 * square else square)
            s += min(max(step, -longest), longest)
            if abs(step) <= 1e-14 * self.length:
                break
        return s

    def across(self, s: float) -> tuple[np.ndarray, np.ndarray]:
        """Return two unit vectors (2, 3) at right angles to the curve and to each other, and their derivatives."""
        _, slope, bend = self.at(s)
        size = np.linalg.norm(slope)
        tangent = slope / size
        turning = (bend - (bend @ tangent) * tangent) / size
        wish = self._reference
        one = wish - (wish @ tangent) * tangent
        d_one = -(wish @ turning) * tangent - (wish @ tangent) * turning
        length = np.linalg.norm(one)
        one = one / length
        d_one = (d_one - (d_one @ one) * one) / length
        other, d_other = np.cross(tangent, one), np.cross(turning, one) + np.cross(tangent, d_one)
        return np.array([one, other]), np.array([d_one, d_other])

    @cached_property
    def sampled(self) -> CurveSamples:
        """Points all along the curve."""
        shares = np.arange(_SAMPLES) / _SAMPLES
        s = (self._knots[:-1, None] + np.outer(np.diff(self._knots), shares)).ravel()
        s = np.append(s, self.length)
        slopes = self._spline(s, 1)
        return CurveSamples(s, self._spline(s), slopes / np.linalg.norm(slopes, axis=1, keepdims=True))

    @cached_property
    def _reference(self) -> np.ndarray:
        """A direction (3,) that the curve is never along, as far as there is one."""
        tangents = self.sampled.tangents
        units = [direction / np.linalg.norm(direction) for direction in _DIRECTIONS]
        return min(units, key=lambda unit: float(np.abs(tangents @ unit).max()))
