"""What one module computes, as a digest of its syntax tree, and what it uses of others."""

import ast
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_TEXTS = {"title", "meaning", "hint", "summary", "advice"}  # for people
_UNSAID = {"ctx", "kind", "type_comment", "type_ignores", "annotation", "returns"}


@dataclass(frozen=True)
class ModuleSyntax:
    """What is known of a module from its source.

    Attributes:
        digest: 16 hexadecimal digits of what it computes: the same whatever its comments, line ends, layout, docstrings
            and other texts for people, annotations of functions, and unused imports are, and with every Python.
        imports: modules that it uses; what is named in annotations only is made elsewhere.
        whole_family: whether it is a family whose members are no decisions.
    """

    digest: str
    imports: tuple[str, ...]
    whole_family: bool


def read_syntax(source: str, package: str, is_module: Callable[[str], bool]) -> ModuleSyntax:
    """Return what is to be known of a module.

    Args:
        source: its text.
        package: dotted name of the package that it is in, from which relative imports count.
        is_module: whether a dotted name is a module whose code counts.

    Raises:
        SyntaxError: when it is not Python.
    """
    tree = ast.parse(source)
    used = _used_names(tree)
    bound = {name: origin for name, origin in _imported(tree, package) if name.partition(".")[0] in used}
    imports = {found for origin in bound.values() for found in _module_of(origin, is_module)}
    digest = hashlib.sha256("".join(sorted(f"{name}={origin};" for name, origin in bound.items())).encode())
    pieces: list[bytes] = []
    _form(tree, pieces)
    digest.update(b"".join(pieces))
    return ModuleSyntax(digest.hexdigest()[:16], tuple(sorted(imports)), _is_whole_family(tree))


def _module_of(origin: str, is_module: Callable[[str], bool]) -> list[str]:
    """Return the module of an imported name: itself, or what it is in."""
    for name in (origin, origin.rpartition(".")[0]):
        if name and is_module(name):
            return [name]
    return []


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _imported(node: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Yield (name in the module, dotted name of what it is) of all imports, also inside functions."""
    if _is_for_types(node):
        return
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name, alias.name
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
        origin = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            yield alias.asname or alias.name, f"{origin}.{alias.name}"
    for child in ast.iter_child_nodes(node):
        yield from _imported(child, package)


def _used_names(tree: ast.Module) -> set[str]:
    """Return the names that are used when the module runs, or passed on to others; annotations do not count."""
    used: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if _is_for_types(node):
            continue
        if isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets
        ):
            used |= {str(found.value) for found in ast.walk(node.value) if isinstance(found, ast.Constant)}
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                children = value if isinstance(value, list) else [value]
                waiting += [child for child in children if isinstance(child, ast.AST)]
    return used


def _is_whole_family(tree: ast.Module) -> bool:
    calls = [node.value for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign))]
    names = {call.func.id for call in calls if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)}
    bases = [base for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases]
    return "Registry" in names and not any(isinstance(b, ast.Name) and b.id == "Member" for b in bases)


def _form(node: ast.AST, out: list[bytes]) -> None:
    """Append a node in a form that is the same with every version of Python."""
    if _says_nothing(node):
        return
    out.append(f"({type(node).__name__}".encode())
    if isinstance(node, ast.Constant):
        out.append(_constant(node.value))
    elif isinstance(node, ast.JoinedStr):
        _pieces(node, out)
    elif isinstance(node, ast.Raise):
        # What is raised counts, not what it says.
        _form(node.exc.func if isinstance(node.exc, ast.Call) else node.exc or ast.Pass(), out)
    else:
        for name in node._fields:
            value = getattr(node, name, None)
            # Which empty fields there are is another matter in each version.
            if value is None or value == [] or _is_unsaid(node, name):
                continue
            out.append(f" {name}:".encode())
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, ast.AST):
                    _form(item, out)
                else:
                    out.append(_constant(item))
    out.append(b")")


def _is_unsaid(node: ast.AST, field: str) -> bool:
    # The annotation of an attribute may say how its values are read.
    return field in _UNSAID and not (field == "annotation" and isinstance(node, ast.AnnAssign))


def _says_nothing(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom)) or _is_for_types(node):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)  # docstrings, and texts behind attributes
    if isinstance(node, ast.keyword):
        return node.arg in _TEXTS and isinstance(node.value, (ast.Constant, ast.JoinedStr))
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        return isinstance(target, ast.Name) and target.id in _TEXTS and isinstance(node.value, ast.Constant)
    return False


def _pieces(node: ast.JoinedStr, out: list[bytes]) -> None:
    """Append the pieces of a formatted text; versions of Python cut neighbouring plain pieces differently."""
    plain = ""
    for piece in [*node.values, None]:
        if isinstance(piece, ast.Constant):
            plain += str(piece.value)
            continue
        if plain:
            out.append(_constant(plain))
        plain = ""
        if piece is not None:
            _form(piece, out)


def _constant(value: object) -> bytes:
    if isinstance(value, str):
        return b"'" + value.encode("utf-8", "surrogatepass") + b"'"
    text = hex(value) if isinstance(value, int) and not isinstance(value, bool) else repr(value)
    return f"{type(value).__name__} {text}".encode()
