"""Frames along a growing load."""

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at
from faying.units import UnitSystemName


@frame_axes.register("load")
class LoadAxis(FrameAxis):
    """Shares of a load."""

    title = "Load factor"
    follows = True
    views = ("values", "hysteresis")

    def moment(self, results: RunFrames, frame: int, units: UnitSystemName) -> str:
        """Return the share in per cent; "" at the full load."""
        if frame == results.n_frames - 1:
            return ""
        return f"{100.0 * value_at(results, frame):.0f} % of the load"
