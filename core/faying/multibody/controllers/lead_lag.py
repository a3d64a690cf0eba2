"""A compensator of first order."""

from functools import lru_cache
from typing import ClassVar

import numpy as np

from faying.multibody.controllers import controllers
from faying.multibody.controllers._linear import LinearMatrices, Start, start_parameter
from faying.multibody.controllers._on_error import OnDeviation
from faying.params import parameter


@controllers.register("lead_lag")
class LeadLag(OnDeviation):
    """y = K (T₁ s + 1)/(T₂ s + 1) e of the error e = set point − input: lead for T₁ > T₂, lag for T₁ < T₂."""

    title: ClassVar[str] = "Lead-lag"

    gain: float = parameter(1.0, title="Gain K", meaning="Output per constant error, in the project's units.")
    lead_time: float = parameter(
        1.0, title="Lead time T₁", quantity="time", ge=0.0, meaning="Time constant of the zero."
    )
    lag_time: float = parameter(
        0.1, title="Lag time T₂", quantity="time", gt=0.0, meaning="Time constant of the pole."
    )
    start: Start = start_parameter()

    def matrices(self) -> LinearMatrices:
        """Return the matrices: its state is the error behind the lag."""
        return _lead_lag(self.gain, self.lead_time / self.lag_time, 1.0 / self.lag_time)


@lru_cache(maxsize=256)
def _lead_lag(gain: float, ratio: float, pole: float) -> LinearMatrices:
    return LinearMatrices(
        np.array([[-pole]]), np.array([[pole]]), np.array([gain * (1.0 - ratio)]), np.array([gain * ratio])
    )
