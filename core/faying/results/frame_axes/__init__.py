"""Axes of frames by kind. A member is one file, with all the properties of frames of its kind."""

from faying.registry import Registry
from faying.results.frame_axis import FrameAxis

__all__ = ["FrameAxis", "frame_axes", "frame_axis"]

frame_axes: Registry[type[FrameAxis]] = Registry("axis of frames", __name__)


def frame_axis(kind: str) -> FrameAxis:
    """Return the axis of a kind.

    Raises:
        ModelError: for an unknown kind.
    """
    return frame_axes[kind]()
