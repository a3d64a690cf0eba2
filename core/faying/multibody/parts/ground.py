"""Ground: the inertial frame as a part without coordinates."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from faying.errors import ModelError, there_are
from faying.joints.sampled import ActingJoint
from faying.multibody.part_table import PartNumbers
from faying.multibody.parts.markers import GroundMarker

ORIGIN = "origin"  # name of the marker there


class Ground:
    """A `Part` that never moves.

    Args:
        markers: with unique names; there is always "origin".
        name: of the part.
    """

    n = 0
    total_mass = 0.0
    joints: tuple[ActingJoint, ...] = ()

    def __init__(self, markers: Iterable[GroundMarker] = (), name: str = "ground") -> None:
        self.name, self.scales, self.separable_stiffness = name, np.zeros(0), np.zeros(0)
        origin = GroundMarker(ORIGIN, np.zeros(3))
        self._markers = {marker.name: marker for marker in (origin, *markers)}

    def numbers(self) -> PartNumbers:
        """Return no constants: ground has no coordinates."""
        return PartNumbers(0, np.zeros(0), np.zeros(0))

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return (0, 0)."""
        return np.zeros((0, 0))

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return (0, 0)."""
        return np.zeros((0, 0))

    def forces(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return (0,)."""
        return np.zeros(0)

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (0, 0) twice."""
        return np.zeros((0, 0)), np.zeros((0, 0))

    def energies(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> tuple[float, float, float]:
        """Return zeros: ground does not move."""
        return 0.0, 0.0, 0.0

    def strain_energy(self, q: np.ndarray) -> float:
        """Return zero."""
        return 0.0

    @property
    def is_preloaded(self) -> bool:
        """False: nothing acts on it."""
        return False

    def preload_work(self, q: np.ndarray) -> float:
        """Return zero."""
        return 0.0

    def dissipation(self, v: np.ndarray) -> float:
        """Return zero."""
        return 0.0

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return zeros (3,), twice."""
        return np.zeros(3), np.zeros(3)

    def marker(self, name: str) -> GroundMarker:
        """Return a marker; raises ModelError naming the ones there are."""
        if name not in self._markers:
            raise ModelError(
                f"Part {self.name!r} has no marker called {name!r}.", there_are(name, self._markers)
            )
        return self._markers[name]

    def marker_names(self) -> tuple[str, ...]:
        """Return the names of all markers."""
        return tuple(self._markers)

    def placed(self, position: np.ndarray, p: np.ndarray, flexible: Any = None) -> np.ndarray:
        """Return (0,): no coordinates."""
        return np.zeros(0)
