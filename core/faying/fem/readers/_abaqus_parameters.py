"""`*PARAMETER`: named numbers and texts of an Abaqus deck, referred to as <name>."""

import ast
import math
import re

from simpleeval import InvalidExpression, SimpleEval

from faying.errors import shortened
from faying.fem.readers._text_files import FileLine
from faying.formulas import parsed_formula

_USE = re.compile(r"<\s*([A-Za-z_]\w*)\s*>")
_TEXT = re.compile(r"""\s*(['"])([^'"]*)\1\s*""")
_FUNCTIONS = {
    name: getattr(math, name)
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt")
} | {"abs": abs, "min": min, "max": max, "int": lambda x: float(int(x)), "float": float, "pow": pow}  # fmt: skip
_LARGEST_WHOLE = 2**53


class DeckParameters:
    """The parameters of a deck read so far. Case of names is ignored."""

    def __init__(self) -> None:
        self._values: dict[str, float | str] = {}

    def __bool__(self) -> bool:
        return bool(self._values)

    def define(self, line: str, place: FileLine) -> None:
        """Evaluate a line such as "width = 2.*pi*radius".

        Raises:
            ReadError: when the line is not an assignment, or its value is not a number.
        """
        text = line.partition("#")[0]
        name, sign, formula = text.partition("=")
        name = name.strip().lower()
        if not text.strip():
            return
        if not sign or not name.isidentifier():
            raise place.error(f"found {shortened(line)!r}, expected name = value.", "Mend this line.")
        if quoted := _TEXT.fullmatch(formula):
            self._values[name] = quoted[2]
            return
        try:
            tree = parsed_formula(formula.lower(), ast.Mod, ast.FloorDiv, ast.UAdd)
            names = {"pi": math.pi, "e": math.e, **self._values}
            value = float(SimpleEval(names=names, functions=_FUNCTIONS).eval(formula, tree.body))
        except (ValueError, ArithmeticError, TypeError, InvalidExpression) as error:
            raise place.error(
                f"the parameter {name} has no value: {error}.",
                "Give it a number or a formula of parameters before it.",
            ) from None
        if not math.isfinite(value):
            raise place.error(f"the parameter {name} is {value}.", "Give it a finite number.")
        self._values[name] = value

    def filled(self, line: str, place: FileLine) -> str:
        """Return a line with parameters replaced by their values.

        Raises:
            ReadError: for an unknown parameter.
        """
        if not self or "<" not in line:
            return line

        def value(found: re.Match[str]) -> str:
            name = found[1].lower()
            if name not in self._values:
                known = shortened(", ".join(self._values))
                raise place.error(f"there is no parameter {found[1]}.", f"Known are: {known}.")
            given = self._values[name]
            if isinstance(given, str):
                return given
            is_whole = given == int(given) and abs(given) < _LARGEST_WHOLE
            return str(int(given)) if is_whole else repr(given)

        return _USE.sub(value, line)
