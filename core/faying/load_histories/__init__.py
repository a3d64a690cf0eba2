"""Load histories: the factor of a load or of a prescribed motion over time. A member is one file."""

import math
from abc import abstractmethod
from typing import Any

import numpy as np
from pydantic import PrivateAttr

from faying.errors import SolveError
from faying.load_histories._running_integral import RunningIntegral
from faying.params import Member
from faying.registry import Registry

load_histories: Registry[type["LoadHistory"]] = Registry("load history", __name__)


# Steps of the differences for the first and the second derivative, in time units. With a time scale τ of the history
# they are wrong by (h/τ)³/4 and by (h/τ)², and from round-off by 7 ε (1 + t/τ) τ/h and by 12 ε (1 + t/τ) (τ/h)².
_STEPS = (1e-6, 1e-5)
_OF_TIME = (1e-9, 1e-8)  # least steps as parts of the time, which itself is rounded


class LoadHistory(Member):
    """A factor over time."""

    _integral: RunningIntegral | None = PrivateAttr(None)
    _moment: RunningIntegral | None = PrivateAttr(None)

    def __eq__(self, other: Any) -> bool:
        """Return whether all parameters are equal; values computed from them are ignored."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Return the hash of the parameters."""
        return hash((type(self), *self.__dict__.values()))

    @abstractmethod
    def factor(self, time: float) -> float:
        """Return the factor by which a load, a displacement or a speed is multiplied at a time."""

    def lines(self, times: np.ndarray) -> dict[str, np.ndarray]:
        """Return the curve (n,) that shows it over times (n,), by name.

        Raises:
            FayingError: when it has no value there.
        """
        return {"over the run": np.array([self.factor(time) for time in times.tolist()])}

    def given_points(self) -> dict[str, tuple[tuple[float, float], ...]]:
        """Return the points (time, factor) that it is made of, by the parameter that has them; none of files."""
        return {}

    def integral(self, time: float) -> float:
        """Return the integral of the factor from 0 to a time: the displacement of a prescribed speed.

        Members override it where a formula exists; here it is found by adaptive quadrature from the last known time on.
        """
        if self._integral is None:
            self._integral = RunningIntegral(self.factor, self.breaks())
        return self._integral(time)

    def double_integral(self, time: float) -> float:
        """Return the integral of the integral from 0 to a time: the displacement of a prescribed acceleration.

        By Cauchy's formula t ∫ f dτ − ∫ τ f dτ, the latter by adaptive quadrature from the last known time on.
        """
        if self._moment is None:
            self._moment = RunningIntegral(lambda tau: tau * self.factor(tau), self.breaks())
        return time * self.integral(time) - self._moment(time)

    def rates(self, time: float) -> tuple[float, float]:
        """Return the first and second time derivative of the factor, at a corner or jump those to the right.

        Members override it where a formula exists; here they are found by one-sided differences, to the left where the
        factor has no value to the right. Zeros where they are not finite.
        """
        for sense in (1.0, -1.0):
            first_step, second_step = (
                sense * max(step, part * abs(time)) for step, part in zip(_STEPS, _OF_TIME, strict=True)
            )
            try:
                f = [self.factor(time + k * first_step) for k in range(4)]
                first = (-11.0 * f[0] + 18.0 * f[1] - 9.0 * f[2] + 2.0 * f[3]) / (6.0 * first_step)
                f = [self.factor(time + k * second_step) for k in range(4)]
                second = (2.0 * f[0] - 5.0 * f[1] + 4.0 * f[2] - f[3]) / second_step**2
            except SolveError:
                continue
            return (first, second) if math.isfinite(first + second) else (0.0, 0.0)
        return 0.0, 0.0

    def breaks(self) -> tuple[float, ...]:
        """Return times at which the factor has a corner or jumps, as far as they are known, ascending."""
        return ()
