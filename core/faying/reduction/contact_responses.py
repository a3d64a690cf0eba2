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
_BYTES = 2.0**27  # of a block of responses at most, as many as a factor solves for at once
# Largest size of a block relative to the factor's memory; solving takes a few times that. The smaller share is for
# callers that keep thousands of products or all responses, which need memory themselves.
_SHARE, _SMALL_SHARE, _MANY = 0.2, 0.1, 1000


def contact_loads(
    interior: InteriorProblem, gap_rows: sp.csr_matrix, forces: np.ndarray, *, free: bool
) -> np.ndarray:
    """Return loads (n_dofs, c) of normal forces on the pairs.

    Args:
        interior, gap_rows, forces, free: see `contact_responses`.
    """
    loads = np.asarray(gap_rows.T @ forces)
    if not free:
        loads[interior.interface_dofs] = 0.0  # forces on held dofs do nothing
    return loads


def contact_responses(
    interior: InteriorProblem,
    gap_rows: sp.csr_matrix,
    forces: np.ndarray,
    progress: Progress,
    *,
    free: bool,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Return responses (n_dofs, c) to normal forces on the pairs.

    Args:
        interior: the held body.
        gap_rows: Gn (n_pairs, n_dofs) of all joints, stacked.
        forces: λ (n_pairs, c), positive where they open the gap.
        progress: reports and cancels, within blocks too.
        free: respond with the free body instead of the one held at its interface nodes.
        out: (n_dofs, c) array for the responses; a new one without it.

    Raises:
        Cancelled: on request.
    """
    responses = np.empty((interior.n_dofs, forces.shape[1])) if out is None else out
    for part, block in response_blocks(interior, gap_rows, forces, progress, free=free):
        responses[:, part] = block
    return responses


def response_blocks(
    interior: InteriorProblem, gap_rows: sp.csr_matrix, forces: np.ndarray, progress: Progress, *, free: bool
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield slices of the columns of forces, and the responses (n_dofs, b) to them, a block at a time.

    Args:
        interior, gap_rows, forces, progress, free: see `contact_responses`.
    """
    yield from _blocks(interior, gap_rows, forces, _SMALL_SHARE, progress, free)


def contact_compliance(
    interior: InteriorProblem,
    gap_rows: sp.csr_matrix,
    forces: np.ndarray | sp.csc_matrix,
    progress: Progress,
    *,
    free: bool,
) -> np.ndarray:
    """Return (c, c) work of normal forces on the gaps that they open, symmetric; stores no responses.

    Args:
        interior, gap_rows, forces, progress, free: see `contact_responses`.
    """
    compliance = np.empty((forces.shape[1],) * 2)
    share = _SHARE if forces.shape[1] < _MANY else _SMALL_SHARE
    for part, block in _blocks(interior, gap_rows, forces, share, progress, free):
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
    share: float,
    progress: Progress,
    free: bool,
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield slices of the columns, and the responses (n_dofs, b) to them."""
    respond = interior.solve_free if free else interior.solve
    count = forces.shape[1]
    size = min(share * interior.factor.entries / interior.n_dofs, _BYTES / (8.0 * interior.n_dofs))
    size = min(_MOST, max(_LEAST, int(size)))
    for start in range(0, count, size):
        part = slice(start, min(start + size, count))
        of_part = forces[:, part]
        dense = of_part if isinstance(of_part, np.ndarray) else of_part.toarray()
        loads = contact_loads(interior, gap_rows, dense, free=free)
        yield (
            part,
            patiently(
                partial(respond, loads), progress, start / count, f"static response {start} of {count}"
            ),
        )
