"""Ground: the part that never moves."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.joints.interface import JointForce
from faying.multibody.markers import Marker, MarkerMotion
from faying.multibody.placement import MarkerSpec
from faying.spatial.rotations import rotation_matrix

_NONE, _EMPTY = np.zeros((3, 0)), np.zeros(0)


class Ground:
    """A part without coordinates; its markers stand in space.

    Args:
        name: of the part.
        markers: with position and axes in space.
    """

    n, total_mass = 0, 0.0
    scales = _EMPTY
    joints: tuple[JointForce, ...] = ()

    def __init__(self, name: str, markers: Sequence[MarkerSpec]) -> None:
        self.name, self._markers = name, {marker.name: _Still(marker) for marker in markers}

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return nothing: there are no coordinates."""
        return np.zeros((0, 0))

    def mass_change(self, q: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return nothing."""
        return np.zeros((0, 0))

    def forces(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return nothing."""
        return _EMPTY

    def force_changes(
        self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return nothing."""
        return np.zeros((0, 0)), np.zeros((0, 0))

    def energies(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> tuple[float, float, float]:
        """Return zeros."""
        return 0.0, 0.0, 0.0

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return zeros: what ground takes is not counted."""
        return np.zeros(3), np.zeros(3)

    def marker(self, name: str) -> Marker:
        """Return a marker; raises ModelError naming the ones there are."""
        if name not in self._markers:
            known = ", ".join(self._markers) or "none"
            raise ModelError(f"Part {self.name!r} has no marker called {name!r}.", f"There are: {known}.")
        return self._markers[name]

    def marker_names(self) -> tuple[str, ...]:
        """Return the names of all markers."""
        return tuple(self._markers)

    def placed(self, position: np.ndarray, p: np.ndarray, flexible: Any = None) -> np.ndarray:
        """Return no coordinates."""
        return _EMPTY


class _Still:
    """A marker in space."""

    def __init__(self, marker: MarkerSpec) -> None:
        self.name = marker.name
        still = np.zeros(3)
        axes = rotation_matrix(marker.euler_parameters)
        self._motion = MarkerMotion(np.array(marker.position), axes, _NONE, _NONE, still, still)

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return where it is."""
        return self._motion

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return nothing."""
        return np.zeros((0, 0))
