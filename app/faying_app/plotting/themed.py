"""A base for widgets that draw their colours themselves and still follow the application's theme."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from faying_app.look.theme import Theme, current_theme


class ThemedWidget(QWidget):
    """A widget that is drawn again when the theme changes: at once where it is seen, else when it is shown.

    Args:
        parent: the widget around it.
        kept: a theme to keep; None follows the application's.
    """

    def __init__(self, parent: QWidget | None = None, kept: Theme | None = None) -> None:
        super().__init__(parent)
        self._kept = kept
        self._worn: Theme | None = None

    @property
    def theme(self) -> Theme:
        """What it is drawn in."""
        return self._kept or current_theme()

    def apply_theme(self) -> None:
        """Draw everything in the theme's colours."""
        self._worn = self.theme

    def changeEvent(self, event: QEvent) -> None:
        """Follow the application's theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_theme()

    def showEvent(self, event: QShowEvent) -> None:
        """Apply a theme that was chosen while the widget was hidden."""
        super().showEvent(event)
        self._follow_theme()

    def _follow_theme(self) -> None:
        if self.isVisible() and self._worn is not self.theme:
            self.apply_theme()
