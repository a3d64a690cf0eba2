"""Undo while a field has the focus: what is being typed first, then the project's edits."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QWidget

_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class FieldKeys(QObject):
    """Filters the keys of the field that has the focus: of the whole application every event would pass here.

    A line claims undo and redo for itself, always. Here it has them only while it holds typed text that is not in the
    project yet; else they are the window's, so that Ctrl+Z takes back what Enter has just put in.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        QApplication.instance().focusChanged.connect(self._follow)  # type: ignore[union-attr]

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None:
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Refuse a line's claim."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not any(event.matches(key) for key in _KEYS):
            return False
        line = _line(watched)
        if line is None or line.isModified() or line.window() is not self.parent():
            return False
        event.ignore()
        return True


def _line(field: QObject) -> QLineEdit | None:
    """Return the line that is typed in, of a line itself, a spin box or an editable combo box."""
    if isinstance(field, QLineEdit):
        return field
    if isinstance(field, QComboBox):
        return field.lineEdit()
    if isinstance(field, QAbstractSpinBox):
        return field.findChild(QLineEdit, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return None
