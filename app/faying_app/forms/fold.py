"""A heading that folds away what is below it."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPolygon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget


class Fold(QWidget):
    """A foldable section with a heading, and buttons at its right end."""

    def __init__(self, title: str, *, open_: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading = _Heading(title, self)
        self._bar = QHBoxLayout()
        self._bar.setContentsMargins(0, 4, 0, 0)
        self._bar.addWidget(self._heading, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3)
        self._column.addLayout(self._bar)
        self._content: QWidget | None = None
        self._heading.is_open = open_

    def set_content(self, content: QWidget) -> None:
        """Put a widget below the heading."""
        self._content = content
        self._column.addWidget(content)
        content.setVisible(self.is_open)

    def add_button(self, button: QPushButton) -> None:
        """Add a button to the heading."""
        self._bar.addWidget(button)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return self._heading.is_open

    def toggle(self) -> None:
        """Fold or unfold."""
        self._heading.is_open = not self._heading.is_open
        self._heading.update()
        if self._content is not None:
            self._content.setVisible(self._heading.is_open)


class _Heading(QLabel):
    def __init__(self, title: str, fold: Fold) -> None:
        super().__init__(title, fold)
        self._fold, self.is_open = fold, True
        self.setProperty("role", "title")
        self.setIndent(18)
        self.setMinimumHeight(24)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold on a click."""
        self._fold.toggle()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text and an arrow before it."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().windowText())
        box = QRect(3, self.height() // 2 - 4, 8, 8)
        if self.is_open:
            points = [
                box.topLeft() + QPoint(0, 1),
                box.topRight() + QPoint(0, 1),
                QPoint(box.center().x(), box.bottom()),
            ]
        else:
            points = [
                box.topLeft() + QPoint(1, 0),
                box.bottomLeft() + QPoint(1, 0),
                QPoint(box.right(), box.center().y()),
            ]
        painter.drawPolygon(QPolygon(points))
