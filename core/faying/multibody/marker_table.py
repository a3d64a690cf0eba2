"""Markers as arrays, so that all of them are evaluated in one call."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from faying.multibody.block_matrix import square
from faying.multibody.markers import MarkerShape
from faying.multibody.part import RIGID
from faying.multibody.small_matrices import (
    cross,
    frames,
    moment_change,
    product,
    small_rotation,
    tangent_change,
)
from faying.multibody.term_kernels import write_motions
from faying.spatial.rotations import skew

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
        # Rows are zero beyond a part's own coordinates; so it does not matter which ones are read there.
        columns = self.starts[self._moving, None] + np.arange(RIGID + width)
        self._columns = np.minimum(columns, max((at.stop for at in ranges), default=0) - 1)

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
        which = self._moving
        return curvatures(
            q[self._columns], self.places[which], self.displacements[which], self.rotations[which],
            wrenches[which, :3], wrenches[which, 3:], self.bows[which] if len(self.bows) else None,
        )  # fmt: skip


def curvatures(
    q: np.ndarray, place: np.ndarray, displacements: np.ndarray, rotations: np.ndarray, force: np.ndarray,
    moment: np.ndarray, bows: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Return (…, n, n) the change of the generalised force of a constant force and moment at a marker.

    Args:
        q: (…, n) coordinates of the marker's part.
        place: x (…, 3).
        displacements, rotations: Φ_t and Φ_r (…, 3, r); (3, 0) or zeros where the marker does not move in the frame.
        force, moment: (…, 3) in the inertial frame.
        bows: W (…, 3, r, r); None for zero.
    """
    p, flexible, n = q[..., 3:RIGID], q[..., RIGID:], q.shape[-1]
    axes, rates = frames(p)
    f, m, there = product(axes.mT, force), product(axes.mT, moment), place
    pull = skew(f)
    change = np.zeros((*f.shape[:-1], n, n))
    turning, deforming = slice(3, RIGID), slice(RIGID, None)
    if displacements.any():
        linear = displacements
        if bows is not None:
            displacements = linear + product(bows, flexible[..., None, :])
            change[..., deforming, deforming] += (f[..., None, None] * bows).sum(axis=-3)
        there = there + 0.5 * product(linear + displacements, flexible)
        change[..., turning, deforming] -= rates.mT @ pull @ displacements
        change[..., deforming, turning] += displacements.mT @ pull @ rates
    if rotations.any():
        theta = product(rotations, flexible)
        change[..., deforming, turning] += rotations.mT @ (small_rotation(theta)[1].mT @ skew(m) @ rates)
        change[..., deforming, deforming] += rotations.mT @ tangent_change(theta, m) @ rotations
    change[..., turning, turning] = rates.mT @ (skew(there) @ pull + skew(m)) @ rates
    change[..., turning, turning] += moment_change(p, cross(there, f) + m)
    return change
