"""Two hinges that turn together."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, angle_about_z, angle_row_about_z, unwrapped
from faying.params import parameter


@constraints.register("gear")
class Gear(Constraint):
    """The angle of one wheel against its carrier is a multiple of another's: one equation, φ₁ = i φ₂ + φ₀.

    The wheels need hinges of their own. Full turns are counted from the last accepted state.
    """

    title: ClassVar[str] = "Gear ratio"

    first_carrier: str = parameter(
        title="First carrier", choices="marker", meaning="Marker beside the first wheel; z is its axis."
    )
    first_wheel: str = parameter(title="First wheel", choices="marker", meaning="Marker on the first wheel.")
    second_carrier: str = parameter(
        title="Second carrier", choices="marker", meaning="Marker beside the second wheel; z is its axis."
    )
    second_wheel: str = parameter(
        title="Second wheel", choices="marker", meaning="Marker on the second wheel."
    )
    ratio: float = parameter(
        -1.0, title="Ratio", meaning="Angle of the first wheel per angle of the second; negative for outer teeth."
    )  # fmt: skip
    offset: float = parameter(
        0.0, title="Offset", quantity="angle", meaning="Angle of the first wheel where that of the second is zero."
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a gear between two wheels on the ground."""
        return {
            **super().example(),
            "first_carrier": "ground.a",
            "first_wheel": "one.a",
            "second_carrier": "ground.b",
            "second_wheel": "two.a",
        }

    def marker_names(self) -> tuple[str, ...]:
        """Return carriers and wheels."""
        return self.first_carrier, self.first_wheel, self.second_carrier, self.second_wheel

    def first_angles(self) -> np.ndarray:
        """Return (2,) zeros, of both wheels."""
        return np.zeros(2)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (2,) both continuous angles."""
        found = (angle_about_z(*markers[:2]), angle_about_z(*markers[2:]))
        return np.array([unwrapped(float(a), near) for a, near in zip(found, last, strict=True)])

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return φ₁ − i φ₂ − φ₀."""
        one, two = self.angles(markers, angles)
        first, second = angle_row_about_z(*markers[:2]), angle_row_about_z(*markers[2:])
        value = np.array([one - self.ratio * two - self.offset])
        return Equations(value, np.hstack([first, -self.ratio * second]), ("rotation",))
