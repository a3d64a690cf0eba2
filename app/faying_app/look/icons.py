"""Icons: one-colour line drawings from `faying_resources/icons`, drawn in the colours of the theme."""

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from faying_app.look.theme import current_theme

_SIZES = (16, 20, 24, 32, 48, 64)


def icon(name: str, purpose: str = "icon") -> QIcon:
    """Return an icon in the current theme.

    Args:
        name: file name in the resources, without its ending; "" gives an empty icon.
        purpose: which of the theme's colours it is drawn in.
    """
    if not name:
        return QIcon()
    theme = current_theme()
    return _icon(name, theme[purpose], theme["disabled"])


def application_icon() -> QIcon:
    """Return the program's own icon, in colour."""
    return _icon("faying", "#000000", "#000000")


def pixmap(name: str, size: int, purpose: str = "icon", ratio: float = 1.0) -> QPixmap:
    """Return one picture of an icon, `size` logical pixels wide on a screen of that pixel ratio."""
    drawn = _draw(_source(name), current_theme()[purpose], round(size * ratio))
    drawn.setDevicePixelRatio(ratio)
    return drawn


@cache
def _source(name: str) -> str:
    return (files("faying_resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def _icon(name: str, colour: str, faded: str) -> QIcon:
    made, source = QIcon(), _source(name)
    for size in _SIZES:
        made.addPixmap(_draw(source, colour, size), QIcon.Mode.Normal)
        made.addPixmap(_draw(source, colour, size), QIcon.Mode.Selected)
        made.addPixmap(_draw(source, faded, size), QIcon.Mode.Disabled)
    return made


def _draw(source: str, colour: str, size: int) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture
