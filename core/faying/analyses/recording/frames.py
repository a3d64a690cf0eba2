"""Output frames within a time step: times, and coordinates and velocities interpolated there."""

from collections.abc import Iterator

import numpy as np

from faying.multibody.initial import put_right
from faying.multibody.system import MultibodySystem
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


def state_within(
    system: MultibodySystem, before: State, after: State, time: float, q: np.ndarray, v: np.ndarray
) -> tuple[State, float]:
    """Return the state of a system at a time within a step, and how far within it lies (0 to 1).

    Args:
        system: the system.
        before, after: accepted states at the ends of the step.
        time: of the state.
        q, v: (n,) coordinates and velocities interpolated there; their constraints are met again.
    """
    q, v = put_right(system, time, q, v, before.history)
    # Reactions and accelerations lie between those of the steps; a step is longer than they take to change.
    share = (min(time, after.time) - before.time) / (after.time - before.time)
    reactions = (1.0 - share) * before.all_multipliers + share * after.all_multipliers
    accelerations = (1.0 - share) * before.all_accelerations + share * after.all_accelerations
    history = system.followers.at(time, q, v, before.history, after.history)
    return State(time, q, v, accelerations, reactions, history), share
