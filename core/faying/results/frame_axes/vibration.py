"""Frames along a curve of periodic motions over frequency, which may turn back."""

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at


@frame_axes.register("vibration")
class VibrationAxis(FrameAxis):
    """Periodic motions of finite size."""

    title = "Frequency"
    quantity = "frequency"
    of_frame = "point"
    long_labels = True

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the frequency; its unit is not known here."""
        return f"f = {value_at(results, frame):.6g}"
