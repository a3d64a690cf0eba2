"""Cyclic garbage collection in the thread of the window alone."""

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL = 200  # milliseconds


class GarbageCollector(QObject):
    """Collects garbage as Python would, but from a timer of the thread that it is made in.

    Python collects in whichever thread happens to make objects. A thread that reads frames ahead could so destroy
    widgets and what belongs to OpenGL, which only the window's thread may touch.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect the oldest generation whose count is over its threshold, if any is."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if thresholds[generation] and counts[generation] > thresholds[generation]:
                gc.collect(generation)
                return

    def stop(self) -> None:
        """Let Python collect by itself again."""
        self._timer.stop()
        gc.enable()
