"""Formula fields: an expression over other fields, also over their extremes in a run."""

import ast
from functools import cache
from typing import Any

import numpy as np
from simpleeval import InvalidExpression, SimpleEval

from faying.errors import ModelError, shortened
from faying.formulas import parsed_formula
from faying.results.fields import CASES, RUN, Field, FieldContext, fields
from faying.results.frame_axis import FrameAxis
from faying.results.over_run import kept_over_run

# Names of a run's extremes in a formula, and in the titles of the legend.
OVER_RUN = {
    "maximum": "Maximum",
    "minimum": "Minimum",
    "mean": "Mean",
    "range": "Range",
    "time_of_maximum": "Time of maximum",
    "case_of_maximum": "Case of maximum",
}
_FUNCTIONS: dict[str, Any] = {
    name: getattr(np, name)
    for name in ("abs", "sqrt", "exp", "log", "sin", "cos", "tan", "hypot", "where", "sign")
} | {"larger": np.maximum, "smaller": np.minimum}
# NumPy's functions take one argument more, into which they write: that would be the field's own values.
_N_ARGUMENTS: dict[str, int] = {name: getattr(function, "nin", 3) for name, function in _FUNCTIONS.items()}
_COUNTS = {1: "one argument", 2: "two arguments", 3: "three arguments"}
_OPERATORS: dict[type, Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.true_divide, ast.Pow: np.power,
    ast.USub: np.negative, ast.Gt: np.greater, ast.Lt: np.less, ast.GtE: np.greater_equal, ast.LtE: np.less_equal,
}  # fmt: skip


def find_field(text: str) -> Field:
    """Return a field by its kind ("pressure") or formula ("pressure / maximum(pressure)").

    Raises:
        ModelError: when there is no such field, or the text is no formula.
    """
    if text in fields:
        return fields[text]()
    if text.isidentifier():
        known = ", ".join(fields)
        raise ModelError(
            f"There is no field called {shortened(text)!r}.", f"Known are: {known}; or a formula of them."
        )
    return _formula(text)


def is_field(text: str) -> bool:
    """Return whether a text is the kind of a field or a formula."""
    try:
        find_field(text)
    except ModelError:
        return False
    return True


@cache
def _formula(text: str) -> "Formula":
    return Formula(text)


class Formula(Field):
    """An expression over other fields of one location, evaluated for all pairs or nodes at once.

    It may use numbers, + - * / **, comparisons, functions (abs, sqrt, where, …), and of a field or a formula
    in it the extremes over the run: ``maximum(…)``, ``minimum``, ``mean``, ``range``, ``time_of_maximum``,
    and over several load cases ``case_of_maximum``. A vector counts with its length.

    Args:
        text: the expression.

    Raises:
        ModelError: when it is none, or its fields live at different places.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._over: dict[str, tuple[str, Field]] = {}
        try:
            tree = parsed_formula(text)
        except ValueError as error:
            raise ModelError(
                f"{shortened(text)!r} is no formula ({error}).",
                "Write it like pressure / maximum(pressure): fields, numbers, + - * / **, comparisons, functions.",
            ) from None
        self._tree = _Extremes(self).visit(tree).body
        names = {node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)}
        used = {name: find_field(name) for name in names - set(_FUNCTIONS) - set(self._over)}
        self._fields = used
        self._describe([*used.values(), *(inner for _, inner in self._over.values())])

    def _describe(self, parts: list[Field]) -> None:
        """Set title, place and needs from the fields in it; for a single extreme over the run also unit and colours."""
        places = {part.location for part in parts}
        if len(places) != 1:
            raise ModelError(
                f"The formula {self.text!r} uses fields of a joint and of the body together."
                if places
                else f"The formula {self.text!r} uses no field.",
                "Use fields of one place: " + ", ".join(fields) + ".",
            )
        self.title, (self.location,) = self.text, places
        over = {function for function, _ in self._over.values()}
        needs = [need for part in parts for need in part.needs] + ([RUN] if over else [])
        self.needs = tuple(dict.fromkeys(needs + ([CASES] if "case_of_maximum" in over else [])))
        # Extremes over the run are kept for all nodes together.
        if not self._over and all(part.reach != "body" for part in parts):
            self.reach = "node" if all(part.reach == "node" for part in parts) else "stress"
        if isinstance(self._tree, ast.Name) and self._tree.id in self._over:
            function, inner = self._over[self._tree.id]
            self.title = f"{OVER_RUN[function]} of {inner.title[:1].lower()}{inner.title[1:]}"
            own = {"time_of_maximum": "time", "case_of_maximum": ""}
            self.quantity = own.get(function, inner.quantity)
            if function in ("maximum", "minimum", "mean"):
                self.open_at_zero, self.severe_below = inner.open_at_zero, inner.severe_below
                if inner.colours == "diverging":
                    self.colours = "diverging"

    @property
    def text(self) -> str:
        """The expression."""
        return self._text

    @property
    def followed(self) -> Field:
        """The field that it is an extreme of, if it is a single extreme over the run; else itself."""
        if isinstance(self._tree, ast.Name) and self._tree.id in self._over:
            return self._over[self._tree.id][1].followed
        return self

    def quantity_over(self, axis: FrameAxis) -> str:
        """Return the physical dimension; of when a maximum is reached it is that by which the frames are counted."""
        function, inner = self._over.get(getattr(self._tree, "id", ""), ("", None))
        if function == "time_of_maximum":
            return axis.quantity
        return self.quantity if inner is None or function == "case_of_maximum" else inner.quantity_over(axis)

    def looks_over_run(self) -> tuple[Field, ...]:
        """Return the fields of which it, or one of its own fields, uses extremes."""
        inner = [field for _, field in self._over.values()]
        return (*inner, *(found for field in self._fields.values() for found in field.looks_over_run()))

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n,) one number per pair or node."""
        values: dict[str, Any] = {
            name: field.shown(context, joint, frame) for name, field in self._fields.items()
        }
        if CASES in self.needs:
            CASES.require(context, joint, frame)
        for name, (function, inner) in self._over.items():
            values[name] = getattr(kept_over_run(inner, context, joint), function)
        evaluator = SimpleEval(operators=_OPERATORS, functions=_FUNCTIONS, names=values)
        size = len(next(iter(values.values())))
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(evaluator.eval(self.text, self._tree), float)
                return np.array(np.broadcast_to(found, (size,)))
        except (InvalidExpression, ArithmeticError, ValueError, TypeError) as error:
            raise ModelError(
                f"The formula {self.text!r} has no value ({error}).",
                "Check its functions and their arguments.",
            ) from None


class _Extremes(ast.NodeTransformer):
    """Replaces each extreme over the run by a name, and notes function and field of it."""

    def __init__(self, formula: Formula) -> None:
        self._formula = formula

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace a call of an extreme; refuse calls of anything but a function with its number of arguments."""
        assert isinstance(node.func, ast.Name)
        if node.func.id in OVER_RUN:
            if len(node.args) != 1:
                raise ModelError(f"{node.func.id} takes one field.", f"Write {node.func.id}(pressure).")
            over = self._formula._over
            name = f"over_run_{len(over)}"
            over[name] = node.func.id, find_field(ast.unparse(node.args[0]))
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        if node.func.id not in _FUNCTIONS:
            known = ", ".join((*OVER_RUN, *_FUNCTIONS))
            raise ModelError(f"There is no function {node.func.id!r}.", f"Known are: {known}.")
        count = _N_ARGUMENTS[node.func.id]
        if len(node.args) != count:
            raise ModelError(
                f"{node.func.id} takes {_COUNTS[count]}, not {len(node.args)}.",
                f"Write {node.func.id}({', '.join('abc'[:count])}).",
            )
        return self.generic_visit(node)
