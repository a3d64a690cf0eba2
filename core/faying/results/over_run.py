"""Extremes and mean of a field over all frames of a run, streamed: no more than one frame is in memory."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from faying.progress import Progress, Silent
from faying.results.fields import RUN, Field, FieldContext
from faying.results.places import Places, history_at


@dataclass(frozen=True, eq=False)
class OverRun:
    """Extremes and mean of a field over a run, per pair or node; NaN where the field has no value.

    Attributes:
        minimum, maximum: over the frames.
        mean: over time (trapezoidal rule); over the frames where they are no moments in time.
        time_of_maximum: axis value of the frame where the maximum is first reached.
    """

    minimum: np.ndarray
    maximum: np.ndarray
    mean: np.ndarray
    time_of_maximum: np.ndarray

    @property
    def case_of_maximum(self) -> np.ndarray:
        """(n,) number of the case in which the maximum is first reached, of frames of several load cases."""
        return np.asarray(np.floor(self.time_of_maximum))

    @property
    def range(self) -> np.ndarray:
        """(n,) maximum minus minimum."""
        return np.asarray(self.maximum - self.minimum)


def over_run(field: Field, context: FieldContext, joint: str, progress: Progress | None = None) -> OverRun:
    """Return the extremes and the mean of a field's shown numbers (a vector's length) over all frames.

    Args:
        field: the field to evaluate.
        context: of the frames.
        joint: of a joint field; "" for a body field.
        progress: reports each frame, and cancels.

    Raises:
        ModelError: when the frames are mode shapes, or the field is not available.
        Cancelled: when asked to stop.
    """
    progress, frames = progress or Silent(), context.frames
    RUN.require(context)
    count, values = frames.n_frames, np.asarray(frames.values, float)
    shares = _shares(values) if frames.axis.in_time else np.full(count, 1.0 / count)
    first = field.shown(context, joint, 0)
    low, high, mean, when = first.copy(), first.copy(), shares[0] * first, np.full(len(first), values[0])
    for i in range(1, count):
        progress.report(i / count, f"{field.title}: frame {i}")
        shown = field.shown(context, joint, i)
        np.minimum(low, shown, out=low)
        when[shown > high] = values[i]
        np.maximum(high, shown, out=high)
        mean += shares[i] * shown
    when[np.isnan(high)] = np.nan
    return OverRun(low, high, mean, when)


def time_history(
    field: Field, context: FieldContext, joint: str, rows: Sequence[int], progress: Progress
) -> np.ndarray:
    """Return (n_frames, n_rows) a field's shown numbers at some pairs or nodes over the run.

    Stress fields are evaluated only there.

    Args:
        field: the field to evaluate.
        context: of the frames.
        joint: of a joint field; "" for a body field.
        rows: of the joint's contact pairs, or of the nodes.
        progress: reports each frame, and cancels.

    Raises:
        ModelError: when the field is not available.
        Cancelled: when asked to stop.
    """
    if field.location == "body" and field.reach == "stress" and context.model is not None:
        return history_at(field, context, Places(tuple(rows)), progress)
    chosen, found = list(rows), np.empty((context.frames.n_frames, len(rows)))
    for frame in range(len(found)):
        progress.report(frame / len(found), f"{field.title}: frame {frame}")
        found[frame] = field.shown(context, joint, frame)[chosen]
    return found


def kept_over_run(field: Field, context: FieldContext, joint: str) -> OverRun:
    """Return extremes and mean of a field over the run, computed at first and cached until there are more frames."""
    found = _known(field, context, joint)
    if found is None:
        found = over_run(field, context, joint, context.progress)
        keep_over_run(field, context, joint, found)
    return found


def keep_over_run(field: Field, context: FieldContext, joint: str, found: OverRun) -> None:
    """Cache the result of another process, so that fields that depend on it need no computation."""
    context.kept.of(context.frames)[_name(field, joint)] = context.frames.n_frames, found


def is_kept_over_run(field: Field, context: FieldContext, joint: str) -> bool:
    """Return whether extremes and mean of a field are cached for the present number of frames."""
    return _known(field, context, joint) is not None


def missing_over_run(field: Field, context: FieldContext, joint: str) -> Iterator[Field]:
    """Yield the fields with extremes over the run that a field needs before its evaluation, the innermost first."""
    for inner in field.looks_over_run():
        if _known(inner, context, joint) is None:
            yield from missing_over_run(inner, context, joint)
            yield inner


def _known(field: Field, context: FieldContext, joint: str) -> OverRun | None:
    count, found = context.kept.of(context.frames).get(_name(field, joint), (0, None))
    return found if count == context.frames.n_frames else None


def _name(field: Field, joint: str) -> Hashable:
    return ("over run", field.text, joint)


def _shares(times: np.ndarray) -> np.ndarray:
    """Return (n,) weights of the trapezoidal mean over times that may be unevenly spaced."""
    if len(times) < 2 or times[-1] == times[0]:
        return np.full(len(times), 1.0 / len(times))
    steps = np.diff(times)
    ends = np.concatenate([[0.0], steps]) + np.concatenate([steps, [0.0]])
    return np.asarray(0.5 * ends / (times[-1] - times[0]))
