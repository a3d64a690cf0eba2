"""Frames over their period: mode shapes, operating shapes, periodic motions."""

import math

import numpy as np

from faying.joints.fourier import functions_at
from faying.results.results import FrameSource, PartResults


class SwungFrames:
    """Frames of another source at an angle θ of their period; zero is the instant that is stored.

    A mode shape is multiplied by cos θ. An operating shape u is u cos θ + v sin θ, with v a quarter of a period later.
    A periodic motion is the sum of its harmonics.
    """

    def __init__(self, source: FrameSource, angle: float) -> None:
        self._source, self._now, self._later = source, math.cos(angle), math.sin(angle)
        self._angle = angle
        self.axis, self.n_frames, self.warnings = source.axis, source.n_frames, source.warnings

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) as in the source."""
        return self._source.values

    def label(self, frame: int) -> str:
        """Return what the source calls the frame."""
        return self._source.label(frame)

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return the source's coordinates at the angle."""
        if (period := self._source.period(frame)) is not None:
            return np.asarray(functions_at(self._angle, len(period)) @ period)
        found, later = self._source.coordinates(frame), self._source.quadrature(frame)
        if found is None or later is None:
            return None if found is None else found * self._now
        return found * self._now + later * self._later

    def velocities(self, frame: int) -> np.ndarray | None:
        """Return None: shapes do not move."""
        return None

    def quadrature(self, frame: int) -> np.ndarray | None:
        """Return the source's coordinates a quarter of a period after the angle."""
        found, later = self._source.coordinates(frame), self._source.quadrature(frame)
        return None if found is None or later is None else later * self._now - found * self._later

    def period(self, frame: int) -> np.ndarray | None:
        """Return the source's coefficients."""
        return self._source.period(frame)

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return the source's displacements times the cosine."""
        found = self._source.displacement(frame)
        return None if found is None else found * self._now

    def stresses(self, frame: int) -> np.ndarray | None:
        """Return the source's stresses times the cosine."""
        found = self._source.stresses(frame)
        return None if found is None else found * self._now

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return the source's friction history; None in a periodic motion, where it is that of another instant."""
        return None if self._source.period(frame) is not None else self._source.history(joint, frame)

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the source's gaps and slips."""
        return self._source.gap_and_slip(joint, frame)

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return the source's gap offset."""
        return self._source.gap_offset(joint, frame)

    def cycle_work(self, joint: str, frame: int) -> np.ndarray | None:
        """Return the source's work of friction in a period."""
        return self._source.cycle_work(joint, frame)

    def temperatures(self, frame: int) -> np.ndarray | None:
        """Return None: modes have the temperature of the body at rest."""
        return None


class SwungPart(SwungFrames):
    """Frames of a part of a system at an angle of their period: it swings about a state that it is deformed in."""

    def __init__(self, source: PartResults, angle: float) -> None:
        super().__init__(source, angle)
        self._part = source

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return the part's coordinates at the angle."""
        period, state = self._part.period(frame), self._part.state
        if period is not None and state is not None:
            return np.asarray(state[7:] + functions_at(self._angle, len(period)) @ period[:, 6:])
        return self._swung(frame, self._now, self._later)

    def quadrature(self, frame: int) -> np.ndarray | None:
        """Return the part's coordinates a quarter of a period after the angle."""
        return self._swung(frame, -self._later, self._now)

    def _swung(self, frame: int, now: float, later: float) -> np.ndarray | None:
        state, swing = self._part.state, self._part.swing(frame)
        if state is None or swing is None:
            return self._part.coordinates(frame)
        return np.asarray(state[7:] + now * swing[0, 6:] + later * swing[1, 6:])
