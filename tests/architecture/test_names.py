"""One name for one thing: no two classes of the core and the window share theirs."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]


def classes(*tops: Path) -> dict[str, list[str]]:
    """Return the places of every class below some folders by its name, also of those inside functions."""
    found = defaultdict(list)
    for path in sorted(p for top in tops for p in top.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path}:{node.lineno}")
    return dict(found)


def test_no_two_classes_have_the_same_name():
    found = classes(ROOT / "core", ROOT / "app")
    assert len(found) > 500
    twice = {name: places for name, places in found.items() if len(places) > 1}
    assert not twice, "\n".join(f"{name}: {', '.join(places)}" for name, places in twice.items())


def test_a_name_that_is_taken_twice_is_seen(tmp_path):
    (tmp_path / "one.py").write_text("class Gap:\n    pass\n")
    (tmp_path / "other.py").write_text(
        "def build():\n    class Gap:\n        pass\n    class Slip:\n        pass\n"
    )
    assert {name: len(places) for name, places in classes(tmp_path).items()} == {"Gap": 2, "Slip": 1}
