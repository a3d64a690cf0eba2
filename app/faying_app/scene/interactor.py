"""The widget that a graphics card draws on. Its import loads matplotlib: late, and not without a screen."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget
from pyvistaqt import QtInteractor

from faying_app.scene.offscreen import MULTI_SAMPLES


class PaintedOnce(QtInteractor):  # type: ignore[misc]
    """Draws once for every time that Qt paints.

    VTK's mouse handling draws at once, after every click too, and Qt's painting draws the same once more. Here VTK only
    says that it would like to draw.

    Args:
        parent: the widget around.
        wanted: told whenever VTK would like to draw.
    """

    def __init__(self, parent: QWidget, wanted: Callable[[], None]) -> None:
        super().__init__(parent, auto_update=False, multi_samples=MULTI_SAMPLES)
        self._wanted, self._painting = wanted, False
        self._vtk = self.render_window.GetInteractor()
        self._vtk.EnableRenderOff()
        self._observer = self._vtk.AddObserver("RenderEvent", self._ask)

    def _ask(self, *_: object) -> None:
        if not self._painting:
            self._wanted()

    def paintGL(self) -> None:
        """Draw, now that Qt wants it."""
        self._painting = True
        self._vtk.EnableRenderOn()
        try:
            super().paintGL()
        finally:
            self._vtk.EnableRenderOff()
            self._painting = False

    def redraw(self) -> None:
        """Redraw, next time that Qt paints."""
        self.update()

    def close(self) -> None:
        """Give back everything of OpenGL."""
        self._vtk.RemoveObserver(self._observer)
        super().close()
