"""The writer of frames: of a reduced body, of an FE model, of a system of parts."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np

from faying.analyses.curve_sources import curve_sources
from faying.analyses.recording.curve_source import (
    BodyState,
    RecordedBody,
    RecordedRun,
    RecordedSystem,
    SystemState,
)
from faying.results.curve_key import CurveKey, curve_text
from faying.results.names import path_of
from faying.results.results import Results
from faying.results.writer import ResultsWriter

_REPORTED = ("closed share", "slipping share", "largest penetration")


class OfferedCurves:
    """All curves of a body or system.

    Args:
        subjects: the body, or the system and its flexible parts; one source after the other is asked for each.
    """

    def __init__(self, *subjects: RecordedBody | RecordedSystem) -> None:
        self.subjects = subjects
        sources = [source() for _, source in curve_sources.items()]
        self._offers = [
            [(source, keys) for source in sources if isinstance(each, source.subject) and (keys := source.keys(each))]
            for each in subjects
        ]  # fmt: skip

    @property
    def keys(self) -> tuple[CurveKey, ...]:
        """Keys of all of them."""
        return tuple(key for offers in self._offers for _, keys in offers for key in keys)

    def values(self, *states: BodyState | SystemState) -> dict[CurveKey, float]:
        """Return the value of each curve.

        Args:
            states: of the subjects, in their order.
        """
        found: dict[CurveKey, float] = {}
        for subject, state, offers in zip(self.subjects, states, self._offers, strict=True):
            for source, keys in offers:
                found |= zip(keys, map(float, source.values(subject, state)), strict=True)
        return found

    def report(self, run: RecordedRun) -> dict[str, Any]:
        """Return the entries of the run report that follow from the curves; parts add to each other's."""
        found: dict[str, Any] = {}
        for subject, offers in zip(self.subjects, self._offers, strict=True):
            for source, _ in offers:
                for name, entry in source.report(subject, run).items():
                    found[name] = found.get(name, {}) | entry
        return found


class Recorder:
    """Writes frames with all curves that the sources of curves offer, and gathers what they report of the run.

    The file begins with the first frame, whose data give the shapes of all that follow; of a run that goes on, with
    the frames that it has.

    Args:
        target: file to be made.
        offered: the curves.
        after: an interrupted run of the same analysis, whose frames are taken over.
        keep: how many of them at most; all by default.
        words: of a `ResultsWriter`: axis, body, frame, system, settings, constants.
    """

    def __init__(
        self,
        target: Path,
        offered: OfferedCurves,
        after: Results | None = None,
        keep: int | None = None,
        **words: Any,
    ) -> None:
        self._target, self._offered = target, offered
        self._words = {"after": after, "keep": keep, "begun": None if after else time.time(), **words}
        self._writer = self._opened(_shapes_of(after)) if after else None

    @property
    def n_frames(self) -> int:
        """Number of frames so far."""
        return 0 if self._writer is None else self._writer.n_frames

    @property
    def keys(self) -> tuple[CurveKey, ...]:
        """Keys of all curves."""
        return self._offered.keys

    def curve(self, key: CurveKey) -> np.ndarray:
        """Return (n_frames,) values of a curve so far; KeyError for one that is not offered."""
        return np.zeros(0) if self._writer is None else self._writer.curve(key)

    def frame(
        self, value: float, states: tuple[BodyState | SystemState, ...], data: Mapping[str, Any]
    ) -> None:
        """Write a frame.

        Args:
            value: of the frames' axis.
            states: of the subjects of the offered curves.
            data: arrays by path (`faying.results.names.path_of`).
        """
        if self._writer is None:
            self._writer = self._opened({path: np.shape(array) for path, array in data.items()})
        self._writer.append(value, data, curves=self._offered.values(*states))

    def flush(self) -> None:
        """Bring all frames to disk."""
        if self._writer is not None:
            self._writer.flush()

    def remember(self, recall: Callable[[], dict[str, Any] | None]) -> None:
        """See `ResultsWriter.remember`; after the first frame."""
        assert self._writer is not None
        self._writer.remember(recall)

    def report(self, applied: float = 0.0) -> dict[str, Any]:
        """Return the entries of the run report that follow from the curves.

        Args:
            applied: sum of the magnitudes of external forces, those at displaced nodes left out.
        """
        return {"tie_shares": {}} | self._offered.report(RecordedRun(self.curve, applied))

    def close(self, report: dict[str, Any] | None = None) -> None:
        """Close the file; with a report it counts as complete."""
        if self._writer is not None:
            self._writer.close(report)

    def _opened(self, shapes: Mapping[str, tuple[int, ...]]) -> ResultsWriter:
        return ResultsWriter(self._target, sizes=shapes, joints={}, curves=self._offered.keys, **self._words)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._writer is not None:
            self._writer.__exit__(*error)


def joint_extremes(recorder: Recorder) -> dict[str, list[float]]:
    """Return for the report of a motion the smallest and largest share and penetration of each joint and contact."""
    keys = [key for key in recorder.keys if key.quantity in _REPORTED]
    curves = {curve_text(key): recorder.curve(key) for key in keys}
    return {text: [float(values.min()), float(values.max())] for text, values in curves.items()}


def _shapes_of(results: Results) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a frame's data of other results, curves and axis left out, by path."""
    own = {"axis_values", *(path_of("curves", text) for text in results.curve_names)}
    return {path: shape for path, shape in results.shapes.items() if path not in own}
