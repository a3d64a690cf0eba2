"""Slow evaluations of results: the worker process answers them in the background."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from faying.exporters import ExportContent
from faying.progress import Progress
from faying.results.bolt_table import BoltRow
from faying.results.formula import find_field
from faying.results.over_run import OverRun, over_run, time_history
from faying.results.places import PlaceCurve, history_at


@dataclass(frozen=True)
class Question(ABC):
    """A question about the frames of an analysis.

    Attributes:
        analysis: name of the analysis.
        field: kind of a field, or a formula.
        joint: joint of a joint field; "" for a body field.
        part: flexible part of the system that the analysis moves; "" for an analysis of a body.
    """

    analysis: str
    field: str
    joint: str
    part: str = dataclass_field(default="", kw_only=True)

    @abstractmethod
    def answer(self, content: ExportContent, progress: Progress) -> Any:
        """Return the answer.

        Raises:
            ModelError: when the field does not exist.
            Cancelled: when asked to stop.
        """


@dataclass(frozen=True)
class OverRunQuestion(Question):
    """Extremes and mean of a field over the run."""

    def answer(self, content: ExportContent, progress: Progress) -> OverRun:
        """Return extremes and mean per pair or node."""
        return over_run(find_field(self.field), content.body_context, self.joint, progress)


@dataclass(frozen=True)
class BoltTableQuestion(Question):
    """Bolt forces over the run. Field and joint are not used."""

    def answer(self, content: ExportContent, progress: Progress) -> tuple[BoltRow, ...]:
        """Return a row for each bolt, with the name of its part."""
        return content.bolt_table(f"{self.part}: " if self.part else "")


@dataclass(frozen=True)
class TimeHistoryQuestion(Question):
    """Values of a field at some pairs or nodes over the run.

    Attributes:
        rows: rows of the joint's contact pairs, or of the model's nodes.
    """

    rows: tuple[int, ...]

    def answer(self, content: ExportContent, progress: Progress) -> np.ndarray:
        """Return (n_frames, n_rows) numbers; the magnitude of a vector."""
        return time_history(find_field(self.field), content.body_context, self.joint, self.rows, progress)


@dataclass(frozen=True)
class LargestQuestion(Question):
    """The largest value of a field at each frame."""

    def answer(self, content: ExportContent, progress: Progress) -> np.ndarray:
        """Return (n_frames,)."""
        from faying.results.largest_curve import LargestCurve  # the first window has no use for it

        wanted = LargestCurve(self.part, self.field, self.joint)
        return wanted.values(find_field(self.field), content.body_context, progress)


@dataclass(frozen=True)
class PlaceQuestion(Question):
    """Values of a field at an element or node over the run. The joint is not used.

    Attributes:
        place: "el" or "node".
        number: its number in the deck.
    """

    place: str
    number: int

    def answer(self, content: ExportContent, progress: Progress) -> np.ndarray:
        """Return (n_frames,)."""
        wanted = PlaceCurve(self.part, self.place, self.number, self.field)
        places = wanted.places(content.model)
        return history_at(find_field(self.field), content.body_context, places, progress)[:, 0]
