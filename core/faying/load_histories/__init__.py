"""Load histories: how a load or a prescribed motion goes over time. A member is one file."""

from abc import abstractmethod
from typing import Any

from pydantic import PrivateAttr

from faying.load_histories._running_integral import RunningIntegral
from faying.params import Member
from faying.registry import Registry

load_histories: Registry[type["LoadHistory"]] = Registry("load history", __name__)


class LoadHistory(Member):
    """A factor over time."""

    _integral: RunningIntegral | None = PrivateAttr(None)

    def __eq__(self, other: Any) -> bool:
        """Return whether they are the same decisions, whatever has been evaluated of them."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Return the hash of the decisions."""
        return hash((type(self), *self.__dict__.values()))

    @abstractmethod
    def factor(self, time: float) -> float:
        """Return the factor by which a load, a place or a speed is multiplied at a time."""

    def integral(self, time: float) -> float:
        """Return the integral of the factor from 0 to a time: the way of a prescribed speed.

        Members override it where a formula exists; here it is found by adaptive quadrature, onwards from what is known.
        """
        if self._integral is None:
            self._integral = RunningIntegral(self.factor, self.breaks())
        return self._integral(time)

    def breaks(self) -> tuple[float, ...]:
        """Return times at which the factor has a corner or jumps, as far as they are known, ascending."""
        return ()
