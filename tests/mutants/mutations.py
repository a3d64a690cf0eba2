"""Small changes of a module's text: the other comparison, sign or constant, no `not`, a statement less.

Left out is that from which no number and no decision follows:

- what people read: texts, errors and the functions that make them, logs, progress and its shares;
- what types say, and bounds of parameters, which are the forms' matter;
- guards: how often a loop turns at most that ends with an error when it did not get done, and constants that nothing
  but such loops name;
- room: constants that count bytes or characters, or how much is worked on at a time, as their remark or name says, and
  the sizes of arrays to work in that are numbers alone;
- what spares work: keywords by which arguments are not checked, not copied or written over, and derivatives that are
  not asked for (`jacobian=False`) and are nobody's loss if they are there;
- versions of what is stored, of which the next one does as well;
- the -1 of a shape, for which any negative number stands;
- samples that members give for tests (`example`).

A comparison with a tolerance (a constant of a module) is turned round as a whole: two such numbers are never equal.
Numbers are doubled, but for those below a thousandth: they bound round-off, their order is what counts, and they become
one larger, as mutmut and cosmic-ray make all numbers.
"""

import ast
import copy
import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
_TURNED = _OTHER | {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
_SILENT = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Assert)
_SILENT_CALLS = (
    "parameter", "cast", "TypeVar", "PartialProgress", "_share", "report", "debug", "info", "warning", "exception",
)  # fmt: skip
_SILENT_KEYWORDS = ("strict", "check_finite", "overwrite", "copy")
_NOT_ASKED_FOR = ("jacobian", "derivatives")
_SILENT_FUNCTIONS = ("__repr__", "__str__", "describe", "text", "label")
_BOUND = 1e-3  # smaller numbers bound round-off
_ROOM = re.compile(r"#.*\b(bytes|characters|at a time|at once)\b|^_AT_ONCE\b")


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
    source, found, tree = text.encode(), [], ast.parse(text)
    left_out = _guards(tree) | _room(tree, text.splitlines())
    for node, after in _changes(tree, left_out):
        begin, end = (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )  # type: ignore
        changed = (source[:begin] + after.encode() + source[end:]).decode()
        before = " ".join(source[begin:end].decode().split())
        found.append(Mutation(node.lineno, before, after, changed))  # type: ignore[attr-defined]
    return sorted(found)


def marks(text: str) -> list[int]:
    """Return for each line of a module, from 1 on, what stays when others change: of its function's name and text."""
    lines = ["", *text.split("\n")]
    functions = [""] * len(lines)

    def enter(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            own = name
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                own = f"{name}.{child.name}"
                for line in range(child.lineno, (child.end_lineno or child.lineno) + 1):
                    functions[line] = own
            enter(child, own)

    enter(ast.parse(text), "")
    return [
        zlib.crc32(f"{name}: {line.strip()}".encode()) for name, line in zip(functions, lines, strict=True)
    ]


def lines_that_run(text: str, line: int) -> tuple[list[int], str]:
    """Return the lines of a module that run what is said in one of them, and a name by which others use it.

    These are those of its statement; of the head of a function or of what a class says of its attributes, all lines of
    that; of a constant of the module, the lines that name it, of which other modules may have more.
    """
    scope: ast.AST = ast.parse(text)
    outer: ast.stmt | None = None
    function = False
    while True:
        inside = [child for child in ast.walk(scope) if isinstance(child, ast.stmt) and child is not scope]
        found = next((s for s in inside if _first(s) <= line <= (s.end_lineno or s.lineno)), None)
        if found is None:
            break
        scope = outer = found
        function = function or isinstance(found, ast.FunctionDef)
    if outer is None:
        return [], ""
    first, last = _first(outer), outer.end_lineno or outer.lineno
    body = getattr(outer, "body", None)
    if function and body and not isinstance(outer, ast.FunctionDef):
        return list(range(first, body[0].lineno)), ""
    if function:
        return list(range(first, last + 1)), ""
    owner = next(
        (
            n
            for n in ast.parse(text).body
            if isinstance(n, ast.ClassDef) and n.lineno <= line <= (n.end_lineno or 0)
        ),
        None,
    )
    if owner is not None:
        return list(range(owner.lineno, (owner.end_lineno or owner.lineno) + 1)), ""
    targets = outer.targets if isinstance(outer, ast.Assign) else [getattr(outer, "target", None)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return lines_that_name(text, names[0]) if names else [], names[0] if names else ""


def lines_that_name(text: str, name: str) -> list[int]:
    """Return the lines of a module that use a name."""
    used = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and n.id == name)
    return [n.lineno for n in used if isinstance(n.ctx, ast.Load)]


def _first(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _guards(tree: ast.AST) -> set[ast.AST]:
    """Return the ranges of loops that raise when they come to their end, and constants that are named there alone."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if not isinstance(value, list):
                continue
            for i, each in enumerate(value):
                if not isinstance(each, ast.For) or not isinstance(each.iter, ast.Call):
                    continue
                after = each.orelse[-1:] or value[i + 1 : i + 2]
                if ast.unparse(each.iter.func) == "range" and after and isinstance(after[0], ast.Raise):
                    found.add(each.iter)
    inside = {id(name) for each in found for name in ast.walk(each) if isinstance(name, ast.Name)}
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    guarding = {n.id for n in names if id(n) in inside} - {n.id for n in names if id(n) not in inside}
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in guarding:
            found.add(node)
    return found


def _room(tree: ast.AST, lines: list[str]) -> set[ast.AST]:
    """Return the constants of a module whose remark says that they are about room."""
    return {
        node
        for node in ast.iter_child_nodes(tree)
        if isinstance(node, ast.Assign) and _ROOM.search(lines[node.lineno - 1])
    }


def _spares_work(keyword: ast.keyword) -> bool:
    """Return whether a keyword only says what need not be done."""
    name = keyword.arg or ""
    return name.startswith(_SILENT_KEYWORDS) or (
        name in _NOT_ASKED_FOR and ast.unparse(keyword.value) == "False"
    )


def _is_silent_function(node: ast.AST) -> bool:
    """Return whether a function makes a sample, or what people read: an error, or a text about what it belongs to."""
    if not isinstance(node, ast.FunctionDef):
        return False
    if node.name == "example":
        return True
    answer = "" if node.returns is None else ast.unparse(node.returns)
    return answer.endswith("Error") or (node.name in _SILENT_FUNCTIONS and answer == "str")


def _changes(node: ast.AST, left_out: set[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Yield nodes with the text that stands in for them."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        if isinstance(node, ast.keyword) and _spares_work(node):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _SILENT) or child in left_out:
                continue
            if _is_silent_call(child) or _is_silent_function(child) or _is_version(node, child):
                continue
            if _is_open_length(node, child) or _is_size_of_room(node, child) or _is_a_share(node, child):
                continue
            yield from _changes_of(child, alone=isinstance(value, list) and len(value) == 1)
            yield from _changes(child, left_out)


def _changes_of(node: ast.AST, alone: bool) -> Iterator[tuple[ast.AST, str]]:
    """Yield the changes of one node itself; an only statement of its block is left to the block's owner."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in _OTHER:
        yield node, _with(node, op=_OTHER[type(node.op)]())
    elif isinstance(node, ast.Compare):
        other = _TURNED if _names_a_constant(node) else _OTHER
        yield node, _with(node, ops=[other[type(op)]() for op in node.ops])
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


def _names_a_constant(node: ast.AST) -> bool:
    """Return whether a constant of a module is named in it: "_ROUND_OFF"."""
    names = (each.id.lstrip("_") for each in ast.walk(node) if isinstance(each, ast.Name))
    return any(name.isupper() and len(name) > 1 for name in names)


def _other_constant(value: bool | int | float) -> bool | int | float:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) or 0.0 < value < _BOUND:
        return value + 1
    return 2.0 * value or 1.0


def _is_version(owner: ast.AST, node: ast.AST) -> bool:
    """Return whether a class says the version of what it makes."""
    return (
        isinstance(owner, ast.ClassDef)
        and isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "version"
    )


def _is_open_length(call: ast.AST, node: ast.AST) -> bool:
    """Return whether something is the -1 of ``reshape``."""
    return (
        isinstance(call, ast.Call)
        and ast.unparse(call.func).endswith("reshape")
        and ast.unparse(node) == "-1"
    )


def _is_size_of_room(call: ast.AST, node: ast.AST) -> bool:
    """Return whether something is the size of an array to work in: of ``np.empty((8, 3))``, not of ``(n, 3)``."""
    return (
        isinstance(call, ast.Call)
        and ast.unparse(call.func).endswith("empty")
        and node in call.args[:1]
        and not any(isinstance(each, ast.Name) for each in ast.walk(node))
    )


def _with(node: ast.AST, **changes: object) -> str:
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return f"({ast.unparse(changed)})"


def _is_a_share(call: ast.AST, node: ast.AST) -> bool:
    """Return whether something is the share of progress that ``patiently`` tells."""
    return (
        isinstance(call, ast.Call)
        and ast.unparse(call.func) == "patiently"
        and isinstance(node, ast.Constant)
    )


def _is_silent_call(node: ast.AST) -> bool:
    node = node.value if isinstance(node, ast.Expr) else node
    return isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in _SILENT_CALLS
