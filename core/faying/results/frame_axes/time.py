"""Frames at moments of a motion."""

import numpy as np

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at
from faying.units import UnitSystemName, unit_text


@frame_axes.register("time")
class TimeAxis(FrameAxis):
    """Moments of a motion."""

    quantity = "time"
    in_time = True
    follows = True
    views = ("values", "hysteresis", "envelope", "spectrum", "orders", "decay")

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the time; its unit is not known here."""
        return f"t = {value_at(results, frame):.6g}"

    def moment(self, results: RunFrames, frame: int, units: UnitSystemName) -> str:
        """Return the time with four digits; "" at the end of the run."""
        if frame == results.n_frames - 1:
            return ""
        return f"t = {value_at(results, frame):.4g} {unit_text('time', units)}"

    def table_frames(self, results: RunFrames, force: np.ndarray) -> list[tuple[int, str]]:
        """Return the moment at which the force is largest."""
        most = int(np.argmax(np.linalg.norm(np.nan_to_num(force), axis=0)))
        return [(most, f"largest force, {results.label(most)}")]
