"""Files that the desktop asks a running Faying to open: macOS sends an event, where others start the program again."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent


class OpenedFiles(QObject):
    """Passes the path of each file on, once it watches the application.

    Args:
        open_path: opens one.
        parent: what it belongs to.
    """

    def __init__(self, open_path: Callable[[Path], None], parent: QObject) -> None:
        super().__init__(parent)
        self._open_path = open_path

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open what the event names."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self._open_path(Path(event.file()))
            return True
        return super().eventFilter(watched, event)
