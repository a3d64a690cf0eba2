"""Frames of a mode shape that swings."""

import numpy as np

from faying.results.results import FrameSource


class SwungFrames:
    """Frames of another source with all coordinates multiplied by a factor: a mode shape that swings."""

    def __init__(self, source: FrameSource, factor: float) -> None:
        self._source, self._factor = source, factor
        self.axis, self.n_frames, self.doubts = source.axis, source.n_frames, source.doubts

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) as in the source."""
        return self._source.values

    def label(self, frame: int) -> str:
        """Return what the source calls the frame."""
        return self._source.label(frame)

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return the source's coordinates times the factor."""
        found = self._source.coordinates(frame)
        return None if found is None else found * self._factor

    def velocities(self, frame: int) -> np.ndarray | None:
        """Return None: modes do not move."""
        return None

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return the source's displacements times the factor."""
        found = self._source.displacement(frame)
        return None if found is None else found * self._factor

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return the source's friction history."""
        return self._source.history(joint, frame)

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the source's gaps and slips."""
        return self._source.gap_and_slip(joint, frame)

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return the source's gap offset."""
        return self._source.gap_offset(joint, frame)
