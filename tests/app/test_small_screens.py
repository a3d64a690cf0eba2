"""On a laptop: nothing scrolls sideways, the tree shows names, and the view has at least half of the window."""

import pytest
from PySide6.QtWidgets import QScrollArea

from faying_app.shell.start_page import StartPageCard
from support.windows import plates_in, settle

pytestmark = pytest.mark.window


@pytest.mark.parametrize("size", [(1366, 768), (960, 640)])
def test_the_start_page_does_not_scroll_sideways(qtbot, make_window, screenshots, size):
    window = make_window(size)
    area = window.start_page.findChild(QScrollArea)
    qtbot.waitUntil(lambda: len(window.start_page.findChildren(StartPageCard)) > 10)
    settle(qtbot, 200)
    assert window.grab().save(str(screenshots / f"1-start-light-{size[0]}x{size[1]}.png"))
    assert area.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("size", [(1366, 768), (960, 640)])
def test_tree_and_view_on_a_laptop(qtbot, make_window, tmp_path, screenshots, size):
    window = make_window(size)
    plates_in(qtbot, window, tmp_path)
    window.docks.arrange()
    window.context.selection.select(("bodies", 0, "joints", 0))
    settle(qtbot, 200)
    assert window.grab().save(str(screenshots / f"8-laptop-{size[0]}x{size[1]}.png"))
    assert (window.width(), window.height()) == size
    view = window.viewport
    assert view.width() >= 0.6 * size[0] and view.height() * view.width() >= 0.5 * size[0] * size[1]
    tree = window.docks.panels["project"].view
    index = tree.model().index(0, 0)
    while index.isValid():
        needed = tree.fontMetrics().horizontalAdvance(index.data()) + tree.iconSize().width()
        assert tree.visualRect(index).width() >= needed, index.data()
        index = tree.indexBelow(index)
    area = window.docks.panels["properties"]._area
    assert area.horizontalScrollBar().maximum() == 0
    page = area.widget()
    assert page.width() >= page.minimumSizeHint().width()
