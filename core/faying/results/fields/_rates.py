"""Rates over time: those that an analysis stored, else differences between its frames."""

from collections.abc import Callable

import numpy as np

from faying.errors import ModelError
from faying.results.fields import TIME, FieldContext


def coordinate_rates(context: FieldContext, frame: int) -> np.ndarray:
    """Return (r,) velocities of the flexible coordinates.

    Raises:
        ModelError: when the frames are no moments in time, or are not given by coordinates.
    """
    require_time(context)
    stored = context.frames.velocities(frame)
    return _difference(context, frame, _coordinates(context)) if stored is None else stored


def coordinate_accelerations(context: FieldContext, frame: int) -> np.ndarray:
    """Return (r,) accelerations of the flexible coordinates; raises as `coordinate_rates`."""
    require_time(context)

    def rate(i: int) -> np.ndarray:
        return coordinate_rates(context, i)

    return _difference(context, frame, rate)


def require_time(context: FieldContext) -> None:
    """Refuse frames that are no moments in time."""
    TIME.require(context)


def _coordinates(context: FieldContext) -> Callable[[int], np.ndarray]:
    def coordinates(frame: int) -> np.ndarray:
        found = context.frames.coordinates(frame)
        if found is None:
            raise ModelError("These frames have no coordinates over time.", "Choose another field.")
        return found

    return coordinates


def _difference(context: FieldContext, frame: int, value: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return the derivative of a value at a frame: of the parabola through three frames, so of second order."""
    times, n = context.frames.values, context.frames.n_frames
    chosen = np.clip(frame - 1, 0, max(n - 3, 0)) + np.arange(min(3, n))
    t = np.asarray(times)[chosen] - times[frame]
    # Weights that are exact for 1, t and t²; any spacing of the frames.
    powers = np.vander(t / np.ptp(t), increasing=True).T
    weights = np.linalg.solve(powers, np.eye(len(t))[1]) / np.ptp(t)
    return np.asarray(sum(w * value(int(i)) for w, i in zip(weights, chosen, strict=True)))
