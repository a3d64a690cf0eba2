"""One name for one thing: no two classes of the core and the window share theirs."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]

# What may be looked for; the syntax, which takes long to read, is asked in those files alone that have some of it.
_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)
_FIRST_WORD = re.compile(r"""["'}]([A-Za-z]\w*)""")


def texts(*tops: Path) -> dict[Path, str]:
    """Return the sources below some folders."""
    return {path: path.read_text(encoding="utf-8") for top in tops for path in sorted(top.rglob("*.py"))}


def class_lines(sources: dict[Path, str]) -> dict[str, list[Path]]:
    """Return the files of lines that begin as a class does, by its name; texts in code may have such lines, too."""
    found = defaultdict(list)
    for path, text in sources.items():
        for name in _CLASS.findall(text):
            found[name].append(path)
    return dict(found)


def classes_twice(sources: dict[Path, str]) -> dict[str, list[str]]:
    """Return the places of classes that share their name with another one, also of those inside functions."""
    doubtful = {path for paths in class_lines(sources).values() if len(paths) > 1 for path in paths}
    found = defaultdict(list)
    for path in sorted(doubtful):
        for node in ast.walk(ast.parse(sources[path])):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path}:{node.lineno}")
    return {name: places for name, places in found.items() if len(places) > 1}


def test_no_two_classes_have_the_same_name():
    sources = texts(ROOT / "core", ROOT / "app")
    assert len(class_lines(sources)) > 500
    twice = classes_twice(sources)
    assert not twice, "\n".join(f"{name}: {', '.join(places)}" for name, places in twice.items())


def test_a_name_that_is_taken_twice_is_seen(tmp_path):
    (tmp_path / "one.py").write_text("class Gap:\n    pass\n")
    (tmp_path / "other.py").write_text(
        "def build():\n    class Gap:\n        pass\n    class Slip:\n        pass\n"
    )
    (tmp_path / "text.py").write_text('EXAMPLE = """\nclass Slip:\n    pass\n"""\n')
    found = classes_twice(texts(tmp_path))
    assert {name: len(places) for name, places in found.items()} == {"Gap": 2}
    assert {name: len(paths) for name, paths in class_lines(texts(tmp_path)).items()} == {"Gap": 2, "Slip": 2}


def class_names_as_words(known: set[str], sources: dict[Path, str]) -> list[str]:
    """Return texts whose first word is a class's joined name: "FileLine of the last card", title = "CuttingPlane"."""
    found = []
    joined = {name for name in known if re.search("[a-z][A-Z]", name)} - {
        "LuGre"
    }  # that is its authors' word
    for path, text in sources.items():
        if joined.isdisjoint(_FIRST_WORD.findall(text)):
            continue
        tree = ast.parse(text)
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
    sources = texts(ROOT / "core", ROOT / "app")
    assert not class_names_as_words(set(class_lines(sources)), sources)


def test_a_class_for_a_word_is_seen(tmp_path):
    text = '    """CuttingPlane of it."""\n    title: str = "CuttingPlane"\n    kind = "CuttingPlane"\n'
    (tmp_path / "one.py").write_text(f"class CuttingPlane:\n{text}")
    found = class_names_as_words({"CuttingPlane"}, texts(tmp_path))
    assert [line.partition("one.py:")[2] for line in found] == ["2: CuttingPlane of it.", "3: CuttingPlane"]
