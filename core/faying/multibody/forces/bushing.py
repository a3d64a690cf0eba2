"""A rubber bushing."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.multibody.characteristics import Characteristic, characteristics
from faying.multibody.forces import PairForce, forces
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import unwrapped_vector, vector_rates
from faying.params import member_of, parameter
from faying.spatial.rotations import cross, rotation_vector, skew

Vector = tuple[float, float, float]


def _characteristic(axis: str, turns: bool = False) -> Any:
    """Declare the characteristic of one direction."""
    if turns:
        words = f"Moment over rotation about {axis} in rad, in place of the torsional stiffness there."
        return parameter(
            None,
            title=f"Characteristic about {axis}",
            meaning=words,
            advanced=True,
            over="angle",
            gives="moment",
        )
    words = f"Force over displacement along {axis} from the free one, in place of the stiffness there."
    return parameter(
        None, title=f"Characteristic along {axis}", meaning=words, advanced=True, over="length", gives="force"
    )


@forces.register("bushing")
class Bushing(PairForce):
    """Springs and dampers along and about the first marker's axes, between markers that are close together."""

    stiffness: Vector = parameter(
        (1.0, 1.0, 1.0), title="Stiffness", quantity="stiffness", meaning="Force per displacement along x, y, z."
    )  # fmt: skip
    free_displacement: Vector = parameter(
        (0.0, 0.0, 0.0), title="Free displacement", quantity="length",
        meaning="Displacement along x, y, z at which the springs are unloaded.",
    )  # fmt: skip
    torsional_stiffness: Vector = parameter(
        (0.0, 0.0, 0.0), title="Torsional stiffness", quantity="torsional_stiffness",
        meaning="Moment per rotation about x, y, z; full turns about one axis count.",
    )  # fmt: skip
    damping: Vector = parameter(
        (0.0, 0.0, 0.0), title="Damping", quantity="damping", meaning="Force per speed along x, y, z."
    )
    torsional_damping: Vector = parameter(
        (0.0, 0.0, 0.0), title="Torsional damping", quantity="torsional_damping",
        meaning="Moment per angular speed about x, y, z.",
    )  # fmt: skip

    x_characteristic: member_of(characteristics) | None = _characteristic("x")  # type: ignore[valid-type]
    y_characteristic: member_of(characteristics) | None = _characteristic("y")  # type: ignore[valid-type]
    z_characteristic: member_of(characteristics) | None = _characteristic("z")  # type: ignore[valid-type]
    x_torsional_characteristic: member_of(characteristics) | None = _characteristic("x", True)  # type: ignore[valid-type]
    y_torsional_characteristic: member_of(characteristics) | None = _characteristic("y", True)  # type: ignore[valid-type]
    z_torsional_characteristic: member_of(characteristics) | None = _characteristic("z", True)  # type: ignore[valid-type]

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one that differs by direction in all that it has."""
        return {
            **super().example(),
            "stiffness": (1.0, 2.0, 3.0),
            "free_displacement": (0.1, -0.2, 0.3),
            "torsional_stiffness": (0.5, 0.5, 0.5),
            "damping": (0.3, 0.2, 0.1),
            "torsional_damping": (0.1, 0.2, 0.3),
            "x_characteristic": {"kind": "polynomial", "coefficients": (0.0, 1.0, 0.0, 0.5)},
        }

    def first_angles(self) -> np.ndarray:
        """Return (3,) zeros: the rotation vector of the start is less than half a turn long."""
        return np.zeros(3)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (3,) the continuous rotation vector."""
        i, j = markers
        return self._deformation(i, j, last)[1]

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,) from displacement, rotation and their rates in the first marker's axes."""
        displacement, rotation = self._deformation(i, j, angles)
        rate, spin = self._rates(i, j)
        push, twist = np.array(self.stiffness) * displacement, np.array(self.torsional_stiffness) * rotation
        for amounts, x, rates, curves in (
            (push, displacement, rate, self._along), (twist, rotation, spin, self._about),
        ):  # fmt: skip
            for k, curve in enumerate(curves):
                if curve is not None:
                    amounts[k] = curve.moving(float(x[k]), float(rates[k]))
        force, moment = (
            -push - np.array(self.damping) * rate,
            -twist - np.array(self.torsional_damping) * spin,
        )
        return i.axes @ force, i.axes @ moment

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (12, 12) changes of both wrenches with virtual motions of the markers and with their velocities.

        With A the axes of i and d = P_j − P_i the deformation changes by Aᵀ (δd + d × δπ_i) and J Aᵀ (δπ_j − δπ_i), and
        a vector Aᵀ w by Aᵀ (δw + w × δπ_i), which is so for the rates, too.
        """
        i, j = markers
        displacement, rotation = self._deformation(i, j, angles)
        rate, spin = self._rates(i, j)
        force, moment = self.on_second(i, j, time, angles)
        axes, d, none = i.axes.T, skew(j.position - i.position), np.zeros((3, 3))
        shift, turn = np.hstack([-axes, axes @ d, axes, none]), np.hstack([none, -axes, none, axes])
        turned = np.hstack([none, np.eye(3), none, none])  # δπ_i
        apart = np.hstack([-np.eye(3), none, np.eye(3), none])  # δd
        shift_rate = axes @ (skew(axes.T @ rate) @ turned - skew(i.spin) @ apart)
        turn_rate = axes @ skew(j.spin - i.spin) @ turned
        along = _slopes(self.stiffness, self.damping, self._along, displacement, rate)
        about = _slopes(self.torsional_stiffness, self.torsional_damping, self._about, rotation, spin)
        bent = vector_rates(rotation) @ turn
        d_force = -i.axes @ (along[0] @ shift + along[1] @ shift_rate) - skew(force) @ turned
        d_moment = -i.axes @ (about[0] @ bent + about[1] @ turn_rate) - skew(moment) @ turned
        by_place = np.vstack([-d_force, -d_moment - d @ d_force + skew(force) @ apart, d_force, d_moment])
        d_force, d_moment = -i.axes @ along[1] @ shift, -i.axes @ about[1] @ turn
        return by_place, np.vstack([-d_force, -d_moment - d @ d_force, d_force, d_moment])

    def arguments(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[tuple[Characteristic | None, float, str], ...]:
        """Return the springs along and about the axes, with displacements and rotations."""
        i, j = markers
        displacement, rotation = self._deformation(i, j, angles)
        along = zip(self._along, displacement, strict=True)
        about = zip(self._about, rotation, strict=True)
        return (
            *((curve, float(x), "length") for curve, x in along),
            *((curve, float(x), "angle") for curve, x in about),
        )

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return what the springs store; that of equal torsional springs is exact, of others nearly."""
        i, j = markers
        displacement, rotation = self._deformation(i, j, angles)
        stored = 0.0
        for stiffness, x, curves in (
            (self.stiffness, displacement, self._along), (self.torsional_stiffness, rotation, self._about),
        ):  # fmt: skip
            for k, curve in enumerate(curves):
                stored += 0.5 * stiffness[k] * x[k] ** 2 if curve is None else curve.integral(float(x[k]))
        return float(stored)

    @property
    def _along(self) -> tuple[Any, Any, Any]:
        return self.x_characteristic, self.y_characteristic, self.z_characteristic

    @property
    def _about(self) -> tuple[Any, Any, Any]:
        return (
            self.x_torsional_characteristic,
            self.y_torsional_characteristic,
            self.z_torsional_characteristic,
        )

    @staticmethod
    def _rates(i: MarkerMotion, j: MarkerMotion) -> tuple[np.ndarray, np.ndarray]:
        """Return the rates of displacement and rotation (3,) as seen from the first marker, which may turn itself."""
        rate = j.velocity - i.velocity - cross(i.spin, j.position - i.position)
        return i.axes.T @ rate, i.axes.T @ (j.spin - i.spin)

    def _deformation(
        self, i: MarkerMotion, j: MarkerMotion, last: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        displacement = i.axes.T @ (j.position - i.position) - np.array(self.free_displacement)
        return displacement, unwrapped_vector(rotation_vector(i.axes.T @ j.axes), last)


def _slopes(
    stiffness: Vector, damping: Vector, curves: Sequence[Any], x: np.ndarray, rates: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the stiffness and the damping (3, 3) of three springs at deformations x (3,) and their rates."""
    found = np.array([stiffness, damping])
    for k, curve in enumerate(curves):
        if curve is not None:
            by_x, by_rate = curve.moving_slopes(float(x[k]), float(rates[k]))
            found[:, k] = by_x, damping[k] + by_rate
    return np.diag(found[0]), np.diag(found[1])
