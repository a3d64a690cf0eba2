"""A curve by formulas."""

from typing import Any, ClassVar, Self

import numpy as np
from pydantic import field_validator, model_validator

from faying.errors import ModelError
from faying.formulas import FORMULA_WORDS, finite_value, scalar_formula
from faying.multibody.curve_shapes import CurveShape, curve_shapes
from faying.params import parameter


def _coordinate(axis: str, default: str) -> Any:
    return parameter(
        default, title=axis, min_length=1, max_length=2000,
        meaning=f"{axis} as a formula in s, in the project's units and rad. It may use {FORMULA_WORDS}, and "
        "`a if b else c`.",
    )  # fmt: skip


@curve_shapes.register("formula")
class FormulaCurve(CurveShape):
    """A curve whose coordinates are formulas in a parameter s, such as an ellipse or a cycloid."""

    title: ClassVar[str] = "Formulas"

    x: str = _coordinate("x", "10*cos(s)")
    y: str = _coordinate("y", "10*sin(s)")
    z: str = _coordinate("z", "0")
    start: float = parameter(0.0, title="From s", meaning="Parameter s at the start of the curve.")
    end: float = parameter(
        2.0 * np.pi, title="To s", meaning="Parameter s at its end; of a closed curve where it is back at the start."
    )  # fmt: skip
    closed: bool = parameter(True, title="Closed", meaning="Whether the curve is back at its start there.")
    pieces: int = parameter(
        180, title="Pieces", ge=4, le=5000, advanced=True,
        meaning="Number of pieces of the cubic spline that is computed with.",
    )  # fmt: skip

    @field_validator("x", "y", "z")
    @classmethod
    def _can_be_evaluated(cls, formula: str) -> str:
        try:
            scalar_formula(formula, ("s",))
        except ValueError as error:
            raise ValueError(f"is no formula in s ({error})") from None
        return formula

    @model_validator(mode="after")
    def _rises(self) -> Self:
        if not self.start < self.end:
            raise ValueError(f"s has to rise: it goes from {self.start:g} to {self.end:g}")
        return self

    @property
    def is_closed(self) -> bool:
        """Whether it was decided to be."""
        return self.closed

    def places(self) -> np.ndarray:
        """Return points (n, 3), evenly over s.

        Raises:
            ModelError: when a formula has no value, points coincide, or a closed curve does not come back.
        """
        s = np.linspace(self.start, self.end, self.pieces + 1)
        parsed = [scalar_formula(formula, ("s",)) for formula in (self.x, self.y, self.z)]
        try:
            found = np.array([[finite_value(one, {"s": float(value)}) for one in parsed] for value in s])
        except ValueError as error:
            raise ModelError(
                f"A formula of the curve {error}, for s between {self.start:g} and {self.end:g}.",
                "Change the formulas or the range of s.",
            ) from None
        steps = np.linalg.norm(np.diff(found, axis=0), axis=1)
        if not steps.min() > 0.0:
            number = float(s[int(steps.argmin())])
            raise ModelError(f"The curve does not move on at s = {number:g}.", "Change its formulas.")
        gap = float(np.linalg.norm(found[-1] - found[0]))
        if self.closed and gap > 1e-6 * float(steps.sum()):
            raise ModelError(
                f"The closed curve ends {gap:g} away from its start.",
                "Change the range of s, or leave it open.",
            )
        return found[:-1] if self.closed else found
