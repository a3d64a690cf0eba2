"""Constraints that combine angles and displacements between pairs of markers: Σ cₖ xₖ = c."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from faying.multibody.constraints import Constraint
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import Equations, angle_about_z, angle_row_about_z, unwrapped
from faying.params import parameter
from faying.spatial.rotations import cross


def from_placed_start(default: bool = True) -> Any:
    """Declare whether angles and displacements count from where the parts are placed."""
    return parameter(
        default, title="From the placed start",
        meaning="Whether angles and displacements count from where the parts are placed, and not by the offset.",
    )  # fmt: skip


class Summand(NamedTuple):
    """A factor, and whether it multiplies the angle about the first marker's z axis or the displacement along it."""

    factor: float
    of: Literal["angle", "displacement"]


class CombinedConstraint(Constraint):
    """One equation Σ cₖ xₖ = c over pairs of markers. Full turns are counted from the last accepted state.

    Attributes:
        holds: what the equation holds, for messages.
        offset: c.
        offset_as_placed: whether c is the sum of the placed start.
    """

    holds: ClassVar[str] = "rotation"
    held_by: ClassVar[str] = "offset"

    offset: float
    offset_as_placed: bool

    @abstractmethod
    def summands(self) -> tuple[Summand, ...]:
        """Return the summands, one of each pair of markers."""

    def first_angles(self) -> np.ndarray:
        """Return (k,) zeros, one of each angle."""
        return np.zeros(sum(each.of == "angle" for each in self.summands()))

    def as_placed(self, markers: Sequence[MarkerMotion]) -> Self:
        """Return it with the sum of the placed start as offset, if it counts from there."""
        if not self.offset_as_placed:
            return self
        return self.with_(offset=self.combined(markers, self.first_angles()), offset_as_placed=False)

    def angles(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (k,) all continuous angles."""
        return self.counted(markers, last)

    def counted(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> np.ndarray:
        """Return (k,) the continuous angles of pairs of markers."""
        pairs = zip(self.summands(), markers[::2], markers[1::2], strict=True)
        found = [angle_about_z(i, j) for each, i, j in pairs if each.of == "angle"]
        return np.array([unwrapped(a, float(near)) for a, near in zip(found, last, strict=True)])

    def combined(self, markers: Sequence[MarkerMotion], angles: np.ndarray) -> float:
        """Return Σ cₖ xₖ."""
        counted, total = list(self.counted(markers, angles)), 0.0
        for each, i, j in zip(self.summands(), markers[::2], markers[1::2], strict=True):
            x = counted.pop(0) if each.of == "angle" else float((j.position - i.position) @ i.axes[:, 2])
            total += each.factor * x
        return total

    def equations(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> Equations:
        """Return Σ cₖ xₖ − c; no equation without summands."""
        if not self.summands():
            return Equations(np.zeros(0), np.zeros((0, 0)), ())
        rows = [
            each.factor * (angle_row_about_z(i, j) if each.of == "angle" else displacement_row(i, j))
            for each, i, j in zip(self.summands(), markers[::2], markers[1::2], strict=True)
        ]
        value = np.array([self.combined(markers, angles) - self.offset])
        return Equations(value, np.hstack(rows), (self.holds,))


def displacement_row(i: MarkerMotion, j: MarkerMotion) -> np.ndarray:
    """Return the derivatives (1, 12) of (r_j − r_i) · z_i over [δP_i, δπ_i, δP_j, δπ_j]."""
    axis = i.axes[:, 2]
    lever = cross(axis, j.position - i.position)
    return np.asarray(np.concatenate([-axis, lever, axis, np.zeros(3)])[None])
