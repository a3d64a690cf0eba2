"""Small changes of a module's text: the other comparison, sign or constant, no `not`, a statement less."""

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# What people read, and what types say, changes nothing that is computed; bounds of parameters are the forms' matter.
_SILENT = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Assert)
_SILENT_CALLS = ("parameter", "cast", "TypeVar", "Part", "report", "debug", "warning")


class Mutation(NamedTuple):
    """A change: the line, what stood there, what stands there instead, and the whole text with it."""

    line: int
    before: str
    after: str
    text: str


def mutations(text: str) -> list[Mutation]:
    """Return all mutations of a module's text, in their order there."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    source, found = text.encode(), []
    for node, after in _changes(ast.parse(text)):
        begin, end = (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )  # type: ignore
        changed = (source[:begin] + after.encode() + source[end:]).decode()
        before = " ".join(source[begin:end].decode().split())
        found.append(Mutation(node.lineno, before, after, changed))  # type: ignore[attr-defined]
    return sorted(found)


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield nodes with the text that stands in for them."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        if isinstance(node, ast.keyword) and node.arg == "strict":
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _SILENT) or _is_silent_call(child):
                continue
            yield from _changes_of(child, alone=isinstance(value, list) and len(value) == 1)
            yield from _changes(child)


def _changes_of(node: ast.AST, alone: bool) -> Iterator[tuple[ast.AST, str]]:
    """Yield the changes of one node itself; an only statement of its block is left to the block's owner."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in _OTHER:
        yield node, _with(node, op=_OTHER[type(node.op)]())
    elif isinstance(node, ast.Compare):
        yield node, _with(node, ops=[_OTHER[type(op)]() for op in node.ops])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        yield node, repr(_other_constant(node.value))
    elif isinstance(node, ast.IfExp):
        yield node, f"({ast.unparse(node.body)})"
    elif (
        isinstance(node, (ast.AugAssign, ast.Continue, ast.Break))
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not alone)
        or (isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Subscript, ast.Attribute)))
    ):
        yield node, "pass"


def _other_constant(value: bool | int | float) -> bool | int | float:
    if isinstance(value, bool):
        return not value
    return 2.0 * value or 1.0 if isinstance(value, float) else value + 1


def _with(node: ast.AST, **changes: object) -> str:
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return f"({ast.unparse(changed)})"


def _is_silent_call(node: ast.AST) -> bool:
    node = node.value if isinstance(node, ast.Expr) else node
    return isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in _SILENT_CALLS
