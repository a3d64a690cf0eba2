"""Modules do not import each other in circles, nor what another package keeps to itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Circles that are known, each with why it stays for now; nothing may be added.
ALLOWED = [
    # A session makes solutions, and a solution asks its session for what it shows.
    {"faying.session", "faying.session.export", "faying.session.solution"},
]


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


def private_imports(known: dict[str, Path]) -> Iterator[str]:
    """Yield imports of a module or package that begins with an underscore from outside of the package it is in."""
    for name, path in known.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for other in sorted(imported(path, known)):
            parts = other.split(".")
            for at, part in enumerate(parts):
                owner = ".".join(parts[:at])
                private = part.startswith("_") and not part.startswith("__")
                if private and not f"{package}.".startswith(f"{owner}."):
                    yield f"{name} imports {other}"


def test_no_circles():
    known = modules(ROOT)
    assert len(known) > 700
    found = circles({name: imported(path, known) - {name} for name, path in known.items()})
    assert not [sorted(circle) for circle in found if not any(circle <= allowed for allowed in ALLOWED)]


def test_what_is_private_to_a_package_stays_there():
    assert not list(private_imports(modules(ROOT)))


def test_circles_and_private_imports_are_seen(tmp_path):
    """Also those inside functions and for type checking, on a small house of its own."""
    sources = {
        "core/house/__init__.py": "",
        "core/house/a.py": "def go():\n    from house.b import B\n",
        "core/house/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house import c\n",
        "core/house/c.py": "import house.a\nfrom house.room import door\n",
        "core/house/room/__init__.py": "from house.room._key import KEY\n",
        "core/house/room/_key.py": "KEY = 1\n",
        "core/house/room/door.py": "from house.room import _key\n",
        "app/window.py": "from house.room._key import KEY\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    known = modules(tmp_path)
    graph = {name: imported(path, known) for name, path in known.items()}
    assert circles(graph) == [{"house.a", "house.b", "house.c"}]
    assert list(private_imports(known)) == ["window imports house.room._key"]
