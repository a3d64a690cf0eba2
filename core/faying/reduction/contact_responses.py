"""Static responses of a body to forces on its contact pairs."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import scipy.sparse as sp

from faying.linalg.background import patiently
from faying.progress import Progress
from faying.reduction.interior import InteriorProblem

_MOST, _LEAST = 64, 8  # columns at a time
_ROWS = 512  # of a symmetric matrix at a time
# Of the factor's memory this is the most that a block may need; its work takes it a few times over. Thousands of
# columns need the rest for their products.
_SHARE, _SHARE_OF_MANY, _MANY = 0.2, 0.1, 1000


def contact_responses(
    interior: InteriorProblem, gap_rows: sp.csr_matrix, forces: np.ndarray, progress: Progress, *, free: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return (responses (n_dofs, c), loads (n_dofs, c)) to normal forces on the pairs.

    Args:
        interior: the held body.
        gap_rows: Gn (n_pairs, n_dofs) of all joints, stacked.
        forces: λ (n_pairs, c), positive where they open the gap.
        progress: reports and cancels, within blocks too.
        free: respond with the free body instead of the one held at its interface nodes.

    Raises:
        Cancelled: when asked to stop.
    """
    responses = np.empty((interior.n_dofs, forces.shape[1]))
    loads = np.empty_like(responses)
    for part, of_part, block in _blocks(interior, gap_rows, forces, progress, free):
        loads[:, part], responses[:, part] = of_part, block
    return responses, loads


def contact_compliance(
    interior: InteriorProblem,
    gap_rows: sp.csr_matrix,
    forces: np.ndarray | sp.csc_matrix,
    progress: Progress,
    *,
    free: bool,
) -> np.ndarray:
    """Return (c, c) work of normal forces on the gaps that they open; keeps no responses.

    Args:
        interior, gap_rows, forces, progress, free: see `contact_responses`.
    """
    compliance = np.empty((forces.shape[1],) * 2)
    for part, _, block in _blocks(interior, gap_rows, forces, progress, free):
        compliance[:, part] = forces.T @ (gap_rows @ block)
    for start in range(0, len(compliance), _ROWS):  # a few rows at a time: it may be as large as the factor
        here = slice(start, start + _ROWS)
        mean = 0.5 * (compliance[here, start:] + compliance[start:, here].T)
        compliance[here, start:], compliance[start:, here] = mean, mean.T
    return compliance


def _blocks(
    interior: InteriorProblem,
    gap_rows: sp.csr_matrix,
    forces: np.ndarray | sp.csc_matrix,
    progress: Progress,
    free: bool,
) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
    """Yield which columns, their loads and the responses (n_dofs, b) to them."""
    respond = interior.solve_free if free else interior.solve
    transposed, count = gap_rows.T.tocsr(), forces.shape[1]
    share = _SHARE if count < _MANY else _SHARE_OF_MANY
    size = min(_MOST, max(_LEAST, int(share * interior.factor.entries / interior.n_dofs)))
    for start in range(0, count, size):
        part = slice(start, min(start + size, count))
        of_part = forces[:, part]
        loads = np.asarray(transposed @ (of_part if isinstance(of_part, np.ndarray) else of_part.toarray()))
        if not free:
            loads[interior.interface_dofs] = 0.0  # forces on held dofs do nothing
        text = f"static response {start} of {count}"
        yield part, loads, patiently(partial(respond, loads), progress, start / count, text)
