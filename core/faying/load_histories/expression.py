"""A load history given by a formula."""

import ast
import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any, cast

import numpy as np
from pydantic import PrivateAttr, field_validator
from simpleeval import InvalidExpression

from faying.errors import SolveError
from faying.formulas import FORMULA_WORDS, finite_value, formula_value, scalar_formula
from faying.load_histories import LoadHistory, load_histories
from faying.params import parameter
from faying.units import amount


@load_histories.register("expression")
class Expression(LoadHistory):
    """A formula in the time t, such as ``0.5*(1 - cos(pi*t/0.25)) if t < 0.25 else 1``."""

    formula: str = parameter(
        "sin(2*pi*50*t)", title="Formula", min_length=1, max_length=2000,
        meaning=f"A formula in t, the time in the project's unit. It may use {FORMULA_WORDS}, and `a if b else c`.",
    )  # fmt: skip
    _parsed: Any = PrivateAttr(None)

    @field_validator("formula")
    @classmethod
    def _can_be_evaluated(cls, formula: str) -> str:
        try:
            scalar_formula(formula, ("t",))
        except ValueError as error:
            raise ValueError(f"is no formula in t ({error})") from None
        return formula

    def factor(self, time: float) -> float:
        """Return the formula's value.

        Raises:
            SolveError: when it has none at that time.
        """
        try:
            return finite_value(self._tree(), {"t": time})
        except ValueError as error:
            raise SolveError(
                f"The formula {self.formula!r} {_at(str(error), time)}.",
                "Change the formula so that it gives a finite number at all times of the run.",
            ) from None

    def breaks(self) -> tuple[float, ...]:
        """Return the times at which comparisons, `abs`, `min` and `max` switch, if their arguments are linear in t."""
        found: set[float] = set()
        for node in ast.walk(self._tree()):
            found.update(_switches(node))
        return tuple(sorted(found))

    def _tree(self) -> ast.expr:
        """Return the formula's tree, with floats as its numbers."""
        if self._parsed is None:
            self._parsed = scalar_formula(self.formula, ("t",))
        return cast(ast.expr, self._parsed)


def _at(reason: str, time: float) -> str:
    """Return "has no value at t = 0.2 s (division by zero)" for "has no value (division by zero)"."""
    what, bracket, rest = reason.partition(" (")
    return f"{what} at t = {amount(time, 'time', 6)}{bracket}{rest}"


def _switches(node: ast.AST) -> Iterator[float]:
    """Yield the times at which a comparison jumps, or `abs`, `min` or `max` has a corner."""
    if isinstance(node, ast.Compare):
        yield from _zeros(itertools.pairwise(map(_values, (node.left, *node.comparators))))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "abs" and len(node.args) == 1:
            yield from _zeros([(_values(node.args[0]), (0.0, 0.0, 0.0))])
        elif node.func.id in ("min", "max"):
            sign = 1.0 if node.func.id == "max" else -1.0
            yield from _corners([_values(argument) for argument in node.args], sign)


_Values = tuple[float, float, float] | None  # of a formula at t = 0, 1 and 2, where it has some


def _values(tree: ast.expr) -> _Values:
    try:
        first, second, third = (formula_value(tree, {"t": t}) for t in (0.0, 1.0, 2.0))
    except (ArithmeticError, ValueError, TypeError, InvalidExpression):
        return None
    return first, second, third


def _zeros(pairs: Iterable[tuple[_Values, _Values]]) -> Iterator[float]:
    """Yield the times at which the formulas of a pair are equal, if their difference is linear in t."""
    for one, other in pairs:
        if one is None or other is None:
            continue
        at = [a - b for a, b in zip(one, other, strict=True)]
        slope, size = at[1] - at[0], max(map(abs, at))
        if math.isfinite(size) and slope != 0.0 and abs(at[2] - 2.0 * at[1] + at[0]) <= 1e-12 * size:
            yield -at[0] / slope


def _corners(values: list[_Values], sign: float) -> Iterator[float]:
    """Yield the corners of a maximum (sign 1) or minimum (-1): where two are equal and no straight line is beyond.

    So there are fewer of them than arguments, although each could be equal to each other one.
    """
    known = [each for each in values if each is not None]
    straight = [
        each for each in known if abs(each[2] - 2.0 * each[1] + each[0]) <= 1e-12 * max(map(abs, each))
    ]
    start = sign * np.array([each[0] for each in straight])
    slope = sign * np.array([each[1] - each[0] for each in straight])
    for one, other in itertools.combinations(known, 2):
        for time in _zeros([(one, other)]):
            value = sign * (one[0] + (one[1] - one[0]) * time)
            if one not in straight or np.all(start + slope * time <= value + 1e-9 * (1.0 + abs(value))):
                yield time
