"""A lasso: a sheet over the 3D view on which an outline is drawn with the mouse."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from faying_app.context import Vector
from faying_app.look.theme import current_theme
from faying_app.scene.camera import CameraPose, axes_of

# Points nearer than this many pixels to the one before add nothing.
_STEP = 3.0


class Lasso(QWidget):
    """Covers a view until an outline is drawn, or Esc is pressed; then it goes away.

    Args:
        view: what is covered.
        pose: of the camera, which does not move meanwhile.
        done: called with the outline in space and the direction towards the onlooker.
    """

    def __init__(self, view: QWidget, pose: CameraPose, done: Callable[[list[Vector], Vector], None]) -> None:
        super().__init__(view)
        self._pose, self._done = pose, done
        self.points: list[QPointF] = []
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(view.rect())
        self.show()
        self.raise_()
        self.setFocus()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin the outline; another button leaves everything as it is."""
        if event.button() != Qt.MouseButton.LeftButton:
            self.close()
            return
        self.points = [event.position()]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw on."""
        if self.points and (event.position() - self.points[-1]).manhattanLength() >= _STEP:
            self.points.append(event.position())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close the outline and hand it over."""
        points = self.points
        self.close()
        if len(points) >= 3:
            outline, towards = in_space(
                self._pose, self.width(), self.height(), [(p.x(), p.y()) for p in points]
            )
            self._done(outline, towards)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave everything as it is at Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the outline so far, closed."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, shape = QColor(current_theme()["accent"]), QPolygonF(self.points)
        fill = QColor(colour)
        fill.setAlpha(40)
        # A contrasting border keeps the line visible over a surface of the accent's colour.
        painter.setPen(QPen(QColor(current_theme()["accent_text"]), 4.0))
        painter.setBrush(fill)
        painter.drawPolygon(shape)
        painter.setPen(QPen(colour, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(shape)
        painter.end()


def in_space(
    pose: CameraPose, width: int, height: int, pixels: list[tuple[float, float]]
) -> tuple[list[Vector], Vector]:
    """Return points of a view in space, in the plane of the focal point, and the direction towards the onlooker.

    Args:
        pose: of the camera.
        width, height: of the view.
        pixels: counted from the upper left.
    """
    right, up, towards = axes_of(pose)
    per_pixel = 2.0 * pose.half_height / height
    x, y = np.array(pixels).T
    points = (
        np.array(pose.focal_point)
        + ((x - width / 2) * per_pixel)[:, None] * right
        - ((y - height / 2) * per_pixel)[:, None] * up
    )
    return [_rounded(point) for point in points], _rounded(towards)


def _rounded(point: np.ndarray) -> Vector:
    """Return a point to seven digits: more than a mouse resolves, and readable in a study file."""
    x, y, z = (float(f"{v:.7g}") for v in point)
    return (x, y, z)
