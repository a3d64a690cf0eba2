"""Errors of a reduction basis in representing the body under its preload cases."""

from collections.abc import Sequence

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.linalg.products import gram
from faying.reduction.preload import PreloadModes


def mounted_errors(
    stiffness: sp.csr_matrix,
    modes: np.ndarray,
    preloads: PreloadModes,
    gap_rows: Sequence[sp.csr_matrix],
    elastic: np.ndarray | None = None,
) -> dict[str, float]:
    """Return by case the relative error of the gap motion in the basis, ‖Gn (u − Φ c)‖ / ‖Gn u‖.

    u is the mounted state of the unreduced body and Φ c its best approximation in the basis, in the sum of elastic
    energy and squared gaps with equal weights; the gaps fix parts that only contact holds. The error is zero if the
    preload modes are trial vectors, or for a body without joints.

    Args:
        stiffness: K (n_dofs, n_dofs).
        modes: Φ (n_dofs, r).
        preloads: the cases and their mounted states.
        gap_rows: Gn of each joint, CSR (n_pairs, n_dofs).
        elastic: Φᵀ K Φ (r, r), if known.
    """
    found = {}
    if not gap_rows:
        return dict.fromkeys(preloads.names, 0.0)
    rows = sp.vstack(gap_rows, format="csr")
    of_modes = rows @ modes
    elastic = gram(stiffness, modes) if elastic is None else elastic
    for name, shape in zip(preloads.names, preloads.modes.T, strict=True):
        gaps, forces = rows @ shape, stiffness @ shape
        size = float(gaps @ gaps)
        if not size:
            found[name] = 0.0
            continue
        weight = float(shape @ forces) / size
        # Scaled to a unit diagonal: the trial vectors of different groups have different sizes.
        normal = elastic + weight * (of_modes.T @ of_modes)
        scale = 1.0 / np.sqrt(np.maximum(np.diag(normal), np.finfo(float).tiny))
        right = scale * (modes.T @ forces + weight * (of_modes.T @ gaps))
        amounts = scale * la.lstsq(scale[:, None] * normal * scale, right, cond=1e-12)[0]
        found[name] = float(np.linalg.norm(gaps - of_modes @ amounts) / np.sqrt(size))
    return found
