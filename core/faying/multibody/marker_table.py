"""Markers of several parts as arrays, so that all of them are evaluated in one compiled call."""

from collections.abc import Sequence

import numpy as np

from faying.multibody.connections import Place
from faying.multibody.part import RIGID


class MarkerTable:
    """Markers in their order; attributes are as `faying.multibody.term_kernels.motions` takes them.

    Args:
        places: the markers.
        ranges: of each part's coordinates among all.
    """

    def __init__(self, places: Sequence[Place], ranges: Sequence[slice]) -> None:
        shapes = [place.marker.shape() for place in places]
        own = [ranges[place.part] for place in places]
        self.starts = np.array([at.start for at in own], dtype=np.int64)
        self.sizes = np.array([at.stop - at.start for at in own], dtype=np.int64)
        width = max(0, int(self.sizes.max(initial=0)) - RIGID)
        self.places = np.array([shape.place for shape in shapes], float).reshape(-1, 3)
        self.axes = np.array([shape.axes for shape in shapes], float).reshape(-1, 3, 3)
        self.displacements, self.rotations = np.zeros((2, len(shapes), 3, width))
        for k, shape in enumerate(shapes):
            self.displacements[k, :, : shape.displacements.shape[1]] = shape.displacements
            self.rotations[k, :, : shape.rotations.shape[1]] = shape.rotations
        self.deforming = np.array([[s.displacements.size > 0, s.rotations.size > 0] for s in shapes], bool)
        self.deforming = self.deforming.reshape(-1, 2)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """Return all attributes, each in its shape, in the kernel's order."""
        return (
            self.starts, self.sizes, self.places, self.axes, self.displacements, self.rotations, self.deforming,
        )  # fmt: skip
