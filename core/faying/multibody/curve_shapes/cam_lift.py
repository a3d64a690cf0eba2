"""The curve of a cam that lifts its follower as a table says."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import field_validator

from faying.errors import ModelError, ReadError
from faying.multibody.curve_shapes import CurveShape, curve_shapes
from faying.number_tables import read_columns
from faying.params import parameter

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

_POINTS = 240  # of the curve
_TURN = 2.0 * np.pi
_CLOSE = 1e-6  # of a turn, or of the base circle: the end is the start

Lift = tuple[tuple[float, float], ...]


@curve_shapes.register("cam_lift")
class CamLift(CurveShape):
    """A closed plane curve about z by the lift of a follower that moves along a straight line through the axis.

    At angle zero the follower is on the x axis. The cam turns by φ about z, so that the follower meets the direction −φ
    of the cam. With r = R_b + R_r + L(φ) the centre of a roller is at r e(−φ); the outline is a roller's radius inside
    of that path, along its normal. For a flat face at right angles to its motion the outline is the envelope
    (R_b + L) e + L′ e′ (Norton, Design of Machinery, chapter 8).
    """

    title: ClassVar[str] = "Cam by its lift"

    path: str = parameter(
        "", title="File", choices="file",
        meaning="CSV file, angle of the cam and lift in each line, in rad and the project's unit; the first lines may "
        "be headings. A relative path counts from the study or project file. Empty for the table given here.",
    )  # fmt: skip
    lift: Lift = parameter(
        ((0.0, 8.0), (0.8, 3.0), (1.6, 0.0), (4.6, 0.0), (5.4, 3.0)), title="Lift", min_length=3,
        meaning="Pairs of angle of the cam in rad and lift in the project's unit, in order of angle, within one turn; "
        "a gap behind the last one is filled in by a straight line. Used without a file.",
    )  # fmt: skip
    base_radius: float = parameter(
        15.0, title="Base radius", quantity="length", gt=0.0, meaning="Radius R_b of the cam where the lift is zero."
    )  # fmt: skip
    roller_radius: float = parameter(
        5.0, title="Roller radius", quantity="length", ge=0.0, meaning="Radius R_r of the follower's roller."
    )  # fmt: skip
    follower: Literal["roller centre", "roller", "flat"] = parameter(
        "roller centre", title="Follower",
        meaning="roller centre: the path of the roller's centre, for a point on the curve; roller: the outline that "
        "the roller touches; flat: the outline that a flat face touches.",
    )  # fmt: skip

    @field_validator("lift")
    @classmethod
    def _in_order(cls, lift: Lift) -> Lift:
        _check(lift)
        return lift

    @property
    def is_closed(self) -> bool:
        """True."""
        return True

    def places(self) -> np.ndarray:
        """Return points (n, 3) evenly over the angle, in the order of rising angle about z.

        Raises:
            ReadError: when the file cannot be read, or has no lift over one turn.
            ModelError: when the roller is too large for the cam, or a flat face would meet it at a point.
        """
        spline = _over_a_turn(self.loaded().lift)
        phi = -np.linspace(0.0, _TURN, _POINTS, endpoint=False)
        lift, rate, bend = spline(phi % _TURN), spline(phi % _TURN, 1), spline(phi % _TURN, 2)
        # Over the angle θ = −φ on the cam rates have the other sign.
        out = np.column_stack([np.cos(phi), -np.sin(phi)])
        along = np.column_stack([np.sin(phi), np.cos(phi)])
        rate = -rate
        if self.follower == "flat":
            if not (self.base_radius + lift + bend).min() > 0.0:
                raise ModelError(
                    "The cam of a flat follower has an edge: base radius + lift + its second derivative over the "
                    f"angle is {(self.base_radius + lift + bend).min():g}, and has to be positive.",
                    "Enlarge the base radius, or smooth the lift.",
                )
            found = (self.base_radius + lift)[:, None] * out + rate[:, None] * along
            return np.column_stack([found, np.zeros(_POINTS)])
        radius = self.base_radius + self.roller_radius + lift
        found = radius[:, None] * out
        if self.follower == "roller":
            slope = rate[:, None] * out + radius[:, None] * along
            size = np.linalg.norm(slope, axis=1)
            # Curvature of the path; a roller larger than its radius would cut the outline.
            curvature = (radius**2 + 2.0 * rate**2 - radius * bend) / size**3
            if not (curvature * self.roller_radius).max() < 1.0:
                raise ModelError(
                    f"The roller undercuts the cam: its radius {self.roller_radius:g} is larger than the least radius "
                    f"of the path of its centre, {1.0 / curvature.max():g}.",
                    "Make the roller smaller or the base radius larger.",
                )
            normal = np.column_stack([slope[:, 1], -slope[:, 0]]) / size[:, None]
            found = found - self.roller_radius * normal
        return np.column_stack([found, np.zeros(_POINTS)])

    def loaded(self) -> "CamLift":
        """Return the curve with the table of the file in itself.

        Raises:
            ReadError: as `places`.
        """
        if not self.path:
            return self
        path = Path(self.path)
        rows = tuple(read_columns(path, "a cam", "angle, lift"))
        try:
            _check(rows)
        except ValueError as error:
            raise ReadError(path, None, f"{error}.", "Fix the table.") from None
        return self.with_(path="", lift=rows)


def _check(lift: Lift) -> None:
    """Raise a ValueError that describes a lift that no cam has."""
    angles, lifts = np.array(lift).T
    if not np.isfinite(lift).all():
        raise ValueError("angles and lifts have to be finite numbers")
    if len(angles) < 3 or not (np.diff(angles) > 0.0).all():
        raise ValueError("the angles have to rise, and be three at least")
    span = float(angles[-1] - angles[0])
    if span > _TURN * (1.0 + _CLOSE):
        raise ValueError(f"the angles go over {span:.4g} rad, which is more than a turn")
    if span > _TURN * (1.0 - _CLOSE) and abs(lifts[-1] - lifts[0]) > _CLOSE * max(
        np.abs(lifts).max(), 1e-300
    ):
        raise ValueError(f"a turn begins with lift {lifts[0]:g} and ends with {lifts[-1]:g}")


def _over_a_turn(lift: Lift) -> "CubicSpline":
    """Return the periodic spline of a lift over the angle from 0 to 2π."""
    angles, lifts = np.array(lift).T
    if angles[-1] - angles[0] > _TURN * (1.0 - _CLOSE):
        angles, lifts = angles[:-1], lifts[:-1]
    end = angles[0] + _TURN
    # A gap behind the last angle, as of a table of the lifting alone, is cut into intervals as long as the others.
    more = max(round((end - angles[-1]) / float(np.diff(angles).mean())), 1)
    filled = np.linspace(0.0, 1.0, more + 1)[1:]
    angles = np.append(angles, angles[-1] + filled * (end - angles[-1]))
    lifts = np.append(lifts, lifts[-1] + filled * (lifts[0] - lifts[-1]))
    lifts[-1] = lifts[0]
    from scipy.interpolate import CubicSpline  # late: it takes long to import

    return CubicSpline(angles, lifts, bc_type="periodic", extrapolate="periodic")
