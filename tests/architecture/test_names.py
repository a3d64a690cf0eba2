"""One name for one thing: no two classes of the core and the window share theirs."""

import ast
import re
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


def class_names_as_words(known: set[str], *tops: Path) -> list[str]:
    """Return texts whose first word is a class's joined name: "FileLine of the last card", title = "CuttingPlane"."""
    found = []
    joined = {name for name in known if re.search("[a-z][A-Z]", name)} - {
        "LuGre"
    }  # that is its authors' word
    for path in sorted(p for top in tops for p in top.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        titles = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if getattr(target, "id", "") == "title"
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                first = re.match(r"\w*", node.value)[0]
                if first in joined and (re.match(r" [a-z]", node.value[len(first) :]) or node in titles):
                    found.append(f"{path}:{node.lineno}: {node.value[:60]}")
    return found


def test_no_sentence_or_title_has_a_class_for_a_word():
    """What a renaming leaves that looks no further than the word."""
    tops = (ROOT / "core", ROOT / "app")
    assert not class_names_as_words(set(classes(*tops)), *tops)


def test_a_class_for_a_word_is_seen(tmp_path):
    text = '    """CuttingPlane of it."""\n    title: str = "CuttingPlane"\n    kind = "CuttingPlane"\n'
    (tmp_path / "one.py").write_text(f"class CuttingPlane:\n{text}")
    found = class_names_as_words({"CuttingPlane"}, tmp_path)
    assert [line.partition("one.py:")[2] for line in found] == ["2: CuttingPlane of it.", "3: CuttingPlane"]
