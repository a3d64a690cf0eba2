"""Pictures of the real window with the real friction bar: light and dark, small and large.

They are written to build/screenshots to be looked at; here it is checked that nothing is blank or cut off.
"""

import itertools

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QTabBar, QToolButton, QWidget

from faying.project import edits
from faying_app.tasks import opening
from support.windows import settle, view_pixels, wait_idle

pytestmark = pytest.mark.window

SIZES = ((1280, 800), (2560, 1440))


def quick_bar(qtbot, window):
    """Open the friction bar with a small basis, and compute pairs, basis and statics."""
    opening.open_example(window.context, "friction-bar")
    wait_idle(qtbot, window)
    context = window.context
    context.apply("Fewer modes", edits.set_value(("bodies", 0, "reduction", "vibration_modes"), 6))
    context.apply("Fewer joint modes", edits.set_value(("bodies", 0, "joint_modes", "count"), 12))
    static = next(i for i, a in enumerate(context.project.analyses) if a.kind == "static")
    context.selection.select(("analyses", static))
    settle(qtbot)
    window.menus.qt_actions["run_analysis"].trigger()
    wait_idle(qtbot, window, seconds=240)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    return ("analyses", static)


def cut_off(window):
    """Return the texts of visible labels, buttons and tabs that have less room than they need."""
    found = []
    for label in window.findChildren(QLabel):
        if not label.isVisible() or not label.text() or label.wordWrap() or not label.pixmap().isNull():
            continue
        if "<" not in label.text() and label.width() + 1 < label.fontMetrics().horizontalAdvance(
            label.text()
        ):
            found.append(label.text())
    for button in window.findChildren(QAbstractButton):
        wide = button.fontMetrics().horizontalAdvance(button.text())
        if button.isVisible() and not isinstance(button, QToolButton) and button.width() < wide:
            found.append(button.text())
    for bar in window.findChildren(QTabBar):
        for i in range(bar.count()):
            if bar.isVisible() and bar.tabRect(i).width() < bar.fontMetrics().horizontalAdvance(
                bar.tabText(i)
            ):
                found.append(bar.tabText(i))
    return found


def squeezed(window):
    """Return the texts of lines and lists in the time bar that cannot be read whole."""
    found = [
        line.text()
        for line in window.time_bar.findChildren(QLineEdit)
        if line.isVisible() and line.width() - 12 < line.fontMetrics().horizontalAdvance(line.text())
    ]
    found += [
        box.currentText()
        for box in window.time_bar.findChildren(QComboBox)
        if box.isVisible() and box.width() - 30 < box.fontMetrics().horizontalAdvance(box.currentText())
    ]
    return found


def outside(window):
    """Return visible widgets of the time bar and status bar that stick out of their parents."""
    parents = (window.time_bar, window.statusBar(), window.menus.toolbar)
    return [
        (type(child).__name__, child.accessibleName())
        for parent in parents
        for child in parent.findChildren(QWidget)
        if child.parentWidget() is parent
        and child.isVisible()
        and not parent.rect().contains(child.geometry())
    ]


def wrapped_too_low(window):
    """Return the texts of visible wrapping labels that are not high enough for their lines."""
    return [
        label.text()
        for label in window.findChildren(QLabel)
        if label.isVisible() and label.wordWrap() and label.text()
        and label.height() + 2 < label.heightForWidth(label.width())
    ]  # fmt: skip


def assert_good(window, what):
    assert cut_off(window) == [], what
    assert outside(window) == [], what
    assert squeezed(window) == [], what
    assert wrapped_too_low(window) == [], what


@pytest.fixture
def shoot(qtbot, screenshots):
    """Return a function that takes a picture of the window, checks it and returns the 3D view's pixels."""

    def take(window, name, theme, size, *, view=True):
        settle(qtbot, 250)
        label = f"{name}-{theme}-{size[0]}x{size[1]}"
        picture = window.grab()
        assert picture.save(str(screenshots / f"{label}.png"))
        assert (window.width(), window.height()) == size, label
        assert_good(window, label)
        if not view:
            return None
        seen = view_pixels(window)
        assert seen.std() > 12, f"{label}: the 3D view is blank"
        return seen.astype(int)

    return take


def test_screenshots(qtbot, make_window, shoot):
    window = make_window(SIZES[0])
    pictures = {}
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        for size in SIZES:
            window.resize(*size)
            settle(qtbot, 200)
            window.docks.arrange()
            shoot(window, "1-start", theme, size, view=False)
    window.resize(*SIZES[0])
    static = quick_bar(qtbot, window)
    stations = {
        "2-model": ("bodies", 0, "model"),
        "3-pairs": ("bodies", 0, "joints", 0),
        "4-mode": ("bodies", 0, "joint_modes"),
        "5-pressure": static,
    }
    panels = {"2-model": "findings", "3-pairs": "pairs", "4-mode": "tasks", "5-pressure": "curves"}
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        for size in SIZES:
            window.resize(*size)
            settle(qtbot, 300)
            window.docks.arrange()
            settle(qtbot, 300)
            for name, path in stations.items():
                window.context.selection.select(path)
                window.show_panel(panels[name])
                settle(qtbot, 300)
                window.context.view.turn("iso")
                if name == "4-mode":
                    window.context.view.set(frame=7)
                pictures[name, theme, size] = shoot(window, name, theme, size)
    for theme in ("light", "dark"):
        for size in SIZES:
            views = [pictures[name, theme, size] for name in stations]
            for a, b in itertools.pairwise(views):
                rows, columns = np.minimum(a.shape, b.shape)[:2]
                assert np.abs(a[:rows, :columns] - b[:rows, :columns]).mean() > 1.0
        assert window.presenter.field == "pressure"
    # The time bar with all that it can hold, in the smallest window.
    window.resize(*SIZES[0])
    settle(qtbot, 200)
    window.docks.arrange()
    window.context.view.set(limits="user", lowest=0.0, highest=123.456)
    shoot(window, "5-pressure-limits", "dark", SIZES[0])
    window.context.view.set(limits="frame")
    # The pressure is the one of the joint: somewhere it presses, nowhere it pulls.
    values = window.context.shown_values["lap joint"]
    assert values.min() >= 0.0
    assert values.max() > 0.0
