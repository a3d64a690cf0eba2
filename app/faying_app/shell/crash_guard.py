"""One place for uncaught exceptions of any thread: into the log, and one dialog at a time.

Errors that the user can understand and fix (such as a damaged frame) are shown as a sentence only.
"""

import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from faying.errors import FayingError
from faying_app.shell.problem_dialog import show_problem

log = logging.getLogger(__name__)


class CrashGuard(QObject):
    """Installs itself as the hook for uncaught exceptions until `remove`.

    `caught(error, traceback, key)` is emitted in the failing thread and handled in the window's.
    """

    caught = Signal(object, str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._seen: set[Any] = set()
        self._open = False
        self._former = sys.excepthook, threading.excepthook
        self.caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._hook
        threading.excepthook = self._thread_hook

    def remove(self) -> None:
        """Put the former hooks back."""
        sys.excepthook, threading.excepthook = self._former

    def _thread_hook(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._hook(args.exc_type, args.exc_value, args.exc_traceback)

    def _hook(self, kind: type[BaseException], error: BaseException, place: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._former[0](kind, error, place)
            return
        text = "".join(traceback.format_exception(kind, error, place))
        log.error("uncaught: %s", text)
        where = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(place)[-1:]]
        # Many files can be damaged; the same place then reports a different sentence for each.
        self.caught.emit(error, text, (kind, *where, str(error) if isinstance(error, FayingError) else ""))

    @Slot(object, str, object)
    def _show(self, error: BaseException, text: str, key: object) -> None:
        if self._open or key in self._seen:  # a failing paintEvent repeats at every frame
            return
        self._open = True
        self._seen.add(key)
        if isinstance(error, FayingError):
            show_problem(error, "", self._window).finished.connect(self._closed)
            return
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Critical)
        box.setWindowTitle("Unexpected error")
        box.setText(
            "Something went wrong inside the program. Your project is safe; you can continue or save it."
        )
        box.setInformativeText(f"{type(error).__name__}: {error}")
        box.setDetailedText(text)
        box.finished.connect(self._closed)
        box.open()

    @Slot(int)
    def _closed(self, _result: int) -> None:
        self._open = False
