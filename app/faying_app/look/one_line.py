"""A label of one line with constant size, however long its text is."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from faying_app.look.tips import tip


class OneLine(QLabel):
    """Shows as much of a text as there is room for; the whole is its tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, told: str = "") -> None:
        """Show a text; `told` is the tooltip, line by line, where it is to be another."""
        self.whole = text
        self.setToolTip(tip(*(told or text).splitlines()))
        self.setAccessibleDescription(text)
        self._elide()

    def minimumSizeHint(self) -> QSize:
        """Return the height of a line."""
        return QSize(0, self.fontMetrics().height() + 2)

    def sizeHint(self) -> QSize:
        """Return the height of a line."""
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more or less of the text."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        self.setText(self.fontMetrics().elidedText(self.whole, Qt.TextElideMode.ElideRight, self.width()))
