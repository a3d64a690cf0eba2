"""Whoever calls a public function that returns arrays reads in its docstring what shape they have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).parents[2] / "core" / "faying"
# "(n, 3)", "(…)"; or words: "of any shape", "a number"; "None", or an error, where a member never gives any.
_SHAPE = re.compile(
    r"\([^()]*,[^()]*\)|\(…\)|\bshapes?\b|\bnumber\b|\bNone: |as they are|there is none|Raise a "
)


def array_functions(path: Path) -> Iterator[tuple[str, str]]:
    """Yield name and docstring of the public functions of a module whose return values are annotated as arrays."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                waiting.append(node)
            elif not isinstance(node, ast.FunctionDef) or node.name.startswith("_") or node.returns is None:
                continue
            elif "ndarray" in ast.unparse(node.returns):
                yield f"{path.relative_to(CORE)}:{node.lineno} {node.name}", ast.get_docstring(node) or ""


def test_functions_that_return_arrays_say_their_shapes():
    found = [each for path in sorted(CORE.rglob("*.py")) for each in array_functions(path)]
    assert len(found) > 700
    assert [name for name, text in found if not _SHAPE.search(text)] == []
