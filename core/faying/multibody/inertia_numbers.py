"""The constants of a body's inertia as one array, which compiled arithmetic takes in a single argument."""

import numpy as np


def packed(
    total_mass: float, along_p: float, first: np.ndarray, coupling: np.ndarray, second: np.ndarray, mass: np.ndarray
) -> np.ndarray:  # fmt: skip
    """Return the constants one after the other, as `faying.multibody.inertia_kernels.unpacked` takes them apart.

    Notation of `faying.multibody.inertia`. Parts over the undeformed body come before those over q_f.

    Args:
        total_mass: m.
        along_p: factor of the term that vanishes on the unit sphere.
        first: ŝ (3, 1 + r).
        coupling: Ĝ (3, 1 + r, r).
        second: N (6, 1 + r, 1 + r), symmetric each.
        mass: M_ff (r, r).
    """
    in_order = (
        first[:, 0], first[:, 1:],
        coupling[:, 0], coupling[:, 1:],
        second[:, 0, 0], second[:, 0, 1:], second[:, 1:, 1:],
        mass,
    )  # fmt: skip
    return np.concatenate([[total_mass, along_p], *(block.ravel() for block in in_order)])
