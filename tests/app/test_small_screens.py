"""On a laptop: nothing scrolls sideways, the tree shows names, and the view has at least half of the window."""

from importlib.resources import files

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QScrollArea

from faying.examples import examples
from faying_app.shell.start_page import StartPageCard
from faying_app.shell.window import MainWindow
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


def test_panels_scroll_and_docks_keep_their_sizes_on_a_laptop(qtbot, make_window, tmp_path):
    size = (1366, 768)
    window = make_window(size)
    plates_in(qtbot, window, tmp_path)
    window.docks.arrange()
    settle(qtbot, 200)
    wide = window.docks.docks["project"].width()
    window.show_panel("joint_search")
    settle(qtbot, 100)
    low = window.docks.docks["joint_search"].height()
    for kind in window.docks.docks:
        window.show_panel(kind)
        settle(qtbot, 50)
        panel, area = window.docks.panels[kind], window.docks.docks[kind].widget()
        assert (window.width(), window.height()) == size, kind
        assert window.docks.docks["project"].width() == wide, kind
        assert window.docks.docks["joint_search"].height() == low or kind not in window.docks._below(), kind
        least = panel.minimumSizeHint()
        assert panel.width() >= least.width() and panel.height() >= least.height(), kind
        # Lower than any panel needs: it scrolls, and the dock does not grow.
        if panel.height() > area.viewport().height():
            assert area.verticalScrollBar().maximum() > 0, kind
    window.show_panel("joint_search")
    settle(qtbot, 50)
    view = window.docks.panels["joint_search"].view
    assert view.viewport().height() >= 4 * view.verticalHeader().defaultSectionSize()
    window.resizeDocks([window.docks.docks["joint_search"]], [90], Qt.Orientation.Vertical)
    settle(qtbot, 100)
    area = window.docks.docks["joint_search"].widget()
    assert area.height() < window.docks.panels["joint_search"].minimumSizeHint().height()
    assert area.verticalScrollBar().maximum() > 0


def test_the_next_window_is_as_the_last_one_was_left(qtbot, make_window, tmp_path):
    first = make_window((1366, 768))
    first.docks.arrange()
    first.show_panel("curves")
    settle(qtbot, 100)
    first.resizeDocks([first.docks.docks["project"]], [300], Qt.Orientation.Horizontal)
    first.resizeDocks([first.docks.docks["curves"]], [260], Qt.Orientation.Vertical)
    settle(qtbot, 100)
    left = first.docks.docks["project"].width(), first.docks.docks["curves"].height()
    first.close()
    second = MainWindow()
    with qtbot.waitExposed(second):
        second.show()
    settle(qtbot, 300)
    assert (second.width(), second.height()) == (1366, 768)
    assert second.docks.is_open
    assert (second.docks.docks["project"].width(), second.docks.docks["curves"].height()) == left
    second.close()


def test_every_example_has_a_small_picture_on_its_card(qtbot, make_window):
    folder = files("faying_resources") / "pictures" / "start"
    for kind, _ in examples.items():
        data = (folder / f"{kind.replace('-', '_')}.png").read_bytes()
        picture = QImage.fromData(data)
        assert (picture.width(), picture.height()) == (440, 248), kind
        assert len(data) <= 25_000, kind
        shades = {picture.pixel(x, y) for x in range(0, 440, 4) for y in range(0, 248, 4)}
        assert len(shades) > 12, kind  # not the background alone
    window = make_window((1366, 768))
    qtbot.waitUntil(lambda: len(window.start_page.findChildren(StartPageCard)) == len(tuple(examples)) + 2)
    drawn = [
        card for card in window.start_page.findChildren(StartPageCard)
        if any(label.pixmap().width() == 220 for label in card.findChildren(QLabel))
    ]  # fmt: skip
    assert {f"Example: {example.title}" for _, example in examples.items()} <= {
        c.accessibleName() for c in drawn
    }
