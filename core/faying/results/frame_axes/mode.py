"""Frames that are mode shapes, each with its frequency."""

from faying.results.frame_axes import FrameAxis, frame_axes
from faying.results.frame_axis import NamedFrames
from faying.units import UnitSystemName, plain_number, unit_text


@frame_axes.register("mode")
class ModeAxis(FrameAxis):
    """Mode shapes."""

    title = "Frequency"
    quantity = "frequency"
    of_frame = "mode"
    first_number = 1
    swings = True
    discrete = True
    has_size = False
    has_contact = False
    first_curves = ("effective mass", "kinetic energy")

    def label_with_unit(self, frames: NamedFrames, frame: int, units: UnitSystemName) -> str:
        """Return the mode's name and its frequency, where it has one."""
        value = float(frames.values[frame])
        if value <= 0.0:
            return frames.label(frame)
        return f"{frames.label(frame)}, {plain_number(value)} {unit_text('frequency', units)}"
