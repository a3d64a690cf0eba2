"""Plots as pictures, for the family of plot writers; the core finds this module by an entry point.

Qt loads when something is drawn, not when the family is listed. No screen is needed.
"""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from faying.errors import FayingError
from faying.exporters.output import replacing
from faying.exporters.plots import PictureSettings, PlotWriter, plot_writers
from faying.plot import Plot
from faying_app.without_screen import start_qt

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintDevice

    from faying_app.plotting.view import PlotView

_CANNOT = "The picture cannot be written to {}."


@plot_writers.register("png")
class PlotPicture(PlotWriter):
    """A picture of pixels."""

    title: ClassVar[str] = "Picture (PNG)"

    def write(self, plot: Plot, path: Path, settings: PictureSettings) -> None:
        """Draw the plot as the window does."""
        view = drawn_view(plot, settings)
        with replacing(path) as beside:
            if not view.grab().save(str(beside), "PNG"):
                raise FayingError(_CANNOT.format(path), "Choose another place.")


@plot_writers.register("svg")
class PlotDrawing(PlotWriter):
    """A picture of lines and letters, for documents."""

    title: ClassVar[str] = "Drawing (SVG)"

    def write(self, plot: Plot, path: Path, settings: PictureSettings) -> None:
        """Draw the plot as the window does."""
        from PySide6.QtCore import QRect, QSize
        from PySide6.QtSvg import QSvgGenerator

        from faying_app.plotting.svg_fonts import name_fonts

        view = drawn_view(plot, settings)
        with replacing(path) as beside:
            drawing = QSvgGenerator()
            drawing.setFileName(str(beside))
            drawing.setSize(QSize(*settings.size))
            drawing.setResolution(view.logicalDpiX())  # axes are replayed from pictures of this resolution
            drawing.setViewBox(QRect(0, 0, *settings.size))
            drawing.setTitle(plot.title)
            _paint(view, drawing, path)
            name_fonts(beside)


@plot_writers.register("pdf")
class PlotPage(PlotWriter):
    """A page of lines and letters, as large as the picture."""

    title: ClassVar[str] = "Page (PDF)"

    def write(self, plot: Plot, path: Path, settings: PictureSettings) -> None:
        """Draw the plot as the window does."""
        from PySide6.QtCore import QMarginsF, QSizeF
        from PySide6.QtGui import QPageSize, QPdfWriter

        view = drawn_view(plot, settings)
        with replacing(path) as beside:
            page = QPdfWriter(str(beside))
            page.setResolution(view.logicalDpiX())  # as for drawings
            points = 72.0 / view.logicalDpiX()
            size = QSizeF(settings.size[0] * points, settings.size[1] * points)
            page.setPageSize(QPageSize(size, QPageSize.Unit.Point))
            page.setPageMargins(QMarginsF(0, 0, 0, 0))
            page.setTitle(plot.title)
            _paint(view, page, path)


def drawn_view(plot: Plot, settings: PictureSettings) -> "PlotView":
    """Return a plot as a widget that no screen shows."""
    start_qt()
    from PySide6.QtWidgets import QApplication

    from faying_app.look.theme import theme
    from faying_app.plotting.view import PlotView

    view = PlotView(dressed_in=theme("dark" if settings.dark else "light"))
    view.resize(*settings.size)
    view.show_plot(plot)
    # Axes lay themselves out when they are drawn and events are worked off: first their width, then their ticks.
    for _ in range(2):
        view.grab()
        QApplication.processEvents()
    return view


def _paint(view: "PlotView", device: "QPaintDevice", path: Path) -> None:
    """Draw a plot on a device that writes the file."""
    from PySide6.QtGui import QPainter

    painter = QPainter()
    if not painter.begin(device):
        raise FayingError(_CANNOT.format(path), "Choose another place.")
    view.widget.render(painter)
    painter.end()
