"""Signals that ask the program to end: Ctrl-C in its terminal, SIGTERM, and SIGHUP when the terminal is closed."""

import signal
import socket
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # the last is not there on Windows


class EndingSignals(QObject):
    """Tells of them in the window's thread, until `remove`; those that are ignored (nohup) stay so.

    `asked(name)` is emitted with the signal's name. Python's own handlers run between two instructions of Python, and
    while Qt waits there are none: what wakes Qt is a socket that the interpreter writes to.
    """

    asked = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._tell)
        self._former_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        numbers = (getattr(signal, name) for name in _NAMES if hasattr(signal, name))
        self._former: dict[Any, Any] = {
            number: signal.signal(number, lambda *_: None)
            for number in numbers
            if signal.getsignal(number) is not signal.SIG_IGN
        }

    def remove(self) -> None:
        """Put the former handlers back."""
        signal.set_wakeup_fd(self._former_fd)
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()

    def _tell(self) -> None:
        for number in self._read.recv(64):
            if number in self._former:
                self.asked.emit(signal.Signals(number).name)
