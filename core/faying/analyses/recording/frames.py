"""Output frames within a time step: times, and coordinates and velocities interpolated there."""

from collections.abc import Iterator

import numpy as np

from faying.solvers.integrators import State, interpolate


def frames_within(
    before: State, after: State, first: int, last: int, interval: float, start: float = 0.0
) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Yield (time, q (n,), v (n,)) of the frames whose times lie in (before, after], interpolated.

    Args:
        before, after: accepted states at the ends of a step.
        first: number of the first frame that is not written yet; frame k is at the start plus k times the interval.
        last: number of the run's last frame.
        interval: time between frames.
        start: time of frame zero.
    """
    for number in range(first, last + 1):
        time = start + number * interval
        if time > after.time * (1 + 1e-12):
            return
        yield (time, *interpolate(before, after, min(time, after.time)))
