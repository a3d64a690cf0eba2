"""Frames that are shapes of bases which a study compares."""

from faying.results.frame_axes import FrameAxis, frame_axes


@frame_axes.register("shape")
class ShapeAxis(FrameAxis):
    """Shapes of a study of bases."""

    title = "Basis of the study"
    long_labels = True
