"""A box that appears when matching or drawing takes its time, and lets one cancel."""

import time
from typing import Any

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget

from faying.errors import Cancelled

_PATIENCE = 0.6  # seconds
_PAUSE = 0.05


class Patience:
    """A progress for work of seconds in the window's own thread: many short steps, each of which reports."""

    def __init__(self, label: str, parent: QWidget) -> None:
        self._label, self._parent = label, parent
        self._box: QProgressDialog | None = None
        self._begin = self._last = time.monotonic()

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Keep the window alive; raises Cancelled when the box was cancelled."""
        now = time.monotonic()
        if now - self._last < _PAUSE or now - self._begin < _PATIENCE:
            return
        self._last = now
        if self._box is None:
            self._box = QProgressDialog(self._label, "Cancel", 0, 0, self._parent)
            self._box.setWindowModality(Qt.WindowModality.WindowModal)
            self._box.setMinimumDuration(0)
            self._box.show()
        self._box.setLabelText(text or self._label)
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        if self._box.wasCanceled():
            raise Cancelled

    def __enter__(self) -> "Patience":
        return self

    def __exit__(self, *error: object) -> None:
        if self._box is not None:
            self._box.close()
            self._box.deleteLater()
