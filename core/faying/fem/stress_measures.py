"""Equivalent, principal and shear stresses; components in the order xx, yy, zz, xy, yz, zx."""

import numpy as np


def von_mises(stresses: np.ndarray) -> np.ndarray:
    """Return (n,) equivalent stresses √(3/2 s : s) of tensors (n, 6)."""
    xx, yy, zz, xy, yz, zx = stresses.T
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.asarray(np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2)))


def principal_stresses(stresses: np.ndarray) -> np.ndarray:
    """Return (n, 3) principal stresses of tensors (n, 6), the largest (most tensile) first.

    Roots of the characteristic polynomial of the deviator by the trigonometric formula (Malvern 1969, section
    3.3): several times faster than an eigenvalue solver, and accurate to round-off of the largest.
    """
    xx, yy, zz, xy, yz, zx = stresses.T
    mean = (xx + yy + zz) / 3.0
    a, b, c = xx - mean, yy - mean, zz - mean
    j2 = 0.5 * (a * a + b * b + c * c) + xy * xy + yz * yz + zx * zx
    j3 = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx)
    radius = 2.0 * np.sqrt(j2 / 3.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(radius > 0.0, 4.0 * j3 / radius**3, 1.0)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0)) / 3.0
    turns = angle[:, None] + np.array([0.0, -2.0, 2.0]) * np.pi / 3.0
    return np.asarray(mean[:, None] + radius[:, None] * np.cos(turns))


def largest_shear(stresses: np.ndarray) -> np.ndarray:
    """Return (n,) largest shear stresses (Tresca), half the difference of the outer principal stresses."""
    principal = principal_stresses(stresses)
    return np.asarray(0.5 * (principal[:, 0] - principal[:, 2]))
