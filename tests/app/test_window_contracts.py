"""Contracts of the window's families; and menus that the README and the manual name."""

import ast
import re
from pathlib import Path

import pytest

from faying_app.actions import MENUS, actions
from faying_app.testing import ActionContract, BenchContract, EditorContract, PanelContract, VisualContract


class TestPanels(PanelContract):
    pass


class TestActions(ActionContract):
    pass


class TestVisuals(VisualContract):
    pass


class TestBenches(BenchContract):
    pass


class TestEditors(EditorContract):
    pass


ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "resources/faying_resources/manual").glob("*.md"))]
GENERATED = {"View ▸ Panels", "View ▸ Theme"}


def places_of_menus() -> set[str]:
    """Return what stands in the menus, without the dots of what asks before it does something."""
    places = {" ▸ ".join([*action.menu.split("/"), action.title]) for _, action in actions.items()}
    places |= {" ▸ ".join(action.menu.split("/")) for _, action in actions.items()} | GENERATED
    return {place.rstrip("…") for place in places - set(MENUS)}


def named_in(text: str) -> list[str]:
    """Return the menu entries that a text names, each with what follows up to the next mark."""
    return re.findall(rf"((?:{'|'.join(MENUS)}) ▸ [A-Z][^.;:()*]*)", " ".join(text.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_menus_that_readme_and_manual_name_are_there(page):
    places, named = places_of_menus(), named_in(page.read_text(encoding="utf-8"))
    assert page.name != "first-model.md" or len(named) > 8
    assert not [name for name in named if not any(name.startswith(place) for place in places)]


def test_menus_that_sentences_of_the_program_name_are_there():
    places, lost = places_of_menus(), []
    for path in [*(ROOT / "app").rglob("*.py"), *(ROOT / "core").rglob("*.py")]:
        if "▸" not in (text := path.read_text(encoding="utf-8")):
            continue
        tree = ast.parse(text)
        told = {ast.get_docstring(node, clean=False) for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)}  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in told:
                lost += [f"{path.name}: {name}" for name in named_in(node.value)
                         if not any(name.startswith(place) for place in places)]  # fmt: skip
    assert not lost
