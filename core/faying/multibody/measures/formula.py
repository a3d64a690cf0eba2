"""A formula of other measures."""

import ast
from collections.abc import Mapping
from typing import Any, ClassVar, cast

from pydantic import PrivateAttr, model_validator

from faying.errors import SolveError
from faying.formulas import FORMULA_WORDS, finite_value, scalar_formula
from faying.multibody.markers import MarkersAt
from faying.multibody.measures import Dimension, Measure, measures
from faying.params import parameter
from faying.units import amount

_LETTERS = ("a", "b", "c", "d")


def _operand(letter: str) -> Any:
    return parameter(
        "",
        title=f"Measure {letter}",
        choices="measure",
        meaning=f"What {letter} is in the formula; empty for none.",
    )


@measures.register("formula")
class FormulaMeasure(Measure):
    """A formula of up to four other measures and the time t, in the project's units and rad."""

    of_motion_alone: ClassVar[bool] = True  # if those that it names are

    formula: str = parameter(
        "t", title="Formula", min_length=1, max_length=2000,
        meaning=f"A formula in a, b, c, d and the time t. It may use {FORMULA_WORDS}, and `x if y else z`.",
    )  # fmt: skip
    a: str = _operand("a")
    b: str = _operand("b")
    c: str = _operand("c")
    d: str = _operand("d")
    quantity: Dimension = parameter("number", title="Quantity", meaning="What its value is, for the unit.")
    _parsed: Any = PrivateAttr(None)

    def __eq__(self, other: Any) -> bool:
        """Return whether all parameters are equal; values computed from them are ignored."""
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Return the hash of the parameters."""
        return hash((type(self), *self.__dict__.values()))

    @model_validator(mode="after")
    def _can_be_evaluated(self) -> "FormulaMeasure":
        try:
            scalar_formula(self.formula, ("t", *self._operands()))
        except ValueError as error:
            known = ", ".join((*self._operands(), "t"))
            raise ValueError(f"formula is none in {known} ({error})") from None
        return self

    def needs(self) -> tuple[str, ...]:
        """Return the measures that it names."""
        return tuple(dict.fromkeys(self._operands().values()))

    def dimension(self, known: Mapping[str, str]) -> str:
        """Return the quantity that was given."""
        return "" if self.quantity == "number" else self.quantity

    def of_place(self) -> bool:
        """Return whether the formula does without the time."""
        return not any(
            isinstance(node, ast.Name) and node.id == "t" for node in ast.walk(ast.parse(self.formula))
        )

    def of_motion(self, at: MarkersAt, values: Mapping[str, float]) -> float:
        """Return the formula's value.

        Raises:
            SolveError: when it has none.
        """
        if self._parsed is None:
            self._parsed = scalar_formula(self.formula, ("t", *self._operands()))
        now = {letter: values[name] for letter, name in self._operands().items()} | {"t": at.time}
        try:
            return finite_value(cast(ast.expr, self._parsed), now)
        except ValueError as error:
            raise SolveError(
                f"The formula {self.formula!r} of the measure {self.name!r} {error}, at t = "
                f"{amount(at.time, 'time', 6)}.",
                "Change the formula so that it gives a finite number at all times of the run.",
            ) from None

    def _operands(self) -> dict[str, str]:
        """Return the measure of each letter that has one."""
        return {letter: name for letter in _LETTERS if (name := getattr(self, letter))}
