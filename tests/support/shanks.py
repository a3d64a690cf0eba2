"""Shanks of bolts: round bars meshed with any solid element kind."""

from dataclasses import replace

import numpy as np

from faying.fem.model import FeModel
from support.boxes import box

LENGTH, RADIUS = 20.0, 2.0


def shank(kind: str, turned: bool = True, roundness: float = 0.7) -> FeModel:
    """Return a round bar of length 20 and radius 2, its axis oblique if turned."""
    model = box(kind, (4, 4, 5), (2 * RADIUS, 2 * RADIUS, LENGTH))
    x, y, z = (model.nodes - [RADIUS, RADIUS, 0.0]).T
    # A square becomes a disc, or nearly so: enough is left of its corners that no element is flat there.
    shrink = 1.0 - roundness + roundness * np.maximum(abs(x), abs(y)) / np.maximum(np.hypot(x, y), 1e-12)
    nodes = np.column_stack([x * shrink, y * shrink, z])
    return replace(model, nodes=nodes @ turn().T + [5.0, -3.0, 1.0] if turned else nodes)


def turn() -> np.ndarray:
    """Return a rotation; its third column is the shank's axis."""
    axes, _ = np.linalg.qr(np.array([[0.8, 0.2, 0.3], [-0.1, 0.9, 0.5], [0.3, -0.4, 0.7]]))
    return axes * np.sign(np.linalg.det(axes))
