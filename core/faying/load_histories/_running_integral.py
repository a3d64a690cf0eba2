"""The integral of a factor over time, kept from one call to the next."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence

_PIECES = (
    64  # a piece is at most this part of the time since 0, so that the quadrature overlooks no short event
)
_MAX_STORED_TIMES = 100_000  # stored times


class RunningIntegral:
    """∫ f dt from 0 to a time; integration continues from the last stored time before it, not from zero.

    A run needs times in short steps, so that the quadrature misses nothing between them. A long interval is cut into
    pieces, and every interval at the breaks of f.

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
        if len(self._times) > _MAX_STORED_TIMES:  # every second of the older times is enough
            del self._times[1 : _MAX_STORED_TIMES // 2 : 2], self._values[1 : _MAX_STORED_TIMES // 2 : 2]
        return value

    def _over(self, start: float, end: float) -> float:
        from scipy.integrate import quad  # late: it brings scipy.optimize along, which few runs need

        ends = [start, *(t for t in self._breaks if start < t < end), end]
        parts = (
            quad(self._factor, a, b, epsabs=1e-13, epsrel=1e-10, limit=200)[0]
            for a, b in itertools.pairwise(ends)
        )
        return float(sum(parts))
