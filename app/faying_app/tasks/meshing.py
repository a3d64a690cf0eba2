"""A deck that is made beside the window, with a box that shows how far it is and can cancel it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QProgressDialog

from faying.errors import FayingError
from faying.worker.mesh_process import MeshProcess
from faying_app.context import Context

_INTERVAL = 50  # ms


class Meshing(QObject):
    """Waits for a process that makes a deck.

    Args:
        context: what the window works with; its window is the parent.
        process: that makes it.
        label: what it is, for people.
        done: called with a sentence about the deck, if it was made.
    """

    def __init__(
        self, context: Context, process: MeshProcess, label: str, done: Callable[[str], None]
    ) -> None:
        super().__init__(context.window.widget)
        self._context, self._process, self._label, self._done = context, process, label, done
        self.box = QProgressDialog(label, "Cancel", 0, 1000, context.window.widget)
        self.box.setWindowTitle("Mesh a CAD file")
        self.box.setWindowModality(Qt.WindowModality.WindowModal)
        self.box.setMinimumDuration(0)
        self.box.setAutoClose(False)
        self.box.setAutoReset(False)
        self.box.canceled.connect(self._cancel)
        self._timer = QTimer(self, interval=_INTERVAL)
        self._timer.timeout.connect(self._poll)
        self._timer.start()
        self.box.show()

    def _cancel(self) -> None:
        self._process.cancel()
        self.box.setLabelText("Stopping")

    def _poll(self) -> None:
        while (message := self._process.poll()) is not None:
            kind, *words = message
            if kind == "progress":
                fraction, text = words
                if not self.box.wasCanceled():
                    self.box.setValue(round(1000 * fraction))
                    self.box.setLabelText(f"{self._label}: {text}" if text else self._label)
                continue
            self._timer.stop()
            self._process.close()
            self.box.close()
            self.box.deleteLater()
            self.deleteLater()
            if kind == "done":
                self._done(*words)
            elif kind == "failed":
                self._context.show_error(FayingError(*words))
            else:
                self._context.say(f"{self._label}: cancelled.")
            return
