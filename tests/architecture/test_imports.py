"""Modules do not import each other in circles; and the contract on private modules sees what it is for."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def modules(root: Path) -> dict[str, Path]:
    """Return the sources of the core and the window by the names of their modules."""
    found = {}
    for top in ("core", "app"):
        for path in sorted((root / top).rglob("*.py")):
            parts = path.relative_to(root / top).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """Return the modules that a source imports, also inside functions and for type checking alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & set(known)
            if not whole <= set(known):
                found.add(node.module)
    return found & set(known)


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of modules each of which reaches all others of its set."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(graph[start])
        while waiting:
            if (name := waiting.pop()) not in seen:
                seen.add(name)
                waiting += graph[name]
        return seen

    ways = {name: reached(name) for name in graph}
    within = [name for name in graph if name in ways[name]]
    return [set(c) for c in {frozenset(o for o in ways[n] if n in ways[o]) for n in within}]


def test_no_circles():
    known = modules(ROOT)
    assert len(known) > 700
    found = circles({name: imported(path, known) - {name} for name, path in known.items()})
    assert not [sorted(circle) for circle in found]


@pytest.fixture
def small_house(tmp_path):
    """A core with a circle, one of its ways inside a function and one for type checking; private modules in use."""
    sources = {
        "core/house/__init__.py": "",
        "core/house/a.py": "def go():\n    from house.b import B\n",
        "core/house/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house import c\n",
        "core/house/c.py": "import house.a\nfrom house.room import door\n",
        "core/house/room/__init__.py": "from house.room._key import KEY\n",
        "core/house/room/_key.py": "KEY = 1\n",
        "core/house/room/door.py": "from house.room import _key\n",
        "app/window/__init__.py": "",
        "app/window/pane.py": "def go():\n    from house.room._key import KEY\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_circles_are_seen(small_house):
    known = modules(small_house)
    graph = {name: imported(path, known) for name, path in known.items()}
    assert circles(graph) == [{"house.a", "house.b", "house.c"}]


def test_private_imports_are_seen(small_house):
    """The contract of pyproject.toml, on the small house; test_layers.py runs it on the real one."""
    pytest.importorskip("importlinter", reason="import-linter comes with the extra 'dev'")
    (small_house / "house.ini").write_text(
        "[importlinter]\nroot_packages =\n    house\n    window\n"
        "contract_types =\n    private: tests.architecture.private_modules.PrivateModules\n"
        "[importlinter:contract:1]\nname = private\ntype = private\n"
    )
    code = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(small_house / 'core')!r}, {str(small_house / 'app')!r}]\n"
        "from importlinter.cli import lint_imports_command as c; c(['--no-cache', '--config', 'house.ini'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=small_house,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert [line for line in done.stdout.splitlines() if " imports " in line] == [
        "- window.pane imports house.room._key"
    ]
