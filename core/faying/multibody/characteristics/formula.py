"""A characteristic given by a formula."""

import ast
from typing import Any, cast

from pydantic import PrivateAttr, field_validator

from faying.errors import SolveError
from faying.formulas import FORMULA_WORDS, finite_value, scalar_formula
from faying.multibody.characteristics import Characteristic, characteristics
from faying.params import parameter

_STEP = 1e-6  # of differences, relative to x


@characteristics.register("formula")
class FormulaCharacteristic(Characteristic):
    """A formula in x, such as ``3*x + 0.2*x**3``."""

    formula: str = parameter(
        "x", title="Formula", min_length=1, max_length=2000,
        meaning=f"A formula in x, in the project's units and rad. It may use {FORMULA_WORDS}, and `a if b else c`.",
    )  # fmt: skip
    _parsed: Any = PrivateAttr(None)

    @field_validator("formula")
    @classmethod
    def _can_be_evaluated(cls, formula: str) -> str:
        try:
            scalar_formula(formula, ("x",))
        except ValueError as error:
            raise ValueError(f"is no formula in x ({error})") from None
        return formula

    def value(self, x: float) -> float:
        """Return the formula's value.

        Raises:
            SolveError: when it has none at that x.
        """
        if self._parsed is None:
            self._parsed = scalar_formula(self.formula, ("x",))
        try:
            return finite_value(cast(ast.expr, self._parsed), {"x": x})
        except ValueError as error:
            raise SolveError(
                f"The formula {self.formula!r} {error}, at x = {x:.6g}.",
                "Change the formula so that it gives a finite number for every x that occurs.",
            ) from None

    def slope(self, x: float) -> float:
        """Return f′(x) by a difference to the right, of second order."""
        h = _STEP * max(1.0, abs(x))
        return (4.0 * self.value(x + h) - 3.0 * self.value(x) - self.value(x + 2.0 * h)) / (2.0 * h)

    def integral(self, x: float) -> float:
        """Return the integral from 0 to x by adaptive quadrature."""
        from scipy.integrate import quad  # late: few runs need it

        return float(quad(self.value, 0.0, x, limit=200)[0])
