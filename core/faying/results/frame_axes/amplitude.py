"""Frames at amplitudes of a point: vibration in one mode, from small to large."""

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at


@frame_axes.register("amplitude")
class AmplitudeAxis(FrameAxis):
    """Amplitudes of a nonlinear vibration."""

    title = "Amplitude"
    quantity = "length"
    logarithmic = True
    first_curves = ("natural frequency", "damping by friction", "damping ratio")

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the amplitude; its unit is not known here."""
        return f"amplitude {value_at(results, frame):.4g}"
