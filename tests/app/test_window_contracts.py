"""Contracts of the window's families; and what the README says of its menus."""

import re
from pathlib import Path

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


def test_menus_that_the_readme_names_are_there():
    text = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    places = {" ▸ ".join([*action.menu.split("/"), action.title]) for _, action in actions.items()}
    places |= {" ▸ ".join(action.menu.split("/")) for _, action in actions.items()}
    named = re.findall(rf"((?:{'|'.join(MENUS)}) ▸ [A-Z][^.;:()]*)", text)
    assert len(named) > 10
    assert not [name for name in named if not any(name.startswith(place) for place in places - set(MENUS))]
