"""Markers: points with axes on the parts of a system, where constraints and forces act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from faying.spatial.rotations import skew


@dataclass(frozen=True, eq=False)
class MarkerMotion:
    """Where a marker is and how its part's coordinates move it; everything in the inertial frame.

    Attributes:
        position: (3,).
        axes: (3, 3) unit vectors of the marker in its columns.
        d_position: (3, n) ∂position/∂q of the part's n coordinates.
        d_rotation: (3, n): virtual rotation δπ = d_rotation δq, so that an axis a changes by δπ × a.
        velocity, spin: (3,) rates of change; zero where only positions matter.
    """

    position: np.ndarray
    axes: np.ndarray
    d_position: np.ndarray
    d_rotation: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray


@dataclass(frozen=True, eq=False)
class MarkerShape:
    """What makes a marker: R + A (x + Φ_t q_f + ½ q_fᵀ W q_f), with axes A exp(Φ_r q_f) A₀.

    Attributes:
        place: x (3,) in the part's frame.
        axes: A₀ (3, 3), unit vectors in the columns.
        displacements, rotations: Φ_t and Φ_r (3, r); (3, 0) where the marker does not move in the frame.
        bows: W (3, r, r), symmetric each; None for zero.
    """

    place: np.ndarray
    axes: np.ndarray
    displacements: np.ndarray
    rotations: np.ndarray
    bows: np.ndarray | None = None


class MarkersAt(Protocol):
    """Markers of a system at a time, by name."""

    @property
    def time(self) -> float:
        """The time."""

    @property
    def remembered(self) -> Mapping[str, np.ndarray]:
        """What measures remember (k,) of the last accepted state, by their names."""

    def motion(self, marker: str) -> MarkerMotion:
        """Return where a marker "part.marker" is and how it moves."""


class Marker(Protocol):
    """A marker of one part; it depends on that part's coordinates only."""

    @property
    def name(self) -> str:
        """Its name, one of its part's."""

    def shape(self) -> MarkerShape:
        """Return its data, for kernels that evaluate many markers at once."""

    def motion(self, q: np.ndarray, v: np.ndarray | None = None) -> MarkerMotion:
        """Return the marker's position for its part's coordinates (n,) and its velocity for velocities (n,)."""

    def curvature(self, q: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return (…, n, n) ∂/∂q of d_positionᵀ force + d_rotationᵀ moment at constant forces and moments (…, 3)."""


def moved(
    markers: Sequence[MarkerMotion], which: int, step: float, speed: bool = False
) -> list[MarkerMotion]:
    """Return the markers with one of their 6 m virtual motions made by a small step; derivatives stay as they are.

    Components 0 to 2 of a marker displace it, 3 to 5 turn it, about the inertial axes; with `speed` its velocity
    or spin grows instead. The turn is of first order: a central difference cancels the rest.
    """
    changed = list(markers)
    at, component = divmod(which, 6)
    old, unit = markers[at], np.zeros(3)
    unit[component % 3] = step
    if component < 3:
        name, value = ("velocity", old.velocity + unit) if speed else ("position", old.position + unit)
    elif speed:
        name, value = "spin", old.spin + unit
    else:
        name, value = "axes", old.axes + skew(unit) @ old.axes
    changed[at] = replace(old, **{name: value})
    return changed
