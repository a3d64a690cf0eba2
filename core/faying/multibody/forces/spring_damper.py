"""A spring and a damper along a line."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from faying.multibody.characteristics import Characteristic, characteristics
from faying.multibody.forces import AXIAL_FORCE, LENGTH, PairForce, Reading, forces
from faying.multibody.forces._line import changes_along_line, line_of
from faying.multibody.forces._spring import spring_amount, spring_slopes
from faying.multibody.markers import MarkerMotion
from faying.params import member_of, parameter


@forces.register("spring_damper")
class SpringDamper(PairForce):
    """A spring and a damper along the line between two markers: it pulls with F₀ + f(l − l₀) + d(l̇)."""

    title: ClassVar[str] = "Spring and damper"
    readings: ClassVar[tuple[Reading, ...]] = (AXIAL_FORCE, LENGTH)

    stiffness: float = parameter(
        1.0, title="Stiffness", quantity="stiffness", ge=0.0, meaning="Force per elongation."
    )
    damping: float = parameter(
        0.0, title="Damping", quantity="damping", ge=0.0, meaning="Force per speed of elongation."
    )
    free_length: float = parameter(
        0.0, title="Free length", quantity="length", ge=0.0, meaning="Distance at which the spring is unloaded."
    )  # fmt: skip
    free_length_as_placed: bool = parameter(
        False, title="Free length as placed",
        meaning="Whether the free length is the distance of the markers at the assembled start, and not the one above.",
    )  # fmt: skip
    preload: float = parameter(
        0.0, title="Preload", quantity="force", meaning="Pull at the free length; negative for a push."
    )
    characteristic: member_of(characteristics) | None = parameter(  # type: ignore[valid-type]
        None,
        title="Characteristic",
        meaning="Force over elongation, in place of the stiffness.",
        over="length",
        gives="force",
    )
    damping_characteristic: member_of(characteristics) | None = parameter(  # type: ignore[valid-type]
        None, title="Damping characteristic",
        meaning="Force over speed of elongation, in place of the damping; the force should have the sign of the speed.",
        over="velocity", gives="force",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with a progressive spring, preload, free length and a degressive damper."""
        return {
            **super().example(),
            "free_length": 0.4,
            "preload": 0.2,
            "characteristic": {"kind": "polynomial", "coefficients": (0.0, 3.0, 0.0, 0.5)},
            "damping_characteristic": {"kind": "formula", "formula": "0.7*tanh(x)"},
        }

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,): the pull towards the first marker.

        A spring without free length has no line, only a force.
        """
        size, rate, along = line_of(i, j)
        return -self._pull(size, rate) * along, np.zeros(3)

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (12, 12) changes of both wrenches with virtual motions of the markers and with their velocities."""
        i, j = markers
        size, rate, _ = line_of(i, j)
        if size == 0.0:  # no line
            return super().changes(markers, time, angles)
        return changes_along_line(
            i, j, self._pull(size, rate), *spring_slopes(self, size - self.free_length, rate)
        )

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return the pull, and the distance of the markers."""
        size, rate, _ = line_of(*markers)
        return self._pull(size, rate), size

    def arguments(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[tuple[Characteristic | None, float, str], ...]:
        """Return spring and damper, with elongation and its rate."""
        size, rate, _ = line_of(*markers)
        return (
            (self.characteristic, size - self.free_length, "length"),
            (self.damping_characteristic, rate, "velocity"),
        )

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return the work of the pull from the free length, k x²/2 for a linear spring; the preload counts, too."""
        x = line_of(*markers)[0] - self.free_length
        spring = self.characteristic
        stored = 0.5 * self.stiffness * x**2 if spring is None else float(spring.integral(x))
        return stored + self.preload * x

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return the spring with the distance of its markers as free length, if it is to have that."""
        if not self.free_length_as_placed:
            return self
        return self.with_(free_length=line_of(*markers)[0], free_length_as_placed=False)

    def _pull(self, size: float, rate: float) -> float:
        return spring_amount(self, size - self.free_length, rate)
