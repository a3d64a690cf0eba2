"""Pictures of the real window, and what must not be seen on any of them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

SIZES = ((1280, 800), (1920, 1200))
# Both themes and both sizes, without their product: texts are as wide in either theme, colours the same in either size.
LOOKS = (("light", SIZES[0]), ("dark", SIZES[1]))


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
        if line.isVisible() and line.width() - 18 < line.fontMetrics().horizontalAdvance(line.text())
    ]
    found += [
        box.currentText()
        for box in window.time_bar.findChildren(QComboBox)
        if box.isVisible() and box.width() - 30 < box.fontMetrics().horizontalAdvance(box.currentText())
    ]
    return found


def narrow_headings(window):
    """Return the headings of visible tables that have less room than they need."""
    found = []
    for head in window.findChildren(QHeaderView):
        model = head.model()
        is_seen = not head.visibleRegion().isEmpty()  # tables behind other tabs count as visible for Qt
        if not is_seen or model is None or head.orientation() != Qt.Orientation.Horizontal:
            continue
        for section in range(head.count()):
            if head.isSectionHidden(section):
                continue
            text = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
            if head.sectionSize(section) < head.fontMetrics().horizontalAdvance(text) + 10:
                found.append(text)
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
        if not label.visibleRegion().isEmpty() and label.wordWrap() and label.text()  # else in a folded dock
        and label.height() + 2 < label.heightForWidth(label.width())
    ]  # fmt: skip


def assert_good(window, what):
    for faults in (cut_off, narrow_headings, outside, squeezed, wrapped_too_low):
        found = faults(window)
        assert found == [], f"{what}: {faults.__name__} {found}"
