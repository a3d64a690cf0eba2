"""A torsion spring and damper."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from faying.multibody.characteristics import Characteristic, characteristics
from faying.multibody.forces import ANGLE, PairForce, Reading, forces
from faying.multibody.forces._spring import spring_amount, spring_slopes
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import angle_about_z, angle_row_about_z, unwrapped
from faying.multibody.term_changes import changes as term_changes
from faying.multibody.terms import ABOUT_Z, term_array
from faying.params import member_of, parameter


@forces.register("torsion_spring")
class TorsionSpring(PairForce):
    """A spring and a damper about the first marker's z axis: M = M₀ + f(φ − φ₀) + d(φ̇), back to the free angle.

    The start is taken within half a turn of the free angle; from there on full turns count.
    """

    title: ClassVar[str] = "Torsion spring and damper"
    readings: ClassVar[tuple[Reading, ...]] = (ANGLE,)

    stiffness: float = parameter(
        1.0, title="Stiffness", quantity="torsional_stiffness", ge=0.0, meaning="Moment per angle."
    )
    damping: float = parameter(
        0.0, title="Damping", quantity="torsional_damping", ge=0.0, meaning="Moment per angular speed."
    )
    free_angle: float = parameter(
        0.0, title="Free angle", quantity="angle", meaning="Angle at which the spring is unloaded; the start is within "
        "half a turn of it, and from there on full turns count.",
    )  # fmt: skip
    free_angle_as_placed: bool = parameter(
        False, title="Free angle as placed",
        meaning="Whether the free angle is that of the markers at the assembled start, and not the one above.",
    )  # fmt: skip
    preload: float = parameter(
        0.0, title="Preload", quantity="moment", meaning="Moment at the free angle, against positive angles."
    )
    characteristic: member_of(characteristics) | None = parameter(  # type: ignore[valid-type]
        None, title="Characteristic", meaning="Moment over the angle from the free one, in place of the stiffness.",
        over="angle", gives="moment",
    )  # fmt: skip
    damping_characteristic: member_of(characteristics) | None = parameter(  # type: ignore[valid-type]
        None, title="Damping characteristic",
        meaning="Moment over angular speed, in place of the damping; the moment should have the sign of the speed.",
        over="angular_velocity", gives="moment",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with a progressive spring, preload, free angle and a degressive damper."""
        return {
            **super().example(),
            "free_angle": 0.1,
            "preload": 0.2,
            "characteristic": {"kind": "polynomial", "coefficients": (0.0, 3.0, 0.0, 0.5)},
            "damping_characteristic": {"kind": "formula", "formula": "0.7*tanh(x)"},
        }

    def first_angles(self) -> np.ndarray:
        """Return (1,) the free angle."""
        return np.array([self.free_angle])

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (1,) the continuous angle."""
        i, j = markers
        return np.array([self.free_angle + self._twist(i, j, last)])

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,): none, and back to the free angle about the axis of the angle."""
        rows = angle_row_about_z(i, j)
        axis = rows[0, 9:]  # z, as long as the z axes are parallel
        twist, rate = self._twist(i, j, angles), float((j.spin - i.spin) @ axis)
        return np.zeros(3), -spring_amount(self, twist, rate) * axis

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (12, 12) changes of both wrenches, −M times the row of the angle, which changes too."""
        i, j = markers
        row = angle_row_about_z(i, j)[0]
        speeds = np.concatenate([i.velocity, i.spin, j.velocity, j.spin])
        twist, rate = self._twist(i, j, angles), float(row @ speeds)
        by_twist, by_rate = spring_slopes(self, twist, rate)
        position, axes = np.array([i.position, j.position]), np.array([i.axes, j.axes])
        turning = term_changes(term_array((ABOUT_Z,)), np.array([[0, 1]]), position, axes, np.ones(1))[0]
        moment_change = by_twist * row + by_rate * (speeds @ turning)
        by_place = -row[:, None] * moment_change - spring_amount(self, twist, rate) * turning
        return by_place, -by_rate * row[:, None] * row

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the continuous angle."""
        return (float(self.angles(markers, angles)[0]),)

    def arguments(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[tuple[Characteristic | None, float, str], ...]:
        """Return spring and damper, with the angle from the free one and its rate."""
        i, j = markers
        rate = float((j.spin - i.spin) @ angle_row_about_z(i, j)[0, 9:])
        return (
            (self.characteristic, self._twist(i, j, angles), "angle"),
            (self.damping_characteristic, rate, "angular_velocity"),
        )

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return the work of the moment from the free angle, k φ²/2 for a linear spring; the preload counts, too."""
        i, j = markers
        twist, spring = self._twist(i, j, angles), self.characteristic
        stored = 0.5 * self.stiffness * twist**2 if spring is None else float(spring.integral(twist))
        return stored + self.preload * twist

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return the spring with the angle of its markers as free angle, if it is to have that."""
        if not self.free_angle_as_placed:
            return self
        return self.with_(free_angle=angle_about_z(*markers), free_angle_as_placed=False)

    def _twist(self, i: MarkerMotion, j: MarkerMotion, last: np.ndarray) -> float:
        return unwrapped(angle_about_z(i, j), float(last[0])) - self.free_angle
