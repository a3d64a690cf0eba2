"""The player: which frame comes next. Results play their frames, mode and operating shapes swing."""

import math
import time

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from faying_app.context import Context

SWING = (0.4, 20.0)  # seconds in which a shape may swing: faster, too few pictures would be seen of it
ANGLES = 48  # of a period, at which a shape that swings is drawn
_TICKS = (16, 40)  # milliseconds between pictures of a swing


class Player(QObject):
    """Advances the view state's frame; for vibrating shapes it emits the phase instead.

    `swung(phase)` is an angle, zero at rest. It skips frames rather than slow down where drawing takes longer.
    """

    swung = Signal(float)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.swings = False
        self._times = np.zeros(0)
        self._first = 0
        self._forward = True
        self._began = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        context.view.playing_changed.connect(self._switch)
        context.view.changed.connect(self._changed)

    @property
    def times(self) -> np.ndarray:
        """Moments of the frames in seconds; empty where they are none. Other ones are played from the present frame."""
        return self._times

    @times.setter
    def times(self, times: np.ndarray) -> None:
        before, self._times = self._times, times
        if not (0 < len(before) <= len(times) and np.array_equal(times[: len(before)], before)):
            self._start_clock()

    def play(self, what: str) -> None:
        """Perform the command of a key or button: "toggle", "first", "previous", "next", "last", "back" and "forward"
        by a tenth, "to_3" to three tenths, "slower", "faster".
        """
        if what in ("slower", "faster"):
            self.change_speed(2.0 if what == "faster" else 0.5)
            return
        view, count = self._context.view, self._context.n_frames
        if not count:
            return
        frame = view.values.frame
        if what == "toggle":
            if (
                not view.playing
                and not self.swings
                and view.values.play_mode == "once"
                and frame == count - 1
            ):
                view.set(frame=0)
            view.set_playing(not view.playing)
            return
        if not self.swings:
            view.set_playing(False)
        places = {"first": 0, "previous": frame - 1, "next": frame + 1, "last": count - 1}
        leap = max(count // 10, 1)
        places |= {"back": frame - leap, "forward": frame + leap}
        places |= {f"to_{tenth}": tenth * (count - 1) // 10 for tenth in range(10)}
        view.set(frame=min(max(places[what], 0), count - 1))

    def change_speed(self, factor: float) -> None:
        """Play faster or slower."""
        values = self._context.view.values
        if self.swings:
            low, high = SWING
            self._context.view.set(swing_seconds=min(max(values.swing_seconds / factor, low), high))
        elif values.time_factor > 0.0:
            self._context.view.set(time_factor=values.time_factor * factor)
            self._switch(self._context.view.playing)  # from the present frame on
        else:
            self._context.view.set(frames_per_second=min(max(values.frames_per_second * factor, 1.0), 100.0))

    def _switch(self, playing: bool) -> None:
        self._forward = True
        self._start_clock()
        if playing:
            self._timer.start(self._interval())
        else:
            self._timer.stop()
            if self.swings:
                self.swung.emit(0.0)

    def _start_clock(self) -> None:
        """Play by the clock from the present frame on."""
        self._began = time.monotonic()
        self._first = min(self._context.view.values.frame, max(len(self.times) - 1, 0))

    def _frame_now(self, count: int) -> tuple[int, bool]:
        """Return the frame that is due by the clock, and whether playing continues."""
        view = self._context.view.values
        start, end = float(self.times[0]), float(self.times[-1])
        passed = view.time_factor * (time.monotonic() - self._began)
        due, going = time_due(float(self.times[self._first]) - start + passed, end - start, view.play_mode)
        return min(int(np.searchsorted(self.times, start + due, side="right")) - 1, count - 1), going

    def _changed(self, name: str) -> None:
        if name in ("frames_per_second", "swing_seconds") and self._timer.isActive():
            self._timer.start(self._interval())

    def _interval(self) -> int:
        values = self._context.view.values
        if self.swings:
            return min(max(round(1000.0 * values.swing_seconds / ANGLES), _TICKS[0]), _TICKS[1])
        return 33 if values.time_factor > 0.0 else max(round(1000 / values.frames_per_second), 10)

    def _tick(self) -> None:
        view, count = self._context.view, self._context.n_frames
        if not count:
            view.set_playing(False)
            return
        if self.swings:
            self.swung.emit(2 * math.pi * (time.monotonic() - self._began) / view.values.swing_seconds)
            return
        if view.values.time_factor > 0.0 and len(self.times) == count > 1:
            frame, going = self._frame_now(count)
        else:
            frame, self._forward, going = next_frame(
                view.values.frame, count, view.values.play_mode, self._forward
            )
        view.set(frame=frame)
        if not going:
            view.set_playing(False)


def time_due(passed: float, length: float, mode: str) -> tuple[float, bool]:
    """Return (time since the first frame, whether playing continues) after some time has passed."""
    if mode == "loop":
        return passed % length, True
    if mode == "swing":
        back = passed % (2 * length)
        return (back if back <= length else 2 * length - back), True
    return min(passed, length), passed < length


def next_frame(frame: int, count: int, mode: str, forward: bool) -> tuple[int, bool, bool]:
    """Return (next frame, whether it goes forward, whether playing continues) of a playing result."""
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
