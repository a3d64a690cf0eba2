"""Markers as arrays, so that all of them are evaluated in one call."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from faying.multibody.block_matrix import square
from faying.multibody.markers import MarkerShape
from faying.multibody.part import RIGID
from faying.multibody.tangent_kernels import write_curvatures, write_rigid_curvatures
from faying.multibody.term_kernels import write_motions

Space = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class MarkerTable:
    """Markers in their order; attributes are as `faying.multibody.term_kernels.write_motions` takes them.

    Args:
        shapes: of the markers.
        ranges: where the coordinates of each marker's part are among all.
    """

    def __init__(self, shapes: Sequence[MarkerShape], ranges: Sequence[slice]) -> None:
        self.starts = np.array([at.start for at in ranges], dtype=np.int64)
        self.sizes = np.array([at.stop - at.start for at in ranges], dtype=np.int64)
        width = max(0, int(self.sizes.max(initial=0)) - RIGID)
        self.places = np.array([shape.place for shape in shapes], float).reshape(-1, 3)
        self.axes = np.array([shape.axes for shape in shapes], float).reshape(-1, 3, 3)
        self.displacements, self.rotations = np.zeros((2, len(shapes), 3, width))
        for k, shape in enumerate(shapes):
            self.displacements[k, :, : shape.displacements.shape[1]] = shape.displacements
            self.rotations[k, :, : shape.rotations.shape[1]] = shape.rotations
        bent = [shape.bows is not None for shape in shapes]
        self.bows = np.zeros((len(shapes), 3, width, width) if any(bent) else (0, 3, 0, 0))
        for k, shape in enumerate(shapes):
            if shape.bows is not None:
                r = shape.bows.shape[1]
                self.bows[k, :, :r, :r] = shape.bows
        sizes = [(s.displacements.size, s.rotations.size, b) for s, b in zip(shapes, bent, strict=True)]
        self.deforming = np.array(sizes, bool).reshape(-1, 3)
        self._moving = np.flatnonzero(self.sizes)

    def motions(self, q: np.ndarray) -> Space:
        """Return position (N, 3), axes (N, 3, 3), ∂position/∂q and δπ/δq (N, 3, 7 + r), for coordinates q (n,)."""
        space = self.space()
        self.write_motions(space, q)
        return space

    def write_motions(self, space: Space, q: np.ndarray) -> None:
        """Write what `motions` returns into arrays of `space`, at q (n,)."""
        # A copy is contiguous and writable: for other arrays the kernel would be compiled again.
        write_motions(
            *space, np.array(q), self.starts, self.sizes, self.places, self.axes, self.displacements, self.rotations,
            self.bows, self.deforming,
        )  # fmt: skip

    def space(self) -> Space:
        """Return position (N, 3), axes (N, 3, 3) and derivatives (N, 3, 7 + r) for `write_motions` to write into."""
        d_position, d_rotation = np.zeros(
            (2, *self.displacements.shape[:2], RIGID + self.displacements.shape[2])
        )
        return self.places.copy(), self.axes.copy(), d_position, d_rotation

    @cached_property
    def columns(self) -> np.ndarray:
        """(N, 7 + r) where the coordinates of each marker's part are among all; −1 beyond them."""
        columns = np.arange(RIGID + self.displacements.shape[2])
        return np.where(columns < self.sizes[:, None], self.starts[:, None] + columns, -1)

    @cached_property
    def squares(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns (M, w, w) of `curvature_blocks`."""
        return square(self.columns[self._moving])

    def curvature_blocks(self, q: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
        """Return (M, w, w) the change of generalised forces of constant wrenches (N, 6), of markers that move."""
        width = RIGID + self.displacements.shape[2]
        bent, given = (
            np.zeros((len(self._moving), width, width)),
            (np.array(q), wrenches, self._moving, self.starts),
        )
        if width == RIGID:
            write_rigid_curvatures(bent, *given, self.places)
        else:
            write_curvatures(
                bent,
                *given,
                self.sizes,
                self.places,
                self.displacements,
                self.rotations,
                self.bows,
                self.deforming,
            )
        return bent
