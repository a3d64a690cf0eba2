"""A transfer function of one measure."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from pydantic import field_validator, model_validator

from faying.multibody.controllers import controllers
from faying.multibody.controllers._linear import LinearController, LinearMatrices, Start, start_parameter
from faying.params import parameter


@controllers.register("transfer_function")
class TransferFunction(LinearController):
    """y = (b₀ sⁿ + … + bₙ)/(a₀ sᵐ + … + aₘ) u of a measure u, n ≤ m."""

    input: str = parameter(title="Input", choices="measure", meaning="The measure u.")
    numerator: tuple[float, ...] = parameter(
        (1.0,), title="Numerator", meaning="Coefficients b, highest power of s first.", min_length=1
    )
    denominator: tuple[float, ...] = parameter(
        (1.0, 1.0), title="Denominator", meaning="Coefficients a, highest power of s first.", min_length=1
    )
    start: Start = start_parameter()

    @field_validator("denominator")
    @classmethod
    def _has_its_order(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if value[0] == 0.0:
            raise ValueError("the first coefficient is zero")
        return value

    @model_validator(mode="after")
    def _is_proper(self) -> "TransferFunction":
        if len(self.numerator) > len(self.denominator):
            raise ValueError("the numerator has a higher order than the denominator: that is a derivative")
        return self

    def needs(self) -> tuple[str, ...]:
        """Return the input."""
        return (self.input,)

    def inputs(self, time: float, values: Mapping[str, float]) -> np.ndarray:
        """Return (1,) the input."""
        return np.array([values[self.input]])

    def matrices(self) -> LinearMatrices:
        """Return the controllable canonical form."""
        return _canonical(self.numerator, self.denominator)


@lru_cache(maxsize=256)
def _canonical(numerator: tuple[float, ...], denominator: tuple[float, ...]) -> LinearMatrices:
    """Return x₁ the highest derivative, time scaled by the size of the poles so that entries are of one size."""
    order = len(denominator) - 1
    a = np.array(denominator) / denominator[0]
    b = np.concatenate([np.zeros(order + 1 - len(numerator)), numerator]) / denominator[0]
    if not order:
        return LinearMatrices(np.zeros((0, 0)), np.zeros((0, 1)), np.zeros(0), b)
    last = np.flatnonzero(a)[-1]
    pace = abs(a[last]) ** (1.0 / last) if last else 1.0
    powers = pace ** np.arange(order + 1)
    scaled = a / powers
    matrix = pace * np.vstack([-scaled[1:], np.eye(order - 1, order)])
    enters = np.zeros((order, 1))
    enters[0, 0] = pace
    c = (b[1:] - b[0] * a[1:]) / powers[1:]
    return LinearMatrices(matrix, enters, c, b[:1])
