"""Static responses of a body to forces on its contact pairs."""

import numpy as np
import scipy.sparse as sp

from faying.progress import Progress
from faying.reduction.interior import InteriorProblem

_BLOCK = 64


def contact_responses(
    interior: InteriorProblem, gap_rows: sp.csr_matrix, forces: np.ndarray, progress: Progress, *, free: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return (responses (n_dofs, c), loads (n_dofs, c)) to normal forces on the pairs.

    Args:
        interior: the held body.
        gap_rows: Gn (n_pairs, n_dofs) of all joints, stacked.
        forces: λ (n_pairs, c), positive where they open the gap.
        progress: reports and cancels, block by block.
        free: respond with the free body instead of the one held at its interface nodes.
    """
    loads = np.asarray(gap_rows.T @ forces)
    if not free:
        loads[interior.interface_dofs] = 0.0  # forces on held dofs do nothing
    respond = interior.solve_free if free else interior.solve
    responses, count = np.empty_like(loads), loads.shape[1]
    for start in range(0, count, _BLOCK):
        progress.report(start / count, f"static response {start} of {count}")
        responses[:, start : start + _BLOCK] = respond(loads[:, start : start + _BLOCK])
    return responses, loads
