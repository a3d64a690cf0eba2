"""Frames at speeds of rotation: a rotor that runs faster and faster."""

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at


@frame_axes.register("speed")
class SpeedAxis(FrameAxis):
    """Angular speeds of a drive."""

    title = "Speed of rotation"
    quantity = "angular_velocity"
    has_contact = False
    first_curves = ("natural frequency", "excitation frequency")

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the speed; its unit is not known here."""
        return f"speed {value_at(results, frame):.4g}"
