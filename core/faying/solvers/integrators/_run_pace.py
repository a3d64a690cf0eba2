"""Remaining time of a run, estimated from its last steps."""

from time import process_time

_STEPS = 100  # over which the pace is taken


class RunPace:
    """The pace of a run, at the length and the effort of its last steps.

    Args:
        end: time at which the run ends.
    """

    def __init__(self, end: float) -> None:
        self._end = end
        self._steps, self._time, self._spent = 0, 0.0, 0.0
        self._told: dict[str, float] = {}

    def left(self, steps: int, time: float) -> dict[str, float]:
        """Return `steps_left` and `seconds_left` of processor time; nothing before a hundred steps were taken.

        Args:
            steps: taken so far.
            time: reached with them.
        """
        if not self._spent:
            self._steps, self._time, self._spent = steps, time, process_time()
        elif steps >= self._steps + _STEPS and time > self._time:
            spent, share = process_time(), (self._end - time) / (time - self._time)
            self._told = {
                "steps_left": float(round(share * (steps - self._steps))),
                "seconds_left": share * (spent - self._spent),
            }
            self._steps, self._time, self._spent = steps, time, spent
        return self._told
