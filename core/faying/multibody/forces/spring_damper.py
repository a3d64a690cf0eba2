"""A spring and a damper along a line."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from faying.multibody.forces import PairForce, forces
from faying.multibody.markers import MarkerMotion
from faying.params import parameter


@forces.register("spring_damper")
class SpringDamper(PairForce):
    """A spring and a damper along the line between two markers."""

    title: ClassVar[str] = "Spring and damper"

    stiffness: float = parameter(
        1.0, title="Stiffness", quantity="stiffness", ge=0.0, meaning="Force per elongation."
    )
    damping: float = parameter(
        0.0, title="Damping", quantity="damping", ge=0.0, meaning="Force per speed of elongation."
    )
    free_length: float = parameter(
        0.0, title="Free length", quantity="length", ge=0.0, meaning="Distance at which the spring is unloaded."
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return one with spring, damper and free length."""
        return {
            **super().example(),
            "stiffness": 3.0,
            "damping": 0.7,
            "free_length": 0.4,
        }

    def on_second(
        self, i: MarkerMotion, j: MarkerMotion, time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return force (3,) and moment (3,): the pull towards the first marker.

        A spring without free length has no line, only a force.
        """
        d, rate = j.position - i.position, j.velocity - i.velocity
        size = float(np.linalg.norm(d))
        along = d / size if size > 0.0 else np.zeros(3)
        force = -self.stiffness * (d - self.free_length * along) - self.damping * float(rate @ along) * along
        return force, np.zeros(3)

    def potential(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return k (|d| − L₀)²/2."""
        size = float(np.linalg.norm(markers[1].position - markers[0].position))
        return 0.5 * self.stiffness * (size - self.free_length) ** 2
