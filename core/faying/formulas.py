"""Formulas that users write, restricted so that none runs long, needs much memory or reaches other code or files."""

import ast

_MAX_LENGTH, _MAX_DEPTH = 2000, 60
_BASIS = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Name, ast.Load, ast.Constant,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub, ast.Gt, ast.Lt, ast.GtE, ast.LtE,
)  # fmt: skip


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
