"""The flanks of gears drawn beside their table, in the colours of the theme; copied and written on white."""

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from faying.results.run_tables import RunColumn
from faying_app.panels._flank_view import FlankView
from support.windows import settle

pytestmark = pytest.mark.window


def table(*pressures):
    """Return a table of flanks of three rows of four nodes, one of which is pressed on each."""
    n = len(pressures)
    path, width = (part.ravel().tolist() for part in np.meshgrid([0.0, 1.0, 2.0, 3.0], [0.0, 5.0, 10.0]))
    columns = {
        "Contact": ["mesh"] * 12 * n,
        "Flank": np.repeat(np.arange(1.0, n + 1.0), 12).tolist(),
        "Path of contact": path * n,
        "Width": width * n,
        "Largest pressure": [value for most in pressures for value in [0.0] * 6 + [most] + [0.0] * 5],
    }
    return tuple(RunColumn(title, "", "", values) for title, values in columns.items())


def test_the_pattern_is_drawn_in_the_theme_and_written_on_white(qtbot, window, tmp_path, monkeypatch):
    panel = window.docks.panels["run_tables"]
    window.show_panel("run_tables")
    panel._show({"flanks": table(120.0)}, "mm-t-s")
    assert panel.pages.tabText(panel.pages.indexOf(panel.pattern)) == "Contact pattern"
    panel.pages.setCurrentWidget(panel.pattern)
    for theme, is_dark in (("dark", True), ("light", False)):
        window.choose_theme(theme)
        settle(qtbot, 100)
        image = panel.pattern.grab().toImage()
        assert (image.pixelColor(2, 2).lightness() < 80) == is_dark
        seen = {
            image.pixelColor(x, y).name()
            for x in range(0, image.width(), 3)
            for y in range(0, image.height(), 3)
        }
        assert ("#fef0b4" if is_dark else "#67001f") in seen  # the node that is pressed
    # Several flanks stand beside each other where the panel is flat.
    both = table(120.0, 60.0)
    panel.pattern.resize(1200, 200)
    panel.pattern.show_table(both, "mm-t-s")
    assert panel.pattern._across == 2
    panel.pattern.resize(300, 600)
    panel.pattern.show_table(both, "mm-t-s")
    assert panel.pattern._across == 1
    panel.pattern.show_table(table(120.0), "mm-t-s")
    panel._shown().copy()
    assert QGuiApplication.clipboard().image().pixelColor(2, 2).lightness() > 240
    target = tmp_path / "pattern.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), "Drawings (*.svg)"))
    panel._shown().export()
    assert "120 N/mm" in target.read_text(encoding="utf-8")
    # Flanks that were not pressed have a table, and nothing to draw.
    panel._show({"flanks": table(0.0)}, "mm-t-s")
    assert panel.pages.indexOf(panel.pattern) < 0 and isinstance(panel.pattern, FlankView)
