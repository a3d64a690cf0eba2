"""Classification of trial vectors of a straight bar: bending about y, torsion about x, or neither."""

import numpy as np

_SLICES = 45  # along the bar
_CLEARLY = 0.5  # share of the squared displacements


def shape_counts(nodes: np.ndarray, displacements: np.ndarray) -> tuple[int, int, int]:
    """Return the numbers of bending vectors (about y), torsion vectors (about x), and others.

    Each sheet (below and above z = 0) is cut into slices across x. In each, bending is the mean of u_z, and
    torsion the rotation about x: the slope of a line fitted to u_z over y.

    Args:
        nodes: (n, 3).
        displacements: (3 n, m).
    """
    along = (nodes[:, 0] - nodes[:, 0].min()) / np.ptp(nodes[:, 0])
    slices = np.minimum((along * _SLICES).astype(int), _SLICES - 1) + _SLICES * (nodes[:, 2] > 0)
    moved = displacements.reshape(len(nodes), 3, -1)
    bent, twisted = np.zeros(moved.shape[2]), np.zeros(moved.shape[2])
    for number in np.unique(slices):
        here = slices == number
        y, z, across = nodes[here, 1], nodes[here, 2], moved[here, 2]
        bent += here.sum() * across.mean(axis=0) ** 2
        angle = (y - y.mean()) @ across / ((y - y.mean()) @ (y - y.mean()))
        twisted += angle**2 * (y**2 + z**2).sum()
    total = np.einsum("ijk,ijk->k", moved, moved)
    bending, torsion = bent > _CLEARLY * total, twisted > _CLEARLY * total
    return int(bending.sum()), int(torsion.sum()), int((~bending & ~torsion).sum())
