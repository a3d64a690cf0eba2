"""What controllers share that act on an error: a set point minus a measure."""

from collections.abc import Mapping

import numpy as np

from faying.load_histories import load_histories
from faying.multibody.controllers._linear import LinearController
from faying.params import member_of, parameter


class OnDeviation(LinearController):
    """A controller of the error e = set point − input."""

    input: str = parameter(title="Input", choices="measure", meaning="The measure that is controlled.")
    set_point: float = parameter(
        0.0, title="Set point", meaning="Wanted value of the input where the history is one, in the project's units "
        "and rad.",
    )  # fmt: skip
    set_point_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"}, title="History of the set point", meaning="How the set point goes over time."
    )
    set_point_measure: str = parameter(
        "", title="Measure of the set point", choices="measure",
        meaning="Measure that is added to the set point; empty for none.",
    )  # fmt: skip

    def needs(self) -> tuple[str, ...]:
        """Return the input, and the measure of the set point if there is one."""
        return tuple(dict.fromkeys(name for name in (self.input, self.set_point_measure) if name))

    def inputs(self, time: float, values: Mapping[str, float]) -> np.ndarray:
        """Return (1,) the error."""
        wanted = self.set_point * float(self.set_point_history.factor(time)) if self.set_point else 0.0
        if self.set_point_measure:
            wanted += values[self.set_point_measure]
        return np.array([wanted - values[self.input]])
