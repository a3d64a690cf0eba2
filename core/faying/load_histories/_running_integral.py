"""The integral of a factor over time, kept from one call to the next."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence

_PIECES = 64  # of all the time so far: no stretch is integrated in longer pieces, so that little lies between points
_MOST = 100_000  # times that are kept


class RunningIntegral:
    """∫ f from 0: a time asked for is reached from the last one before it that is known, never from zero again.

    A run asks for times one short step after the other, so that each is a short way from the last and nothing between
    them is overlooked. A long way is cut into pieces, and every way at the breaks of f.

    Args:
        factor: f.
        breaks: times at which f has a corner or jumps, ascending.
    """

    def __init__(self, factor: Callable[[float], float], breaks: Sequence[float] = ()) -> None:
        self._factor, self._breaks = factor, tuple(breaks)
        self._times, self._values = [0.0], [0.0]

    def __call__(self, time: float) -> float:
        """Return the integral up to a time; negative times count backwards from zero."""
        if time < 0.0:
            return -self._over(time, 0.0)
        at = bisect_right(self._times, time) - 1
        known, value = self._times[at], self._values[at]
        if known == time:
            return value
        pieces = math.ceil(_PIECES * (time - known) / time)
        ends = [known + (time - known) * k / pieces for k in range(pieces)] + [time]
        for start, end in itertools.pairwise(ends):
            value += self._over(start, end)
        if known == self._times[-1]:
            self._times.append(time)
            self._values.append(value)
        if len(self._times) > _MOST:  # of what is long past every second time will do
            del self._times[1 : _MOST // 2 : 2], self._values[1 : _MOST // 2 : 2]
        return value

    def _over(self, start: float, end: float) -> float:
        from scipy.integrate import quad  # late: it brings scipy.optimize along, which few runs need

        ends = [start, *(t for t in self._breaks if start < t < end), end]
        parts = (
            quad(self._factor, a, b, epsabs=1e-13, epsrel=1e-10, limit=200)[0]
            for a, b in itertools.pairwise(ends)
        )
        return float(sum(parts))
