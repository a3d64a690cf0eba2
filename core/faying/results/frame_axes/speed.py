"""Frames at speeds of rotation: a rotor that runs faster and faster."""

from faying.results.curve_key import CurveKey
from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import RunFrames, value_at
from faying.units import UnitSystemName, plain_number, unit_text


@frame_axes.register("speed")
class SpeedAxis(FrameAxis):
    """Angular speeds of a drive; each frame has the shapes of several modes."""

    title = "Speed of rotation"
    quantity = "angular_velocity"
    swings = True
    has_size = False
    has_contact = False
    first_curves = ("natural frequency", "excitation frequency")

    def label(self, results: RunFrames, frame: int) -> str:
        """Return the speed; its unit is not known here."""
        return f"speed {value_at(results, frame):.4g}"

    def shape_text(self, results: RunFrames, frame: int, shape: int, units: UnitSystemName) -> str:
        """Return the number of the mode, and its frequency at the speed."""
        name = f"mode {shape + 1}"
        key = CurveKey("natural frequency", "frequency", place=name)
        if key not in results.curve_texts:
            return ""
        return f"{name}, {plain_number(results.curve_at(key, frame), 4)} {unit_text('frequency', units)}"
