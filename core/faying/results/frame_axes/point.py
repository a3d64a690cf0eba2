"""Frames that are the points of a study: of a sweep, of a convergence study."""

from faying.results.frame_axes import FrameAxis, frame_axes


@frame_axes.register("point")
class PointAxis(FrameAxis):
    """Points of a study."""

    title = "Point of the study"
    long_labels = True
