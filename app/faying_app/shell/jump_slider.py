"""A slider that goes to where it is clicked."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider


class JumpSlider(QSlider):
    """A horizontal slider; a press beside its handle brings the handle there, from where it may be dragged on."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the place first."""
        if event.button() == Qt.MouseButton.LeftButton:
            option = QStyleOptionSlider()
            self.initStyleOption(option)
            style, of = self.style(), QStyle.ComplexControl.CC_Slider
            handle = style.subControlRect(of, option, QStyle.SubControl.SC_SliderHandle, self)
            if not handle.contains(event.position().toPoint()):
                groove = style.subControlRect(of, option, QStyle.SubControl.SC_SliderGroove, self)
                along = round(event.position().x()) - groove.x() - handle.width() // 2
                room = max(groove.width() - handle.width(), 1)
                self.setValue(
                    QStyle.sliderValueFromPosition(
                        self.minimum(),
                        self.maximum(),
                        along,
                        room,
                        option.upsideDown,  # type: ignore[attr-defined]
                    )
                )
        super().mousePressEvent(event)
