"""Load histories: the factor of a load or of a prescribed motion over time. A member is one file."""

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from pydantic import PrivateAttr

from faying.load_histories._running_integral import RunningIntegral
from faying.params import Member
from faying.registry import Registry

load_histories: Registry[type["LoadHistory"]] = Registry("load history", __name__)


_STEP = 1e-4  # of the larger of the time and 0.01 time units; histories are smooth where a run starts


def rates_of(wanted: Callable[[float], float], time: float) -> tuple[float, float]:
    """Return the first and second time derivative of a motion that follows a load history.

    By one-sided differences to the right, for a motion may begin at `time`; zeros where they are not finite.
    """
    h = _STEP * max(abs(time), 1e-2)
    f = [wanted(time + k * h) for k in range(4)]
    first = (-11.0 * f[0] + 18.0 * f[1] - 9.0 * f[2] + 2.0 * f[3]) / (6.0 * h)
    second = (2.0 * f[0] - 5.0 * f[1] + 4.0 * f[2] - f[3]) / h**2
    return (first, second) if math.isfinite(first + second) else (0.0, 0.0)


class LoadHistory(Member):
    """A factor over time."""

    _integral: RunningIntegral | None = PrivateAttr(None)

    def __eq__(self, other: Any) -> bool:
        """Return whether all parameters are equal; what has been computed from them does not count."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Return the hash of the parameters."""
        return hash((type(self), *self.__dict__.values()))

    @abstractmethod
    def factor(self, time: float) -> float:
        """Return the factor by which a load, a displacement or a speed is multiplied at a time."""

    def integral(self, time: float) -> float:
        """Return the integral of the factor from 0 to a time: the displacement of a prescribed speed.

        Members override it where a formula exists; here it is found by adaptive quadrature from the last known time on.
        """
        if self._integral is None:
            self._integral = RunningIntegral(self.factor, self.breaks())
        return self._integral(time)

    def breaks(self) -> tuple[float, ...]:
        """Return times at which the factor has a corner or jumps, as far as they are known, ascending."""
        return ()
