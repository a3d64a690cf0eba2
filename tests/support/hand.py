"""A user's hand: mouse clicks and keys on the widgets that are seen, and nothing behind them."""

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QWidget,
)

from support.windows import settle

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def plain(text):
    """Return a text of a menu or button without the mark of its letter."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


class Hand:
    """Does what a user does in a window. Dialogs that wait for an answer get those that were laid ready before."""

    def __init__(self, qtbot, window):
        self.qtbot, self.window = qtbot, window
        self._answers, self._timer = [], QTimer()
        self._timer.setInterval(40)
        self._timer.timeout.connect(self._answer)

    # Menus and keys ------------------------------------------------------------------------------------

    def menu(self, *titles, answers=()):
        """Click through the menus to an entry, by the beginnings of its titles."""
        self.lay_ready(answers)
        bar = self.window.menuBar()
        action = self._entry(bar.actions(), titles[0])
        QTest.mouseClick(bar, LEFT, NONE, bar.actionGeometry(action).center())
        above = bar
        for title in titles[1:]:
            menu = action.menu()
            self._opened(above, action, menu)
            above = menu
            action = self._entry(menu.actions(), title)
            assert action.isEnabled(), f"{title}: {action.toolTip()}"
            QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(action).center())
        self.rest()

    def _opened(self, above, action, menu):
        """Wait until a menu that was clicked is open; a click that came while it opened by itself is repeated."""
        for _ in range(3):
            for _ in range(20):
                if menu.isVisible():
                    return
                settle(self.qtbot, 50)
            QTest.mouseClick(above, LEFT, NONE, above.actionGeometry(action).center())
        raise AssertionError(f"the menu {action.text()!r} does not open")

    def context_menu(self, *titles):
        """Choose from the menu that is open at the pointer."""
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu), "no menu is open"
        for title in titles:
            action = self._entry(menu.actions(), title)
            assert action.isEnabled(), f"{title}: {action.toolTip()}"
            QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(action).center())
            if action.menu() is not None:
                menu = action.menu()
                self.qtbot.waitUntil(menu.isVisible, timeout=5000)
        self.rest()

    def palette(self, words):
        """Press Ctrl+K, type words, and press Enter."""
        self.key(Qt.Key.Key_K, CTRL)
        line = next(w for w in self.window.findChildren(QLineEdit) if w.accessibleName() == "Command")
        QTest.keyClicks(line, words)
        QTest.keyClick(line, Qt.Key.Key_Return)
        self.rest()

    def key(self, key, modifier=NONE):
        """Press a key where the focus is."""
        if not self.window.isActiveWindow():  # no window manager gives it back after a menu
            self.window.activateWindow()
            self.qtbot.waitUntil(self.window.isActiveWindow, timeout=5000)
        QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)
        self.rest()

    def _entry(self, actions, title):
        found = [a for a in actions if plain(a.text()).startswith(title)]
        assert found, f"{title!r} is not among {[plain(a.text()) for a in actions]}"
        return found[0]

    # Widgets -------------------------------------------------------------------------------------------

    def press(self, text, inside=None):
        """Click the button of that text that is seen."""
        buttons = [b for b in (inside or self.window).findChildren(QAbstractButton) if b.isVisible()]
        found = [b for b in buttons if plain(b.text()) == text or b.accessibleName() == text]
        assert found, f"{text!r} is not among {[plain(b.text()) for b in buttons]}"
        self.see(found[0])
        assert found[0].isEnabled(), text
        QTest.mouseClick(found[0], LEFT)
        self.rest()

    def is_ticked(self, listed, text):
        """Return whether an entry of a list is ticked."""
        (item,) = listed.findItems(text, Qt.MatchFlag.MatchExactly)
        return item.checkState() == Qt.CheckState.Checked

    def tick(self, listed, text):
        """Go down a list of ticks to an entry, and press Space."""
        QTest.mouseClick(
            listed.viewport(), LEFT, NONE, listed.visualRect(listed.model().index(0, 0)).center()
        )
        QTest.keyClick(listed, Qt.Key.Key_Home)
        while listed.currentItem().text() != text:
            QTest.keyClick(listed, Qt.Key.Key_Down)
        QTest.keyClick(listed, Qt.Key.Key_Space)
        self.rest()

    def see(self, widget):
        """Scroll to a widget, as the wheel does."""
        parent = widget.parentWidget()
        while parent is not None:
            if isinstance(parent, QScrollArea):
                parent.ensureWidgetVisible(widget)
            parent = parent.parentWidget()
        settle(self.qtbot, 20)

    def tree(self, *titles):
        """Click a line of the project tree, by the titles down to it."""
        view = self.window.docks.panels["project"].view
        model, index = view.model(), view.rootIndex()
        for title in titles:
            rows = [model.index(r, 0, index) for r in range(model.rowCount(index))]
            found = [row for row in rows if str(row.data()).startswith(title)]
            assert found, f"{title!r} is not among {[row.data() for row in rows]}"
            index = found[0]
            if title != titles[-1] and not view.isExpanded(index):
                QTest.mouseClick(view.viewport(), LEFT, NONE, view.visualRect(index).center())
                QTest.keyClick(view, Qt.Key.Key_Right)
        view.scrollTo(index)
        QTest.mouseClick(view.viewport(), LEFT, NONE, view.visualRect(index).center())
        self.rest()

    def field(self, title, number=0):
        """Return the editor beside a label of the form, the first of that title or a later one."""
        form = self.window.docks.panels["properties"]
        labels = [w for w in form.findChildren(QLabel) if w.text() == title and w.buddy() is not None]
        assert len(labels) > number, f"{title!r} is not among {[w.text() for w in form.findChildren(QLabel)]}"
        found = labels[number].buddy()
        self.see(found)
        return found

    def type(self, title, *texts, number=0):
        """Type one text or some numbers into the fields beside a label, and leave them."""
        editor = self.field(title, number)
        lines = [editor] if isinstance(editor, QLineEdit) else editor.findChildren(QLineEdit)
        for line, text in zip(lines, texts, strict=False):
            self.write(line, text)
        self.rest()

    def write(self, line, text):
        """Click into a line, and type in place of what is there."""
        QTest.mouseClick(line, LEFT)
        QTest.keyClick(line, Qt.Key.Key_A, CTRL)
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)

    def toggle(self, title, number=0):
        """Click the box beside a label."""
        editor = self.field(title, number)
        box = editor if isinstance(editor, QAbstractButton) else editor.findChild(QAbstractButton)
        QTest.mouseClick(box, LEFT, NONE, QPoint(10, box.height() // 2))
        self.rest()

    def choose(self, title, text, number=0):
        """Choose from the list beside a label."""
        editor = self.field(title, number)
        self.pick_from(editor if isinstance(editor, QComboBox) else editor.findChild(QComboBox), text)

    def choose_kind(self, name, text):
        """Choose from the list of that name above a form."""
        boxes = self.window.docks.panels["properties"].findChildren(QComboBox)
        self.pick_from(next(box for box in boxes if box.accessibleName() == name), text)

    def pick_from(self, combo, text):
        """Open a list by a click, go down to an entry, and press Enter."""
        self.see(combo)
        assert combo.isVisible() and combo.isEnabled()
        # A form that is brought up to date at that moment closes an open list: a user clicks again.
        for _ in range(5):
            QTest.mouseClick(combo, LEFT, NONE, QPoint(combo.width() - 8, combo.height() // 2))
            settle(self.qtbot, 60)
            if combo.view().isVisible():
                break
        row = combo.findText(text, Qt.MatchFlag.MatchExactly)
        row = row if row >= 0 else combo.findText(text, Qt.MatchFlag.MatchStartsWith)
        assert row >= 0, f"{text!r} is not among {[combo.itemText(i) for i in range(combo.count())]}"
        view = combo.view()
        assert view.isVisible(), f"the list of {text!r} does not stay open"
        for _ in range(combo.count()):  # Home stays where it is if the first entry is a heading
            if view.currentIndex().row() == row:
                break
            QTest.keyClick(view, Qt.Key.Key_Down if view.currentIndex().row() < row else Qt.Key.Key_Up)
        assert view.currentIndex().row() == row, f"{text!r} cannot be chosen"
        QTest.keyClick(view, Qt.Key.Key_Return)
        self.rest()

    # The picture ---------------------------------------------------------------------------------------

    def point(self, place, button=LEFT, modifier=NONE):
        """Click where a place in space is seen."""
        view = self.window.viewport.view
        x, y = self.window.presenter.scene.pixels(np.array([place], float))[0] / view.devicePixelRatioF()
        at = QPoint(round(x), round(view.height() - 1 - y))
        assert view.rect().contains(at), f"{place} is not in the picture"
        QTest.mouseClick(view, button, modifier, at)
        self.rest()

    # Dialogs -------------------------------------------------------------------------------------------

    def lay_ready(self, answers):
        """Answer the dialogs that will open, one after the other: each answer is called with its dialog."""
        self._answers += answers
        if self._answers:
            self._timer.start()

    def _answer(self):
        dialog = QApplication.activeModalWidget()
        if dialog is None or not dialog.isVisible() or dialog.property("answered"):
            return
        seen = int(dialog.property("seen") or 0)
        dialog.setProperty("seen", seen + 1)
        if seen < 10 or not self._answers:  # a user looks first, and a dialog is not complete at once
            return
        answer = self._answers.pop(0)
        dialog.setProperty("answered", True)
        try:
            answer(dialog)
        except BaseException:
            dialog.reject()  # else it waits for ever
            raise

    def file(self, path):
        """Return the answer of a file dialog: its name is typed."""

        def answer(dialog: QWidget):
            assert isinstance(dialog, QFileDialog), dialog
            line = dialog.findChild(QLineEdit, "fileNameEdit")
            QTest.keyClick(line, Qt.Key.Key_A, CTRL)
            QTest.keyClicks(line, str(path))
            popup = QApplication.activePopupWidget()
            if popup is not None:  # what completes the name takes the first Enter
                QTest.keyClick(popup, Qt.Key.Key_Escape)
            QTest.keyClick(line, Qt.Key.Key_Return)

        return answer

    def enter(self, dialog):
        """Press Enter in a dialog."""
        QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)

    def rest(self):
        """Wait as a user does, until the window has followed."""
        settle(self.qtbot, 120)
