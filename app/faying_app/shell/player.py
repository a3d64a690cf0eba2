"""The player: which frame comes next. Results play their frames, mode shapes swing."""

import math
import time

from PySide6.QtCore import QObject, QTimer, Signal

from faying_app.context import Context

# A mode shape swings once in so many seconds at 20 frames per second.
_SWING_SECONDS = 1.6


class Player(QObject):
    """Moves the view state's frame; for mode shapes it tells the phase instead.

    `swung(phase)` is -1 … 1. It skips frames rather than slow down where drawing takes longer.
    """

    swung = Signal(float)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.is_mode = False
        self._forward = True
        self._began = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        context.view.playing_changed.connect(self._switch)
        context.view.changed.connect(self._changed)

    def play(self, what: str) -> None:
        """Do what a key or button says: "toggle", "first", "previous", "next", "last"."""
        view, count = self._context.view, self._context.n_frames
        if not count:
            return
        frame = view.values.frame
        if what == "toggle":
            if (
                not view.playing
                and not self.is_mode
                and view.values.play_mode == "once"
                and frame == count - 1
            ):
                view.set(frame=0)
            view.set_playing(not view.playing)
            return
        if not self.is_mode:
            view.set_playing(False)
        places = {"first": 0, "previous": frame - 1, "next": frame + 1, "last": count - 1}
        view.set(frame=min(max(places[what], 0), count - 1))

    def _switch(self, playing: bool) -> None:
        self._forward, self._began = True, time.monotonic()
        if playing:
            self._timer.start(self._interval())
        else:
            self._timer.stop()
            if self.is_mode:
                self.swung.emit(1.0)

    def _changed(self, name: str) -> None:
        if name == "frames_per_second" and self._timer.isActive():
            self._timer.start(self._interval())

    def _interval(self) -> int:
        speed = self._context.view.values.frames_per_second
        return 40 if self.is_mode else max(round(1000 / speed), 10)

    def _tick(self) -> None:
        view, count = self._context.view, self._context.n_frames
        if not count:
            view.set_playing(False)
            return
        if self.is_mode:
            speed = view.values.frames_per_second / 20.0
            self.swung.emit(math.cos(2 * math.pi * speed * (time.monotonic() - self._began) / _SWING_SECONDS))
            return
        frame, self._forward, going = next_frame(
            view.values.frame, count, view.values.play_mode, self._forward
        )
        view.set(frame=frame)
        if not going:
            view.set_playing(False)


def next_frame(frame: int, count: int, mode: str, forward: bool) -> tuple[int, bool, bool]:
    """Return (next frame, whether it goes forward, whether it goes on) of a playing result."""
    if count < 2:
        return 0, True, False
    if mode == "swing":
        step = 1 if forward else -1
        if not 0 <= frame + step < count:
            step = -step
        return frame + step, step > 0, True
    if frame + 1 < count:
        return frame + 1, True, True
    return (0, True, True) if mode == "loop" else (frame, True, False)
