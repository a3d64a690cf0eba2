"""Frames of a reduced run while they are being corrected on the FE model."""

from typing import Any

import numpy as np

from faying.reduction.body import ReducedBody
from faying.results.results import PartResults, Results


class TrueSoFar:
    """The frames of a reduced run, those that are corrected so far as the FE model has them.

    A frame of the FE model has displacements, gaps and slips, a reduced one coordinates; a field takes what it finds.

    Args:
        reduced: the frames of the run.
        true: their corrections, from the first one on.

    Attributes:
        reduced: see there.
    """

    def __init__(self, reduced: Results | PartResults, true: Results) -> None:
        self.reduced, self._true = reduced, true

    def __getattr__(self, name: str) -> Any:
        """Return what all frames have in common, such as the axis and the curves: that of the run."""
        return getattr(self.reduced, name)

    def is_true(self, frame: int) -> bool:
        """Return whether a frame is corrected already."""
        return 0 <= frame < self._true.n_frames

    def close(self) -> None:
        """Close the files of both."""
        self.reduced.close()
        self._true.close()

    def _of(self, frame: int) -> Results | PartResults:
        return self._true if self.is_true(frame) else self.reduced

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


class TrueOfPart(TrueSoFar):
    """Frames of a flexible part, which move with the part's frame also where that is clamped to no node.

    A correction holds the FE model at a node. Such a frame follows the whole body instead: displacements are then
    moved rigidly until they are nearest to those of the reduced part, in the mean square over the nodes.

    Args:
        reduced: the frames of the part.
        true: their corrections, from the first one on.
        body: the reduced body in the frame of the part.
    """

    def __init__(self, reduced: PartResults, true: Results, body: ReducedBody) -> None:
        super().__init__(reduced, true)
        self._body = body

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return (3 n_nodes,) displacements of a corrected frame in the frame of the part, else None."""
        found = super().displacement(frame)
        coordinates = self.reduced.coordinates(frame)
        if found is None or coordinates is None or self._body.frame:
            return found
        off = (found - self._body.displacements @ coordinates).reshape(-1, 3)
        arms = self._body.nodes - self._body.nodes.mean(axis=0)
        # Normal equations of translation and rotation about the centre of the nodes, which do not depend on each other.
        inertia = (arms**2).sum() * np.eye(3) - arms.T @ arms
        rotation = np.linalg.lstsq(inertia, np.cross(arms, off).sum(axis=0))[0]
        return np.asarray(found - (off.mean(axis=0) + np.cross(rotation, arms)).ravel())
