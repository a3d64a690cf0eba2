"""The flanks of gears unrolled, as the report and `faying export --table flanks` draw them."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from faying.atomic import write_text
from faying.errors import ModelError
from faying.exporters.flank_picture import flank_picture
from faying.results.run_tables import Table
from faying.units import UnitSystemName
from faying_app.context import Context
from faying_app.look.theme import current_theme
from faying_app.output_file import ask_for_output, writing

_LARGEST = 1.6  # times its own size: larger letters say no more
_MOST_ACROSS = 4
_COPIED = 2.0  # times its own size


class FlankView(QWidget):
    """Paints the drawing as large as there is room, in the colours of the theme.

    Args:
        context: of the window.
        parent: the widget around.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._table: Table = ()
        self._units: UnitSystemName = "mm-t-s"
        self._across = 1
        self._drawing = QSvgRenderer(self)
        self.setAccessibleName("Contact pattern")
        self.setAutoFillBackground(True)

    def show_table(self, table: Table, units: UnitSystemName) -> bool:
        """Draw the flanks of a table; return whether any of them carried contact pressure."""
        self._table, self._units = table, units
        drawn = self.apply_theme()
        if drawn:
            self._lay_out()
        return drawn

    def apply_theme(self) -> bool:
        """Redraw in the colours of the theme; return whether there is something to draw."""
        try:
            text = self._text(dark=current_theme().dark, across=self._across)
        except ModelError:
            text = ""
        self._drawing.load(text.encode())
        self.update()
        return bool(text)

    def sizeHint(self) -> QSize:
        """Return the size of the drawing."""
        return self._drawing.defaultSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the drawing at the upper left."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), current_theme().colour("base"))
        own = self._drawing.defaultSize()
        if own.isEmpty():
            return
        scale = min(self.width() / own.width(), self.height() / own.height(), _LARGEST)
        self._drawing.render(painter, QRectF(0.0, 0.0, scale * own.width(), scale * own.height()))
        painter.end()

    def copy(self) -> None:
        """Put the drawing on the clipboard as a picture on white."""
        drawing = QSvgRenderer(self._text(dark=False).encode())
        picture = QImage(drawing.defaultSize() * _COPIED, QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        drawing.render(painter)
        painter.end()
        QGuiApplication.clipboard().setImage(picture)
        self._context.say("Copied the drawing.")

    def export(self) -> None:
        """Ask for a file and write the drawing there, on white."""
        path = ask_for_output(
            self._context, "Save drawing", "contact pattern", [("Drawings", (".svg",))], parent=self
        )
        if path is not None:
            with writing(self._context, path):
                write_text(path, self._text(dark=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the flanks in as many columns as make them largest."""
        if self._drawing.isValid():
            self._lay_out()

    def _lay_out(self) -> None:
        sizes = {}
        for across in range(1, _MOST_ACROSS + 1):
            own = QSvgRenderer(self._text(dark=False, across=across).encode()).defaultSize()
            sizes[across] = min(self.width() / own.width(), self.height() / own.height(), _LARGEST)
        best = max(sizes, key=lambda across: (sizes[across], -across))
        if best != self._across:
            self._across = best
            self.apply_theme()

    def _text(self, *, dark: bool, across: int = 1) -> str:
        return flank_picture(self._table, self._units, dark=dark, across=across)
