"""What stops of lengths and of angles share: limits, elastic force, restitution, speed of each touch."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import model_validator

from faying.joints.contact_damping import damped, damping_ratio
from faying.multibody.characteristics import characteristics
from faying.multibody.forces import PairForce
from faying.multibody.markers import MarkerMotion
from faying.params import member_of, parameter


class StopForce(PairForce):
    """A one-sided force beyond a lower or an upper limit of some x: F = p(δ) (1 + D δ̇) ≥ 0 against the penetration δ.

    What it remembers of an accepted state is the speed with which the present touch began.

    Attributes:
        limits: quantity of x.
    """

    limits: ClassVar[str] = "length"

    lower: float | None
    upper: float | None
    stiffness: float

    characteristic: member_of(characteristics) | None = parameter(  # type: ignore[valid-type]
        None, title="Characteristic", advanced=True,
        meaning="Elastic force over penetration, in place of the stiffness; zero at zero and not negative.",
    )  # fmt: skip
    restitution: float = parameter(
        1.0, title="Restitution", ge=0.01, le=1.0,
        meaning="Speed after a hit over the speed before it, of parts that nothing else moves; 1 is elastic.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _limits_in_order(self) -> Self:
        if self.lower is None and self.upper is None:
            raise ValueError("has no limit; give lower, upper or both")
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            raise ValueError(
                f"lower ({self.lower:g}) has to be below upper ({self.upper:g}); they may be exchanged"
            )
        return self

    @property
    @abstractmethod
    def touch_speed(self) -> float:
        """The approach speed for which the restitution holds; zero for that of each touch."""

    @abstractmethod
    def measured(
        self, i: MarkerMotion, j: MarkerMotion, angles: np.ndarray
    ) -> tuple[float, float, np.ndarray, np.ndarray]:
        """Return x, its rate, and force (3,) and moment (3,) on the second marker that raise x with size one."""

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,) back into the limits; zero within them."""
        x, rate, force, moment = self.measured(i, j, angles)
        side, depth = self._penetration(x)
        if depth <= 0.0:
            return np.zeros(3), np.zeros(3)
        speed = self.touch_speed or float(angles[0])
        size = -side * damped(
            self._push(depth, side * rate), side * rate, damping_ratio(self.restitution), speed
        )
        return size * force, size * moment

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return what its elastic force stores."""
        i, j = markers
        _, depth = self._penetration(self.measured(i, j, angles)[0])
        if depth <= 0.0:
            return 0.0
        curve = self.characteristic
        return 0.5 * self.stiffness * depth**2 if curve is None else float(curve.integral(depth))

    def speed_of_touch(self, i: MarkerMotion, j: MarkerMotion, last: np.ndarray) -> float:
        """Return the approach speed: while it is open that of now, then the one with which the touch began."""
        x, rate, _, _ = self.measured(i, j, last)
        side, depth = self._penetration(x)
        return float(last[0]) if depth > 0.0 and last[0] > 0.0 else max(side * rate, 0.0)

    def gap(self, x: float) -> float:
        """Return the distance of x to its nearest limit, negative beyond it."""
        return -self._penetration(x)[1]

    def _push(self, depth: float, rate: float) -> float:
        curve: Any = self.characteristic
        return self.stiffness * depth if curve is None else max(float(curve.moving(depth, rate)), 0.0)

    def _penetration(self, x: float) -> tuple[float, float]:
        """Return the nearest side, 1 for the upper limit and −1 for the lower one, and how far x is beyond it."""
        above = -np.inf if self.upper is None else x - self.upper
        below = -np.inf if self.lower is None else self.lower - x
        return (1.0, float(above)) if above >= below else (-1.0, float(below))
