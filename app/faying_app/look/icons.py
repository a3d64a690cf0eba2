"""Icons: one-colour line drawings from `faying_resources/icons`, drawn in the colours of the theme."""

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from faying_app.look.theme import current_theme

_SIZES = (16, 20, 32, 40)  # of menus and toolbar, on screens of one and two pixels per point


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


@cache
def application_icon() -> QIcon:
    """Return the program's own icon, in colour."""
    made, drawn = QIcon(), _renderer("faying", "#000000")
    for size in (16, 32, 48, 64, 128):
        made.addPixmap(_picture(drawn, size))
    return made


def pixmap(name: str, size: int, purpose: str = "icon", ratio: float = 1.0) -> QPixmap:
    """Return one picture of an icon, `size` logical pixels wide on a screen of that pixel ratio."""
    drawn = _picture(_renderer(name, current_theme()[purpose]), round(size * ratio))
    drawn.setDevicePixelRatio(ratio)
    return drawn


@cache
def _source(name: str) -> str:
    return (files("faying_resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def _icon(name: str, colour: str, faded: str) -> QIcon:
    made = QIcon()
    usual, disabled = (_renderer(name, each) for each in (colour, faded))
    for size in _SIZES:
        picture = _picture(usual, size)
        made.addPixmap(picture, QIcon.Mode.Normal)
        made.addPixmap(picture, QIcon.Mode.Selected)  # else Qt tints it
        made.addPixmap(_picture(disabled, size), QIcon.Mode.Disabled)
    return made


def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def _picture(renderer: QSvgRenderer, size: int) -> QPixmap:
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture
