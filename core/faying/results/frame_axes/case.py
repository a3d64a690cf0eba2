"""Frames of several load cases."""

import numpy as np

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames
from faying.units import UnitSystemName


@frame_axes.register("case")
class CaseAxis(FrameAxis):
    """Load cases: of an envelope, of combinations."""

    title = "Load case"
    several_cases = True
    discrete = True

    def moment(self, results: RunFrames, frame: int, units: UnitSystemName) -> str:
        """Return the case, also of the last frame: no case is the end of the others."""
        return results.label(frame)

    def table_frames(self, results: RunFrames, force: np.ndarray) -> list[tuple[int, str]]:
        """Return every frame."""
        return [(i, results.label(i)) for i in range(results.n_frames)]
