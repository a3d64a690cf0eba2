"""Frames of a reduced run while they are being corrected on the FE model."""

from typing import Any

import numpy as np

from faying.results.results import Results


class TrueSoFar:
    """The frames of a reduced run, those that are corrected so far as the FE model has them.

    A frame of the FE model has displacements, gaps and slips, a reduced one coordinates; a field takes what it finds.

    Args:
        reduced: the frames of the run.
        true: their corrections, from the first one on.
    """

    def __init__(self, reduced: Results, true: Results) -> None:
        self._reduced, self._true = reduced, true

    def __getattr__(self, name: str) -> Any:
        """Return what all frames have in common, such as the axis and the curves: that of the run."""
        return getattr(self._reduced, name)

    def is_true(self, frame: int) -> bool:
        """Return whether a frame is corrected already."""
        return 0 <= frame < self._true.n_frames

    def _of(self, frame: int) -> Results:
        return self._true if self.is_true(frame) else self._reduced

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return (r,) coordinates of a reduced frame, else None."""
        return self._of(frame).coordinates(frame)

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return (3 n_nodes,) displacements of a corrected frame, else None."""
        return self._of(frame).displacement(frame)

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return gaps (n,) and slips (n, 2) of a corrected frame, else None."""
        return self._of(frame).gap_and_slip(joint, frame)

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs, h) committed friction history of a joint, None without friction."""
        return self._of(frame).history(joint, frame)

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs,) offsets to subtract from the gaps before the contact law; None without hard contact."""
        return self._of(frame).gap_offset(joint, frame)
