"""Elastic half-spaces as a body for joints: displacement of a grid of cells by uniform stress on each."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Rows:
    """Gap and slip rows, as joint forces read them."""

    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


def quarter(half_width: float, count: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return x and y (count²,) of the centres of square cells of one quarter, and their size."""
    size = half_width / count
    centres = size * (np.arange(count) + 0.5)
    x, y = np.meshgrid(centres, centres, indexing="ij")
    return x.ravel(), y.ravel(), size


def quarter_compliance(x: np.ndarray, y: np.ndarray, size: float, modulus: float) -> np.ndarray:
    """Return (n, n) displacement of each cell's centre per pressure on each cell and its three mirror images.

    Love, 1929. Without Poisson's effect it is that of shear stress along one direction too.

    Args:
        x, y: centres in one quarter.
        size: edge length of the cells.
        modulus: E*, of both half-spaces together.
    """
    b, total = 0.5 * size, np.zeros((len(x), len(x)))

    def corner(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        r = np.hypot(u, v)
        return np.asarray(u * np.log(v + r) + v * np.log(u + r))

    for dx in (x[:, None] - x, x[:, None] + x):
        for dy in (y[:, None] - y, y[:, None] + y):
            total += (
                corner(dx + b, dy + b)
                + corner(dx - b, dy - b)
                - corner(dx + b, dy - b)
                - corner(dx - b, dy + b)
            )
    return total / (np.pi * modulus)


def strip_compliance(x: np.ndarray, size: float, modulus: float) -> np.ndarray:
    """Return (n, n) displacement of each strip's middle per pressure on each strip, in plane strain.

    The datum, which is free in the plane, lies a hundred half-widths of the grid away.
    """
    dx, b = x[:, None] - x, 0.5 * size
    far = 100.0 * np.abs(x).max()

    def end(u: np.ndarray) -> np.ndarray:
        return u * (np.log(np.abs(u) / far) - 1.0)

    return -2.0 / (np.pi * modulus) * (end(dx + b) - end(dx - b))


def body(compliance: np.ndarray, area: float) -> np.ndarray:
    """Return the stiffness (n + 1, n + 1) over the cells' displacements and a rigid approach, which has none."""
    n = len(compliance)
    stiffness = np.zeros((n + 1, n + 1))
    inverse = np.linalg.inv(compliance) * area
    stiffness[:n, :n] = 0.5 * (inverse + inverse.T)
    return stiffness
