"""The splash: the program's name and icon, on the screen while the window loads."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QSplashScreen

from faying.version import __version__
from faying_app.look.icons import application_icon

_WIDTH, _HEIGHT = 420, 150


def splash() -> QSplashScreen:
    """Return the splash, to be shown and finished."""
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    picture = QPixmap(round(_WIDTH * ratio), round(_HEIGHT * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(QColor("#1f2933"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    application_icon().paint(painter, 28, 39, 72, 72)
    painter.setPen(QColor("#ffffff"))
    font = QFont(painter.font())
    font.setPointSizeF(20.0)
    painter.setFont(font)
    painter.drawText(QRectF(124, 36, 280, 36), Qt.AlignmentFlag.AlignVCenter, "Faying")
    font.setPointSizeF(9.0)
    painter.setFont(font)
    painter.setPen(QColor("#c4cdd5"))
    painter.drawText(
        QRectF(124, 74, 290, 40), f"Contact and friction inside jointed flexible bodies\n{__version__}"
    )
    painter.end()
    return QSplashScreen(picture)
