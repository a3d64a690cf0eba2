"""Formulas that users write, restricted so that none runs long, needs much memory or reaches other code or files."""

import ast
import math
from collections.abc import Collection, Mapping

from simpleeval import InvalidExpression, SimpleEval

from faying.errors import shortened

_MAX_LENGTH, _MAX_DEPTH = 2000, 60
_BASIS = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Name, ast.Load, ast.Constant,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub, ast.Gt, ast.Lt, ast.GtE, ast.LtE,
)  # fmt: skip
_FUNCTIONS = {
    name: getattr(math, name)
    for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "asin", "acos", "atan", "atan2", "hypot")
} | {"abs": abs, "min": min, "max": max, "floor": lambda x: float(math.floor(x))}  # fmt: skip
# Numbers of arguments, where it is not one.
_ARGUMENTS = {"log": (1, 2), "atan2": (2, 2), "hypot": (1, 99), "min": (2, 99), "max": (2, 99)}
_CONSTANTS = {"pi": math.pi, "e": math.e}
_MORE = (
    ast.FloorDiv, ast.Mod, ast.UAdd, ast.Not, ast.Eq, ast.NotEq, ast.IfExp, ast.BoolOp, ast.And, ast.Or,
)  # fmt: skip
FORMULA_WORDS = ", ".join((*_FUNCTIONS, *_CONSTANTS))
"""Functions and constants of scalar formulas, for people."""


def scalar_formula(text: str, variables: Collection[str]) -> ast.expr:
    """Return the tree of a formula of numbers, as `formula_value` takes it.

    It may use `FORMULA_WORDS`, comparisons, and `a if b else c`.

    Args:
        text: the formula.
        variables: names of its variables.

    Raises:
        ValueError: with the reason, naming a word that is not known.
    """
    tree = parsed_formula(text, *_MORE).body
    _check_words(tree, variables)
    try:
        formula_value(tree, dict.fromkeys(variables, 0.0))
    except InvalidExpression as error:
        raise ValueError(str(error)) from None
    except (ArithmeticError, ValueError, TypeError):
        pass  # a formula may be undefined at zero
    return tree


def formula_value(tree: ast.expr, values: Mapping[str, float]) -> float:
    """Return the value of a formula for values of its variables.

    Raises:
        ArithmeticError, ValueError, TypeError, InvalidExpression: when it has none there.
    """
    return float(SimpleEval(functions=_FUNCTIONS, names={**values, **_CONSTANTS}).eval("", tree))


def finite_value(tree: ast.expr, values: Mapping[str, float]) -> float:
    """Return the value of a formula, which has to be a finite number.

    Raises:
        ValueError: with the reason, when it has none or an infinite one there.
    """
    try:
        value = formula_value(tree, values)
    except (ArithmeticError, ValueError, TypeError, InvalidExpression) as error:
        raise ValueError(f"has no value ({error})") from None
    if not math.isfinite(value):
        raise ValueError(f"gives {value}")
    return value


def _check_words(tree: ast.AST, variables: Collection[str]) -> None:
    """Refuse unknown words and wrong numbers of arguments, also in branches that are not evaluated at zero.

    Raises:
        ValueError: naming the word.
    """
    called = {id(node.func): len(node.args) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name):
            continue
        name, count = node.id, called.get(id(node))
        if name not in (*_FUNCTIONS, *_CONSTANTS, *variables):
            raise ValueError(f"{shortened(name)!r} is not known here")
        if (name in _FUNCTIONS) != (count is not None):
            raise ValueError(f"{name} is {'a' if name in _FUNCTIONS else 'no'} function")
        least, most = _ARGUMENTS.get(name, (1, 1))
        if count is not None and not least <= count <= most:
            some = f"{least}" if least == most else f"{least} or more" if most == 99 else f"{least} or {most}"
            raise ValueError(f"{name} takes {some} argument{'s' * (some != '1')}, and is given {count}")


def parsed_formula(text: str, *more: type[ast.AST]) -> ast.Expression:
    """Return the tree of a formula: numbers, names, calls of names, + - * / **, and > < >= <=.

    Its numbers are floats: integers could grow without bound, as in ``3**4000000``.

    Args:
        text: the formula.
        more: further nodes of the syntax tree to allow.

    Raises:
        ValueError: with the reason.
    """
    if len(text) > _MAX_LENGTH:
        raise ValueError(f"it is longer than {_MAX_LENGTH} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError) as error:
        raise ValueError(getattr(error, "msg", None) or "it cannot be read") from None
    except (RecursionError, MemoryError):  # Python's parser raises these for deeply nested brackets
        raise ValueError("it is nested too deep") from None
    level: list[ast.AST] = [tree]
    for _ in range(_MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise ValueError("it is nested too deep")
    nodes = list(ast.walk(tree))
    for node in nodes:
        if not isinstance(node, (*_BASIS, *more)):
            raise ValueError(f"it uses what none may use ({type(node).__name__})")
    for node in nodes:
        if isinstance(node, ast.Call) and (not isinstance(node.func, ast.Name) or node.keywords):
            raise ValueError("it calls what is no function")
        if isinstance(node, ast.Constant):
            node.value = _real(node.value)
    return tree


def _real(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise ValueError(f"it uses what none may use ({type(value).__name__})")
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a number in it is too large") from None
