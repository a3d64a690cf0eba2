"""A slider that goes to where it is clicked, with marks where sections of the frames end."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QToolTip

from faying_app.look.theme import current_theme

_MARK = (2.0, 5.0)  # width and height of a mark, pixels
_APART = 3.0  # between the groove's middle and a mark


class JumpSlider(QSlider):
    """A horizontal slider; a press next to its handle moves the handle there, from where it can be dragged.

    Attributes:
        sections: (title, last value) of sections that follow each other; each has a mark at its end, and its title is
            told over it.
    """

    sections: Sequence[tuple[str, int]] = ()

    def show_sections(self, sections: Sequence[tuple[str, int]]) -> None:
        """Mark other sections."""
        self.sections = tuple(sections)
        self.update()

    def mark_places(self) -> list[float]:
        """Return where marks are (n,), in pixels from the left: all but the end of the last section."""
        groove, handle = self._groove()
        room = max(groove.width() - handle.width(), 1)
        return [
            groove.x()
            + 0.5 * handle.width()
            + QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), last, round(room))
            for _, last in self.sections[:-1]
        ]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the place first."""
        if event.button() == Qt.MouseButton.LeftButton and not self._groove()[1].contains(
            event.position().toPoint()
        ):
            self.setValue(self._value_at(event.position()))
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks below the groove."""
        super().paintEvent(event)
        if not self.sections:
            return
        groove, _ = self._groove()
        painter = QPainter(self)
        width, height = _MARK
        top = (
            groove.center().y() + 0.5 * groove.height()
            if groove.height() < 12
            else self.height() / 2 + _APART
        )
        for place in self.mark_places():
            painter.fillRect(QRectF(place - 0.5 * width, top, width, height), current_theme().colour("text"))
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tell the section under the pointer."""
        if isinstance(event, QHelpEvent) and self.sections:
            value = self._value_at(QPointF(event.pos()))
            title = next((title for title, last in self.sections if value <= last), self.sections[-1][0])
            QToolTip.showText(event.globalPos(), title, self)
            return True
        return bool(super().event(event))

    def _groove(self) -> tuple[QRectF, QRectF]:
        """Return the rectangles of groove and handle."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style, of = self.style(), QStyle.ComplexControl.CC_Slider
        parts = (QStyle.SubControl.SC_SliderGroove, QStyle.SubControl.SC_SliderHandle)
        groove, handle = (style.subControlRect(of, option, part, self) for part in parts)
        return QRectF(groove), QRectF(handle)

    def _value_at(self, place: QPointF) -> int:
        """Return the value whose handle would have its middle at a place."""
        groove, handle = self._groove()
        along = round(place.x() - groove.x() - 0.5 * handle.width())
        room = max(round(groove.width() - handle.width()), 1)
        return QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), along, room)
