"""The band at the top of a picture: a title at the left, a logo at the right."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QImageReader, QPainter

from faying.errors import FayingError
from faying.exporters.content import FontName
from faying_app.scene.actors import font_file
from faying_app.scene.colours import SceneTheme
from faying_app.scene.curve_strip import pixels_of
from faying_app.without_screen import start_qt

_TITLE, _MARGIN = 19.0, 12.0  # design pixels


def qt_family(name: FontName, *, bold: bool = False) -> str:
    """Return what Qt calls the font that the 3D view writes with; "" where there is none."""
    file = font_file(bold, name)
    number = QFontDatabase.addApplicationFont(file) if file else -1
    found = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return found[0] if found else ""


def read_logo(path: str, height: int) -> QImage:
    """Return the picture in a file, so many pixels high; lines and curves are drawn at that size.

    Raises:
        FayingError: when there is no picture in it.
    """
    reader = QImageReader(path)
    size = reader.size()
    if size.isValid() and size.height():
        size.scale(8 * height, height, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(size)
    found = reader.read()
    if found.isNull():
        why = "There is no such file." if not Path(path).is_file() else "Choose a .png, .jpg or .svg."
        raise FayingError(f"The logo {path} cannot be read.", why)
    return found


def head_picture(
    size: tuple[int, int], scale: float, title: str, logo: str, theme: SceneTheme, *,
    font: FontName = "sans", transparent: bool = False,
) -> np.ndarray:  # fmt: skip
    """Return (height, width, 4) bytes of the band.

    Args:
        size: width and height in pixels.
        scale: pixels per design pixel.
        title: what stands at the left; too long a one ends with an ellipsis.
        logo: file of the picture at the right, "" for none.
        theme: the colours.
        font: of the title.
        transparent: whether it has no background.

    Raises:
        FayingError: when the logo cannot be read.
    """
    start_qt()
    width, height = size
    margin, right = _MARGIN * scale, float(width) - _MARGIN * scale
    # Before anything is painted: an error would leave a painter on a picture that is gone.
    picture = read_logo(logo, max(round(height - 1.2 * margin), 1)) if logo else None
    drawn = QImage(width, height, QImage.Format.Format_RGBA8888)
    drawn.fill(QColor(0, 0, 0, 0) if transparent else QColor(theme.background_top))
    painter = QPainter(drawn)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    if picture is not None:
        right -= picture.width()
        painter.drawImage(
            QRectF(right, (height - picture.height()) / 2, picture.width(), picture.height()), picture
        )
        right -= margin
    letters = QFont(qt_family(font, bold=True))
    letters.setBold(True)
    letters.setPixelSize(max(round(_TITLE * scale), 6))
    painter.setFont(letters)
    painter.setPen(QColor(theme.text))
    room = QRectF(margin, 0.0, max(right - margin, 1.0), height)
    shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(room.width()))
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    painter.end()
    return pixels_of(drawn)
