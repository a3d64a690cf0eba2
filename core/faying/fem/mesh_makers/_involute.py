"""Outline of a tooth in the transverse section: involute, and trochoid cut by a rack's rounded tip.

Litvin and Fuentes (2004, chapters 10 and 11); the rack is that of ISO 53. Angles are measured from the middle of the
tooth, τ ≥ 0 on one side; the other side is its mirror image.
"""

from dataclasses import dataclass
from functools import cached_property
from math import acos, atan2, cos, hypot, pi, sin, sqrt, tan

import numpy as np

from faying.errors import ModelError

_TOLERANCE = 1e-9
_WORKING_ANGLES = (1e-3, 1.2)  # rad, least and largest without backlash


@dataclass(frozen=True)
class ToothProfile:
    """A tooth; all lengths in the same unit, angles in rad.

    Attributes:
        teeth: number of teeth of the whole wheel.
        module: transverse, pitch diameter over the number of teeth.
        pressure_angle: transverse pressure angle of the rack.
        shift: outward profile shift of the rack.
        addendum, dedendum: heights without profile shift.
        rounding: tip radius of the rack.
    """

    teeth: int
    module: float
    pressure_angle: float
    shift: float
    addendum: float
    dedendum: float
    rounding: float

    def __post_init__(self) -> None:
        """Check that the parameters define a tooth; messages name the parameter to change."""
        if self._centre_beside < -_TOLERANCE * self.module:
            raise ModelError(
                "The rack's tip is narrower than its rounding, so the root has no such fillet.",
                f"Make the tip rounding smaller: at most {self._largest_rounding / self.module:.3g} modules.",
            )
        depth = -self._contact(self._last_roll)[1]
        room = self.pitch_radius * sin(self.pressure_angle) ** 2
        if depth > room * (1.0 + _TOLERANCE):
            least = (depth - room) / self.module
            raise ModelError(
                f"The rack cuts into the involute of a wheel with {self.teeth} teeth (undercut).",
                f"Shift the profile by {least:.3g} modules more, or take more teeth or a larger pressure angle.",
            )
        if self.tip_radius <= self.form_radius:
            raise ModelError("The tip lies below the flank.", "Make the addendum larger.")
        if self.half_angle(self.tip_radius) <= 0.0:
            raise ModelError(
                "The tooth is pointed below its tip.", "Make the addendum or the profile shift smaller."
            )

    @property
    def pitch_radius(self) -> float:
        """Radius of the pitch circle, on which the rack rolls."""
        return 0.5 * self.module * self.teeth

    @property
    def base_radius(self) -> float:
        """Radius of the base circle, to which flank normals are tangent."""
        return self.pitch_radius * cos(self.pressure_angle)

    @property
    def tip_radius(self) -> float:
        """Radius of the tip circle."""
        return self.pitch_radius + self.shift + self.addendum

    @property
    def root_radius(self) -> float:
        """Radius of the root circle."""
        return self.pitch_radius + self.shift - self.dedendum

    @cached_property
    def form_radius(self) -> float:
        """Radius at which the involute ends and the fillet begins."""
        x, y = self._contact(self._last_roll)
        return hypot(x, y + self.pitch_radius)

    def half_angle(self, radius: float) -> float:
        """Return τ of the involute at a radius, half of the tooth thickness as an angle."""
        at_pitch = pi / (2 * self.teeth) + 2.0 * self.shift * tan(self.pressure_angle) / (
            self.module * self.teeth
        )
        return at_pitch + involute(self.pressure_angle) - involute(self._angle_at(radius))

    def roll_length(self, radius: float) -> float:
        """Return the length of the involute from the base circle to a radius."""
        return 0.5 * self.base_radius * tan(self._angle_at(radius)) ** 2

    def radius_at(self, roll_length: float) -> float:
        """Return the radius of the involute at a roll length from the base circle."""
        return self.base_radius * sqrt(1.0 + 2.0 * roll_length / self.base_radius)

    def flank(self, places: np.ndarray) -> np.ndarray:
        """Return (n, 2) radius and τ of the involute at roll lengths from the base circle."""
        radii = [self.radius_at(float(place)) for place in places]
        return np.array([(radius, self.half_angle(radius)) for radius in radii])

    def fillet(self, shares: np.ndarray) -> np.ndarray:
        """Return (n, 2) radius and τ of the trochoid; share 0 is at the root circle, 1 at the flank."""
        found = []
        for share in shares:
            # The normal to the rack's tip circle passes through the pitch point: shares are fractions of its slope
            # angle.
            slope = float(share) * (0.5 * pi - self.pressure_angle)
            roll = self._depth * tan(slope)
            x, y = self._contact(roll)
            turn = (roll - self._centre_beside) / self.pitch_radius
            found.append(
                (hypot(x, y + self.pitch_radius), pi / self.teeth - (atan2(x, y + self.pitch_radius) - turn))
            )
        return np.array(found)

    @property
    def root_angle(self) -> float:
        """τ at which the fillet meets the root circle, which forms the root from there to π / z."""
        return float(self.fillet(np.zeros(1))[0, 1])

    def slope_share(self, angle: float) -> float:
        """Return the share at which the fillet has a given angle to the rack's pitch line."""
        return min(max(angle / (0.5 * pi - self.pressure_angle), 0.0), 1.0)

    def area(self) -> float:
        """Return the area of the whole wheel without bore, ½ ∮ r² dτ."""
        tip, form = (self._angle_at(radius) for radius in (self.tip_radius, self.form_radius))
        # For the involute, dτ = −tan²α dα at r = r_b / cos α.
        flank = self.base_radius**2 / 6.0 * (tan(tip) ** 3 - tan(form) ** 3)
        points = self.fillet(np.linspace(0.0, 1.0, 4001))
        fillet = abs(float(np.trapezoid(0.5 * points[:, 0] ** 2, points[:, 1])))
        land = 0.5 * self.root_radius**2 * (pi / self.teeth - self.root_angle)
        top = 0.5 * self.tip_radius**2 * self.half_angle(self.tip_radius)
        return 2 * self.teeth * (top + flank + fillet + land)

    def _angle_at(self, radius: float) -> float:
        return acos(min(self.base_radius / radius, 1.0))

    @property
    def _depth(self) -> float:
        """Depth of the rack's tip circle centre below the pitch line."""
        return self.dedendum - self.shift - self.rounding

    @property
    def _centre_beside(self) -> float:
        """Distance of the tip circle centre from the centre line of the rack's tooth."""
        below = self.dedendum - self.rounding
        tangent = tan(self.pressure_angle)
        return 0.25 * pi * self.module - below * tangent - self.rounding / cos(self.pressure_angle)

    @property
    def _largest_rounding(self) -> float:
        tangent = tan(self.pressure_angle)
        return (0.25 * pi * self.module - self.dedendum * tangent) / (
            1.0 / cos(self.pressure_angle) - tangent
        )

    @property
    def _last_roll(self) -> float:
        return self._depth / tan(self.pressure_angle)

    def _contact(self, roll: float) -> tuple[float, float]:
        """Return contact point and centre of the rack's tip circle, relative to the pitch point."""
        stretch = 1.0 + self.rounding / hypot(roll, self._depth)
        return stretch * roll, -stretch * self._depth


def involute(angle: float) -> float:
    """Return tan α − α."""
    return tan(angle) - angle


def working_pressure_angle(first: ToothProfile, second: ToothProfile, distance: float) -> float:
    """Return the working pressure angle of two wheels at a given centre distance.

    Raises:
        ModelError: when their base circles overlap.
    """
    share = (first.base_radius + second.base_radius) / distance
    if share >= 1.0:
        raise ModelError("The base circles of the wheels overlap.", "Make the centre distance larger.")
    return acos(share)


def contact_ratio(first: ToothProfile, second: ToothProfile, distance: float) -> float:
    """Return the transverse contact ratio: the path of contact over the base pitch."""
    path = sum(sqrt(max(w.tip_radius**2 - w.base_radius**2, 0.0)) for w in (first, second))
    path -= distance * sin(working_pressure_angle(first, second, distance))
    return path / (pi * first.module * cos(first.pressure_angle))


def backlash(first: ToothProfile, second: ToothProfile, distance: float) -> float:
    """Return the backlash along the line of action; negative if teeth overlap.

    It follows from the tooth spaces on the working pitch circles minus the thicknesses of the mating teeth.
    """
    angle = working_pressure_angle(first, second, distance)
    total = first.teeth + second.teeth
    thickness = 0.0
    for wheel in (first, second):
        radius = distance * wheel.teeth / total
        thickness += 2.0 * radius * wheel.half_angle(radius)
    return (2.0 * pi * distance / total - thickness) * cos(angle)


def tight_distance(first: ToothProfile, second: ToothProfile) -> float:
    """Return the centre distance without backlash: inv α' = inv α + 2 Σx tan α / Σz.

    Raises:
        ModelError: when there is none for these profile shifts.
    """
    from scipy.optimize import brentq  # imported late, since it takes long

    shifts = (first.shift + second.shift) / first.module
    wanted = involute(first.pressure_angle)
    wanted += 2.0 * shifts * tan(first.pressure_angle) / (first.teeth + second.teeth)
    least, most = _WORKING_ANGLES
    if not involute(least) < wanted < involute(most):
        raise ModelError(
            f"Profile shifts of {first.shift / first.module:.3g} and {second.shift / second.module:.3g} modules leave "
            "no centre distance at which flanks touch without backlash.",
            f"Make one of them {'larger' if wanted <= involute(least) else 'smaller'}.",
        )
    angle = brentq(lambda a: involute(a) - wanted, least, most, xtol=1e-14)
    return float((first.base_radius + second.base_radius) / cos(angle))
