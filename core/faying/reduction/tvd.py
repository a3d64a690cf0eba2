"""Trial vector derivatives (TVDs): how each trial vector changes when another one closes the joint.

For each direction ±φ_j the pairs that it closes get the contact stiffness; the change of φ_i is the static
response to the fictive force f = −(∂K_c/∂ζ_j) φ_i (thesis eqs. 3.39 to 3.44). All 2m² fictive forces act on
the contact pairs alone, f = −Gᵀ λ with one number per pair, so they are compressed there by a singular value
decomposition before anything is solved: the number of right-hand sides is the numerical rank of the λ, which
is below m² + m (forces of +j and −j add up to a vector that depends on i only), and memory does not grow
with 2m².
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError
from faying.progress import Part, Progress
from faying.reduction.contact_responses import contact_responses
from faying.reduction.interior import InteriorProblem

_NOISE = 1e-12  # fictive forces smaller than this share of the largest are round-off of a symmetric mesh
_RANK = 1e-8  # singular values of the normalised forces below this share are left out
AMPLITUDES = (2.0,)


@dataclass(frozen=True)
class TrialVectorDerivatives:
    """All TVDs in factored form: the k-th is ``responses @ coefficients[:, k]``.

    Attributes:
        loads: (n_dofs, c) sparse-in-space but dense loads Gᵀ U of the compressed contact forces.
        responses: (n_dofs, c) their static responses with the interface nodes held.
        compliance: (c, c) ``loads.T @ responses``, symmetric positive semidefinite.
        coefficients: (c, N) of the N TVDs that are not zero.
        labels: (N, 3) trial vector i, direction j, sign ±1 of each.
        dropped: number of TVDs that were zero or round-off.
    """

    loads: np.ndarray
    responses: np.ndarray
    compliance: np.ndarray
    coefficients: np.ndarray
    labels: np.ndarray
    dropped: int


def trial_vector_derivatives(
    interior: InteriorProblem,
    modes: np.ndarray,
    gap_rows: sp.csr_matrix,
    weights: np.ndarray,
    initial_gaps: np.ndarray,
    progress: Progress,
    *,
    chosen: np.ndarray | None = None,
    amplitudes: Sequence[float] = AMPLITUDES,
    free: bool = False,
) -> TrialVectorDerivatives:
    """Return the TVDs of all trial vectors in both directions of each.

    With initial gaps each direction is scaled so that its largest approach is a multiple of the largest
    initial gap; several multiples close the joint more and more. Without gaps the scale does not matter.

    Args:
        interior: the held body.
        modes: (n_dofs, m) trial vectors.
        gap_rows: (n_pairs, n_dofs) of all joints, stacked.
        weights: (n_pairs,) areas times relative contact stiffness.
        initial_gaps: (n_pairs,).
        progress: reports and cancels.
        chosen: (m, m) whether the TVD of trial vector i in direction j is wanted; all without it.
        amplitudes: largest approach of each direction as multiples of the largest initial gap.
        free: respond with the free body instead of the one held at its interface nodes; for trial vectors
            that do not hold the static shapes under motions of these nodes.

    Raises:
        ModelError: when no trial vector moves the joint's surfaces against each other.
    """
    progress.report(0.0, "fictive forces")
    wanted = np.ones((modes.shape[1],) * 2, bool) if chosen is None else chosen
    forces, labels, dropped = _contact_forces(gap_rows @ modes, weights, initial_gaps, wanted, amplitudes)
    if not forces.shape[1]:
        raise ModelError(
            "No trial vector moves the joint's surfaces against each other, so there are no joint modes.",
            "Check the joint's surfaces and the interface nodes, or ask for no joint modes.",
        )

    # Compress in contact space, then one response per remaining direction.
    norms = np.linalg.norm(forces, axis=0)
    left, values, right = la.svd(forces / norms, full_matrices=False, lapack_driver="gesdd")
    rank = int((values > _RANK * values[0]).sum())
    coefficients = (values[:rank, None] * right[:rank]) * norms
    part = Part(progress, 0.1, 1.0)
    responses, loads = contact_responses(interior, gap_rows, left[:, :rank], part, free=free)
    compliance = loads.T @ responses
    progress.report(1.0, "trial vector derivatives")
    return TrialVectorDerivatives(
        loads, responses, 0.5 * (compliance + compliance.T), coefficients, labels, dropped
    )


def _contact_forces(
    gaps: np.ndarray,
    weights: np.ndarray,
    initial_gaps: np.ndarray,
    wanted: np.ndarray,
    amplitudes: Sequence[float],
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return λ (n_pairs, N) with columns w · [closed by ±φ_j] · (Gφ_i), labels (N, 3), number dropped.

    A larger amplitude that closes no other pairs than a smaller one gives the same derivatives: it is passed over.
    """
    m = gaps.shape[1]
    open_by = float(initial_gaps.max(initial=0.0))
    reach = np.abs(gaps).max(axis=0, initial=0.0)
    scales = (
        [amplitude * open_by / np.where(reach > 0, reach, 1.0) for amplitude in sorted(set(amplitudes))]
        if open_by > 0
        else [np.ones(m)]
    )
    weighted = weights[:, None] * gaps
    columns, labels = [np.zeros((len(weights), 0))], [np.zeros((0, 3), np.int64)]
    for j in range(m):
        of = np.flatnonzero(wanted[:, j])
        for sign in (1, -1):
            before = None
            for scale in scales:
                closed = initial_gaps + sign * scale[j] * gaps[:, j] < 0
                if before is not None and np.array_equal(closed, before):
                    continue
                before = closed
                columns.append(weighted[:, of] * closed[:, None])
                labels.append(np.column_stack([of, np.full(len(of), j), np.full(len(of), sign)]))
    forces, names = np.hstack(columns), np.vstack(labels)
    norms = np.linalg.norm(forces, axis=0)
    kept = norms > _NOISE * norms.max(initial=0.0)
    return forces[:, kept], names[kept], int((~kept).sum())
