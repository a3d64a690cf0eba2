"""The widget for machines whose processor draws: VTK draws out of sight, Qt paints the finished picture.

Qt puts a window together from textures as soon as one part of it is drawn with OpenGL. A graphics card does that in no
time; a processor spends more time on it than on the model.
"""

from collections.abc import Callable, Hashable

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget
from vtkmodules.vtkInteractionStyle import vtkInteractorStyleTrackballCamera
from vtkmodules.vtkRenderingUI import vtkGenericRenderWindowInteractor

from faying_app.scene.finished_pictures import FinishedPictures
from faying_app.scene.offscreen import MULTI_SAMPLES, Offscreen

_BUTTONS = {
    Qt.MouseButton.LeftButton: "LeftButton",
    Qt.MouseButton.MiddleButton: "MiddleButton",
    Qt.MouseButton.RightButton: "RightButton",
}
_WHEEL_STEP = 120  # Qt counts eighths of a degree


class PictureView(QWidget):
    """Paints pictures that VTK drew out of sight; hands the mouse to VTK's camera style.

    Args:
        parent: the widget around.
        wanted: told whenever VTK would like to draw.

    Attributes:
        renderer, render_window: VTK's.
        is_moving: tells whether a picture is one of a movement, for which edges are not smoothed: that takes a
            processor four times as long.
        instant: tells look and instant of frames that play, None of other pictures.
        finished: pictures of frames that play.
    """

    drawn = Signal()  # a picture is in the window

    def __init__(self, parent: QWidget, wanted: Callable[[], None]) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._plotter = Offscreen((160, 120))
        self.renderer, self.render_window = self._plotter.renderer, self._plotter.render_window
        self._mouse = vtkGenericRenderWindowInteractor()
        self._mouse.SetRenderWindow(self.render_window)
        self._mouse.SetInteractorStyle(vtkInteractorStyleTrackballCamera())
        self._mouse.EnableRenderOff()
        self._mouse.Initialize()
        self._observer = self._mouse.AddObserver("RenderEvent", lambda *_: wanted())
        self._wheel = 0
        self.is_moving: Callable[[], bool] = lambda: False
        self.instant: Callable[[], tuple[Hashable, Hashable] | None] = lambda: None
        self.finished = FinishedPictures()
        self._stale, self._closed = True, False
        self._again = False  # a finished picture waits to be painted
        self._rows = np.zeros((0, 0, 4), np.uint8)
        self._picture = QImage()

    def redraw(self) -> None:
        """Redraw, next time that Qt paints."""
        self._stale = True
        self.update()

    def grabFramebuffer(self) -> QImage:
        """Return a picture of the scene as it is now, in device pixels."""
        self._draw()
        return self._picture.copy()

    def close(self) -> bool:
        """Give back everything of OpenGL."""
        if not self._closed:
            self._closed = True
            self._mouse.RemoveObserver(self._observer)
            self._plotter.close()
        return super().close()

    # Drawing -------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._stale = False
        self._take_size()
        self.render_window.SetMultiSamples(0 if self.is_moving() else MULTI_SAMPLES)
        self.render_window.Render()
        self._rows = self._plotter.pixels()
        height, width, _ = self._rows.shape
        self._picture = QImage(self._rows.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
        self._picture.setDevicePixelRatio(self.devicePixelRatioF())
        if (now := self.instant()) is not None:
            self.finished.keep(*now, (self._rows, self._picture), self._rows.nbytes)

    def repaint_finished(self, look: Hashable, instant: Hashable) -> bool:
        """Paint a picture that is finished already; return whether there is one."""
        found = self.finished.find(look, instant)
        if found is None:
            return False
        self._rows, self._picture = found
        self._stale, self._again = False, True
        self.update()
        return True

    def _take_size(self) -> None:
        ratio = self.devicePixelRatioF()
        size = max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))
        if size != tuple(self.render_window.GetSize()):
            self.render_window.SetSize(*size)
            self._mouse.UpdateSize(*size)
        self.render_window.SetDPI(round(72 * ratio))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the last picture, or a new one where something has changed."""
        if self._closed:
            return
        fresh = self._stale or self._again
        if self._stale:
            self._draw()
        self._again = False
        painter = QPainter(self)
        painter.drawImage(0, 0, self._picture)
        painter.end()
        if fresh:
            self.drawn.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw in the new size."""
        if not self._closed:
            self._take_size()
            self._stale = True

    # The mouse -----------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to turn, move or zoom."""
        self._tell(event, "Press")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        self._tell(event, "Release")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn, move or zoom."""
        self._place(event)
        self._mouse.MouseMoveEvent()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom by whole steps of the wheel."""
        self._place(event)
        self._wheel += event.angleDelta().y()
        if abs(self._wheel) >= _WHEEL_STEP:
            turn = (
                self._mouse.MouseWheelForwardEvent if self._wheel > 0 else self._mouse.MouseWheelBackwardEvent
            )
            turn()
            self._wheel = 0
        event.accept()

    def _tell(self, event: QMouseEvent, what: str) -> None:
        if event.button() in _BUTTONS:
            self._place(event)
            getattr(self._mouse, f"{_BUTTONS[event.button()]}{what}Event")()

    def _place(self, event: QMouseEvent | QWheelEvent) -> None:
        # VTK counts device pixels, upwards.
        ratio, at, keys = self.devicePixelRatioF(), event.position(), event.modifiers()
        self._mouse.SetEventInformation(
            round(at.x() * ratio),
            round((self.height() - at.y() - 1) * ratio),
            bool(keys & Qt.KeyboardModifier.ControlModifier),
            bool(keys & Qt.KeyboardModifier.ShiftModifier),
            chr(0),
            0,
            None,
        )
