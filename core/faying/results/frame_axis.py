"""The axis along which the frames of a run are counted: time, load, frequency, modes, cases …"""

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from faying.results.curve_key import CurveKey
from faying.units import UnitSystemName, plain_number, unit_text


class NamedFrames(Protocol):
    """Frames with values along an axis, and labels."""

    @property
    def n_frames(self) -> int:
        """Number of frames."""

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) values along the axis."""

    def label(self, frame: int) -> str:
        """Return the label of a frame."""


class RunFrames(NamedFrames, Protocol):
    """Frames of a stored run, with its curves, settings and report."""

    axis: "FrameAxis"

    @property
    def curve_texts(self) -> Mapping[CurveKey, str]:
        """Text of each stored curve by key."""

    @property
    def settings(self) -> dict[str, Any]:
        """Decisions of the analysis."""

    @property
    def report(self) -> dict[str, Any]:
        """Report of the run."""

    def named(self, name: str, frame: int) -> np.ndarray:
        """Return (…) the data of a frame by name, shaped as stored."""

    def curve(self, key: CurveKey) -> np.ndarray:
        """Return (n_frames,) values of a curve."""

    def curve_at(self, key: CurveKey, frame: int) -> float:
        """Return the value of a curve in a frame."""


class FrameAxis(ABC):  # noqa: B024 - every method has a default
    """An axis of frames.

    Attributes:
        kind: name in files.
        title: label of the axis in plots.
        quantity: physical dimension of its values; "" for plain numbers.
        of_frame: word for one frame, for "frame 3 of 12".
        first_number: number of the first frame in texts.
        in_time: whether frames are moments of a motion, so that velocities, spectra and means over time exist.
        follows: whether each frame follows from the one before it, so that work and slip add up.
        several_cases: whether frames belong to different load cases.
        discrete: whether nothing lies between two frames, so that plots over them have points without a line.
        swings: whether frames are shapes that oscillate about a state.
        has_size: whether displacements have a magnitude; mode shapes have none.
        has_contact: whether frames hold the state of the joints; small motions about an equilibrium do not.
        long_labels: whether labels are sentences that need a line of their own.
        logarithmic: whether plots over it are logarithmic.
        first_curves: quantities of the curves to show first; the largest motion by default.
        views: ways to plot its curves (`faying.results.curves.CurveView`, and "hysteresis").
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    quantity: ClassVar[str] = ""
    of_frame: ClassVar[str] = "frame"
    first_number: ClassVar[int] = 0
    in_time: ClassVar[bool] = False
    follows: ClassVar[bool] = False
    several_cases: ClassVar[bool] = False
    discrete: ClassVar[bool] = False
    swings: ClassVar[bool] = False
    has_size: ClassVar[bool] = True
    has_contact: ClassVar[bool] = True
    long_labels: ClassVar[bool] = False
    logarithmic: ClassVar[bool] = False
    first_curves: ClassVar[tuple[str, ...]] = ()
    views: ClassVar[tuple[str, ...]] = ("values",)

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the name of a frame without a name in its results."""
        return f"{self.kind} {plain_number(value_at(results, frame))}"

    def label_with_unit(self, frames: NamedFrames, frame: int, units: UnitSystemName) -> str:
        """Return the label of a frame with the unit of its value, if it has one."""
        unit = unit_text(self.quantity, units) if self.quantity else ""
        return f"{frames.label(frame)} {unit}".rstrip()

    def shape_text(self, results: RunFrames, frame: int, shape: int, units: UnitSystemName) -> str:
        """Return which of several shapes of a frame one is; "" where a frame is one."""
        return ""

    def moment(self, results: RunFrames, frame: int, units: UnitSystemName) -> str:
        """Return where an extreme value was found, for a table of results; "" at the end of the run."""
        return "" if frame == results.n_frames - 1 else self.label_with_unit(results, frame, units)

    def table_frames(self, results: RunFrames, force: np.ndarray) -> list[tuple[int, str]]:
        """Return number and label of the frames that make the rows of a table of a force (3, n_frames)."""
        return [(results.n_frames - 1, results.label(results.n_frames - 1))]

    def number_text(self, frame: int, count: int) -> str:
        """Return which of `count` frames one is: "frame 5 of 22", "mode 3 of 8"; `frame` counts from 0."""
        return f"{self.of_frame} {frame + self.first_number} of {count - 1 + self.first_number}"


def value_at(results: RunFrames, frame: int) -> float:
    """Return the value of a frame along its axis, checked as all data of results."""
    return float(results.named("axis_values", frame))
