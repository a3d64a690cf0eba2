"""A load history that another program sets while the system moves."""

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from pydantic import PrivateAttr

from faying.load_histories import LoadHistory, load_histories
from faying.params import Spec, parameter


class _Way:
    """The values set so far: points of a piecewise linear function, and its integral up to each of them."""

    def __init__(self) -> None:
        self.times, self.values, self.areas = list[float](), list[float](), list[float]()


@load_histories.register("input")
class InputHistory(LoadHistory):
    """The value that is set from outside: by the program that steps an exported FMU, or by a script.

    A new value is reached on a straight line by the end of the step for which it is set, so that nothing jumps.
    """

    title: ClassVar[str] = "Input from outside"

    input: str = parameter(
        "input", title="Input", min_length=1,
        meaning="Name under which another program sets it; loads and drives with one name are set together.",
    )  # fmt: skip
    value: float = parameter(
        0.0, title="Value", meaning="The factor as long as nobody sets it: in a run of this program always."
    )
    _way: _Way = PrivateAttr(default_factory=_Way)

    def reach(self, time: float, value: float) -> None:
        """Set the value at a time later than all before; up to the first point the value is constant."""
        way = self._way
        area = value * time if not way.times else (
            way.areas[-1] + 0.5 * (way.values[-1] + value) * (time - way.times[-1])
        )  # fmt: skip
        way.times.append(time)
        way.values.append(value)
        way.areas.append(area)

    @contextmanager
    def held_at(self, value: float) -> Iterator[None]:
        """Hold a value at all times within a ``with`` block."""
        kept, self._way = self._way, _Way()
        self.reach(0.0, value)
        try:
            yield
        finally:
            self._way = kept

    def factor(self, time: float) -> float:
        """Return the value at a time, linear between the points that were set, constant outside of them."""
        way = self._way
        if not way.times:
            return self.value
        after = bisect_right(way.times, time)
        if after in (0, len(way.times)):
            return way.values[min(after, 1) * -1]
        share = (time - way.times[after - 1]) / (way.times[after] - way.times[after - 1])
        return way.values[after - 1] + share * (way.values[after] - way.values[after - 1])

    def integral(self, time: float) -> float:
        """Return the integral of the values that were set, from time zero."""
        way = self._way
        if not way.times:
            return self.value * time
        before = bisect_right(way.times, time) - 1
        if before < 0:
            return way.values[0] * time
        return way.areas[before] + 0.5 * (way.values[before] + self.factor(time)) * (time - way.times[before])

    def rates(self, time: float) -> tuple[float, float]:
        """Return the slope to the right and zero; at the last point the slope to it, for nothing is known after it."""
        times, values = self._way.times, self._way.values
        after = bisect_right(times, time)
        if times and time == times[-1]:
            after -= 1
        if after in (0, len(times)):
            return 0.0, 0.0
        return (values[after] - values[after - 1]) / (times[after] - times[after - 1]), 0.0


def input_histories(value: Any) -> Iterator[InputHistory]:
    """Yield all external inputs in a spec."""
    if isinstance(value, InputHistory):
        yield value
    elif isinstance(value, Spec):
        for name in type(value).model_fields:
            yield from input_histories(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from input_histories(item)
