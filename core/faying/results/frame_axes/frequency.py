"""Frames at frequencies: harmonic motions about an equilibrium."""

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at


@frame_axes.register("frequency")
class FrequencyAxis(FrameAxis):
    """Operating shapes."""

    quantity = "frequency"
    swings = True
    has_contact = False
    views = ("values", "bode", "nyquist")

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the frequency; its unit is not known here."""
        return f"f = {value_at(results, frame):.6g}"
