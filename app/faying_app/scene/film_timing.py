"""Which frame, at which angle of its period and of the camera, each picture of a film shows."""

from dataclasses import dataclass

import numpy as np

from faying.exporters import ExportContent, ExportSettings
from faying.results.results import swings as over_period

# A mode swings once in this many pictures.
_PICTURES_PER_SWING = 24


@dataclass(frozen=True)
class Shot:
    """One picture of a film.

    Attributes:
        frame: its number.
        phase: angle of the period at which a shape that swings is shown.
        turned: degrees that the camera has gone round the model.
    """

    frame: int
    phase: float = 0.0
    turned: float = 0.0


def shots_of(content: ExportContent, settings: ExportSettings) -> list[Shot]:
    """Return every picture of a film: results play, mode shapes and a single operating shape swing."""
    once = _swung(settings) if swings(content, settings) else _played(content, settings)
    every = once * max(settings.repeat, 1)
    # The last picture of a whole turn is one step short of the first one: in a loop none is seen twice.
    step = settings.turn / max(len(every), 1)
    return [Shot(frame, phase, step * i) for i, (frame, phase) in enumerate(every)]


def swings(content: ExportContent, settings: ExportSettings) -> bool:
    """Return whether the frames are shown over their period: modes, or a single operating shape or periodic motion."""
    frames = content.context.frames
    return over_period(frames) and (not frames.axis.has_size or len(settings.frames) == 1)


def _swung(settings: ExportSettings) -> list[tuple[int, float]]:
    """Return whole swings of each frame, as many as come next to the wanted length."""
    swings = max(round(settings.seconds * settings.frames_per_second / _PICTURES_PER_SWING), 1)
    per_swing = _PICTURES_PER_SWING
    if settings.seconds:
        per_swing = max(round(settings.seconds * settings.frames_per_second / swings), 4)
    # From rest: a quarter of a period before the instant that is stored.
    phases = 2.0 * np.pi * (np.arange(swings * per_swing) / per_swing - 0.25)
    return [(frame, float(phase)) for frame in settings.frames for phase in phases]


def _played(content: ExportContent, settings: ExportSettings) -> list[tuple[int, float]]:
    """Return the chosen frames, or with a length the last one before each of its evenly spread moments.

    A film that goes back and forth has that length for both ways together.
    """
    frames, back = np.array(settings.frames, np.int64), settings.play == "swing"
    count = round(settings.seconds * settings.frames_per_second)
    if not count:
        shown = np.concatenate([frames, frames[-2:0:-1]]) if back else frames
        return [(int(frame), 0.0) for frame in shown]
    places = np.arange(len(frames), dtype=float)
    if content.context.frames.axis.in_time:
        times = np.asarray(content.context.frames.values, float)[frames]
        if (np.diff(times) > 0.0).all():  # chosen backwards, they are taken one by one
            places = times
    shares = 1.0 - np.abs(1.0 - 2.0 * np.arange(count) / count) if back else np.linspace(0.0, 1.0, count)
    length = places[-1] - places[0]
    found = np.searchsorted(places, places[0] + length * shares + 1e-9 * length, side="right") - 1
    return [(int(frame), 0.0) for frame in frames[np.clip(found, 0, len(frames) - 1)]]
