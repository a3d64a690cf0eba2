"""How well a reduction basis holds the body as its preload cases leave it."""

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
    """Return by case what the basis misses of the motion of the gaps, ‖Gn (u − Φ c)‖ / ‖Gn u‖.

    u is the mounted state of the unreduced body and Φ c what is nearest to it in the basis: in the elastic energy and
    the gaps, which weigh alike, so that a part that only contact holds is brought along too. Zero where the preload
    modes are trial vectors, or for a body without joints.

    Args:
        stiffness: K (n_dofs, n_dofs).
        modes: Φ (n_dofs, r).
        preloads: the cases and their mounted states.
        gap_rows: Gn of each joint, CSR (n_pairs, n_dofs).
        elastic: Φᵀ K Φ (r, r) where it is known.
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
