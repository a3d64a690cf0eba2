"""What every visual keeps: it says what it reads, shows nothing of nothing, and leaves nothing behind."""

from dataclasses import fields
from typing import Any, ClassVar

import pytest
from PySide6.QtWidgets import QApplication

from faying.testing.contracts.members import Contract
from faying_app.scene.colours import DARK, LIGHT
from faying_app.scene.content import SceneContent
from faying_app.scene.offscreen import Offscreen
from faying_app.scene.visuals import Visual, visuals


class VisualContract(Contract):
    """Made in a scene that is never drawn, and of which there is nothing to show."""

    family: ClassVar[Any] = visuals

    def test_it_says_what_it_reads(self, kind: str) -> None:
        """A change of anything else would not bring it up to date; the model it reads without doubt."""
        chosen: type[Visual] = self.family[kind]
        assert chosen.title.strip() == chosen.title != ""
        assert "model" in chosen.reads <= {field.name for field in fields(SceneContent)}

    def test_it_comes_and_goes(self, kind: str, qapp: QApplication, request: pytest.FixtureRequest) -> None:
        """With empty content, in both themes, and wanted or not; then the scene is as it was."""
        renderer, content = Offscreen((8, 8)).renderer, SceneContent()
        visual: Visual = self.family[kind](renderer)
        assert visual.wanted == (not visual.hidden_at_first)
        for theme in (LIGHT, DARK):
            visual.apply_theme(theme)
            visual.build(content)
            visual.refresh(content)
        visual.wanted = False
        visual.refresh(content)
        assert not visual.is_shown(content)
        made = renderer.GetViewProps().GetNumberOfItems()
        assert not any(renderer.GetViewProps().GetItemAsObject(i).GetVisibility() for i in range(made))
        visual.remove()
        assert renderer.GetViewProps().GetNumberOfItems() == 0
