"""Proportional, integral and derivative action."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator

from faying.multibody.controllers import controllers
from faying.multibody.controllers._linear import LinearMatrices
from faying.multibody.controllers._on_error import OnDeviation
from faying.params import parameter


@controllers.register("pid")
class Pid(OnDeviation):
    """y = P e + I ∫ e dt + D e', of the error e = set point − input, with a filter before the derivative and limits.

    The derivative is that of the error behind a filter of first order, D s/(T s + 1). At its limits the output stays,
    and the integral is led back by (limited − unlimited output)/tracking time (back-calculation, Åström and Hägglund
    2006, Advanced PID control, section 3.5), so that it does not wind up. The derivative begins at zero.
    """

    title: ClassVar[str] = "PID"

    proportional: float = parameter(1.0, title="Gain P", meaning="Output per error, in the project's units.")
    integral: float = parameter(0.0, title="Gain I", meaning="Rate of the output per error.")
    derivative: float = parameter(0.0, title="Gain D", meaning="Output per rate of the error.")
    filter_time: float = parameter(
        0.0, title="Filter time", quantity="time", ge=0.0,
        meaning="Time constant T of the filter before the derivative; zero for a hundredth of D/P.",
    )  # fmt: skip
    derivative_of: Literal["error", "input"] = parameter(
        "error", title="Derivative of",
        meaning="The error, or minus the input: then steps of the set point do not go through the derivative.",
    )  # fmt: skip
    lower: float | None = parameter(None, title="Lower limit", meaning="Least output; none for no limit.")
    upper: float | None = parameter(None, title="Upper limit", meaning="Largest output; none for no limit.")
    tracking_time: float = parameter(
        0.0, title="Tracking time", quantity="time", ge=0.0, advanced=True,
        meaning="Time constant with which the integral is led back at a limit; zero for √(D/I), without D for P/I.",
    )  # fmt: skip
    integral_start: float = parameter(
        0.0, title="Integral at the start", advanced=True, meaning="Part of the output by the integral at the start."
    )  # fmt: skip

    @model_validator(mode="after")
    def _limits_in_order(self) -> "Pid":
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            raise ValueError("the lower limit is not below the upper one")
        return self

    def matrices(self) -> LinearMatrices:
        """Return the matrices without limits: the integral's part of the output, then the filtered input of D."""
        return _pid(self.proportional, self.integral, self.derivative, self._filter)

    def inputs(self, time: float, values: Mapping[str, float]) -> np.ndarray:
        """Return (2,) the error, and that of which the derivative is taken."""
        error = float(super().inputs(time, values)[0])
        return np.array([error, error if self.derivative_of == "error" else -values[self.input]])

    def first_states(self, inputs: np.ndarray) -> np.ndarray:
        """Return (s,) the integral at the start, and a filter that has settled."""
        own = [self.integral_start] if self.integral else []
        return np.array([*own, *([inputs[1]] if self.derivative else [])])

    def output(self, states: np.ndarray, inputs: np.ndarray) -> float:
        """Return the output within its limits."""
        return self._limited(super().output(states, inputs))

    def rates(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Return x' (s,); that of the integral is led back at a limit."""
        found = super().rates(states, inputs)
        if self.integral:
            found[0] += self._led_back(super().output(states, inputs))
        return found

    def advanced(self, states: np.ndarray, before: np.ndarray, inputs: np.ndarray, step: float) -> np.ndarray:
        """Return the states (s,) after a step: exact without limits; the way back of the integral is fitted.

        The integral I₁ = I₀ + I h (e₀ + e₁)/2 + h [(1 − θ) b₀ + θ b₁] has b = (limited − unlimited)/tracking time, with
        the weight θ that is exact for a constant error at a limit (Liniger and Willoughby 1970). As b₁ is linear in I₁
        within the limits and beyond them, it is solved exactly.
        """
        found = super().advanced(states, before, inputs, step)
        if not self.integral or (self.lower is None and self.upper is None) or step == 0.0:
            return found
        ratio = step / self._tracking
        theta = 1.0 / -math.expm1(-ratio) - 1.0 / ratio if ratio > 1e-4 else 0.5 + ratio / 12.0
        back = step * (1.0 - theta) * self._led_back(super().output(states, before))
        wanted = super().output(found, inputs) + back
        excess = wanted - self._limited(wanted)
        found[0] += back - excess * theta * ratio / (1.0 + theta * ratio)
        return found

    def problem(self) -> tuple[str, str]:
        """Return that all gains are zero, or that a time does not follow from them."""
        if not (self.proportional or self.integral or self.derivative):
            return "has no gain", "Give a gain P, I or D."
        if self.derivative and not self.proportional and not self.filter_time:
            return "has a derivative without a filter time", "Give a filter time, or a gain P."
        limited = self.lower is not None or self.upper is not None
        if self.integral and limited and not (self.proportional or self.derivative or self.tracking_time):
            return "has limits and an integral alone", "Give a tracking time, or a gain P."
        return "", ""

    def _limited(self, value: float) -> float:
        if self.lower is not None and value < self.lower:
            return self.lower
        return self.upper if self.upper is not None and value > self.upper else value

    def _led_back(self, unlimited: float) -> float:
        return (self._limited(unlimited) - unlimited) / self._tracking

    @property
    def _filter(self) -> float:
        if self.filter_time:
            return self.filter_time
        return (
            0.01 * abs(self.derivative / self.proportional) if self.proportional and self.derivative else 1.0
        )

    @property
    def _tracking(self) -> float:
        if self.tracking_time:
            return self.tracking_time
        times = math.sqrt(abs(self.derivative / self.integral)), abs(self.proportional / self.integral)
        return next((time for time in times if time > 0.0), 1.0)


@lru_cache(maxsize=256)
def _pid(p: float, i: float, d: float, filter_time: float) -> LinearMatrices:
    rows: list[tuple[float, float, float, float]] = []  # A on the diagonal, B of both inputs, C
    if i:
        rows.append((0.0, i, 0.0, 1.0))
    if d:
        rows.append((-1.0 / filter_time, 0.0, 1.0 / filter_time, -d / filter_time))
    table = np.array(rows).reshape(-1, 4)
    through = np.array([p, d / filter_time if d else 0.0])
    return LinearMatrices(
        np.diag(table[:, 0]), np.ascontiguousarray(table[:, 1:3]), table[:, 3].copy(), through
    )
