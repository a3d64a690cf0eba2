"""Trial vector derivatives (TVDs): how each trial vector changes when another one closes the joint.

For each direction ±φ_j the pairs that it closes get the contact stiffness; the change of φ_i is the static
response to the fictive force f = −(∂K_c/∂ζ_j) φ_i (thesis eqs. 3.39 to 3.44). All 2m² fictive forces act on
the contact pairs alone, f = −Gᵀ λ with one number per pair, so they are compressed there by a singular value
decomposition before anything is solved: the number of right-hand sides is the numerical rank of the λ, which
is below m² + m (forces of +j and −j add up to a vector that depends on i only) and below the number of pairs.

Nothing of the size of the body is stored: of the responses only their gaps, which make the compliance. The responses to
the few combinations that become joint modes are solved for again. Per TVD only a norm and a label are stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.linalg.compression import leading_directions
from faying.linalg.freed_memory import give_back_freed_memory
from faying.progress import PartialProgress, Progress
from faying.reduction.contact_responses import contact_compliance, contact_responses
from faying.reduction.fictive_forces import FictiveForces, gaps_of
from faying.reduction.interior import InteriorProblem

# Singular values of N normalised forces below 1e-6 (N/500)^1.75 times the largest are left out: the more derivatives,
# the slower their spectrum falls, and the farther joint modes lie above its end. On the friction bar this turns the
# span of 100 joint modes by 0.005° (N = 512), less than 0.011° (2048) and 0.033° (10 368).
_RANK, _FEW, _GROWTH, _COARSEST = 1e-6, 500, 1.75, 1e-3
_MANY = 2000  # derivatives, from which their products need memory comparable to the factor's
AMPLITUDES = (2.0,)


@dataclass(frozen=True)
class TrialVectorDerivatives:
    """All TVDs in factored form: static responses to the contact forces ``directions @ coefficients``.

    Attributes:
        directions: (n_pairs, c) compressed contact forces, orthonormal; sparse when they are all forces.
        compliance: (c, c) Uᵀ G K⁻¹ Gᵀ U of these forces, symmetric positive semidefinite.
        fictive: the N fictive contact forces; their labels name the TVDs.
        interior, gap_rows, free: the body that responds, see `trial_vector_derivatives`.
        decompositions: weights and singular values by method, cached for other numbers of modes.
    """

    directions: np.ndarray | sp.csc_matrix
    compliance: np.ndarray
    fictive: FictiveForces
    interior: InteriorProblem
    gap_rows: sp.csr_matrix
    free: bool
    decompositions: dict[str, tuple[np.ndarray, np.ndarray]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def labels(self) -> np.ndarray:
        """(N, 3) trial vector i, direction j, sign ±1 of each TVD that is not zero."""
        return self.fictive.labels

    @property
    def dropped(self) -> int:
        """Number of TVDs that were zero or round-off."""
        return self.fictive.dropped

    def coefficients(self) -> Iterator[np.ndarray]:
        """Yield (c, b) coefficients of the TVDs over the directions, in blocks, in the order of the labels."""
        for block in self.fictive.blocks():
            yield self.directions.T @ block

    def responses(self, weights: np.ndarray, progress: Progress) -> np.ndarray:
        """Return (n_dofs, g) static responses to combinations (c, g) of the directions."""
        forces = self.directions @ weights
        return contact_responses(self.interior, self.gap_rows, forces, progress, free=self.free)

    def loads(self) -> np.ndarray:
        """Return (d, c) nodal loads of the directions, on the d dofs that move the joints' surfaces."""
        touched = np.unique(self.gap_rows.indices)
        if not self.free:
            touched = np.setdiff1d(touched, self.interior.interface_dofs)  # forces on held dofs do nothing
        loads = self.gap_rows[:, touched].T @ self.directions
        return loads if isinstance(loads, np.ndarray) else np.asarray(loads.toarray())


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

    Args:
        interior: the held body.
        modes: (n_dofs, m) trial vectors.
        gap_rows: (n_pairs, n_dofs) of all joints, stacked.
        weights: (n_pairs,) areas times relative contact stiffness.
        initial_gaps: (n_pairs,).
        progress: reports and cancels.
        chosen: (m, m) whether to compute the TVD of trial vector i in direction j; all by default.
        amplitudes: largest approach of each direction as multiples of the largest initial gap, for joints
            that have one, see `FictiveForces`.
        free: respond with the free body instead of the one held at its interface nodes; for trial vectors
            that do not hold the static shapes under motions of these nodes.

    Raises:
        ModelError: when no trial vector moves the joint's surfaces against each other.
        Cancelled: on request.
    """
    progress.report(0.0, "fictive forces")
    wanted = np.ones((modes.shape[1],) * 2, bool) if chosen is None else chosen
    fictive = FictiveForces(gaps_of(gap_rows, modes), weights, initial_gaps, wanted, amplitudes)
    if not len(fictive.norms):
        raise ModelError(
            "No trial vector moves the joint's surfaces against each other, so there are no joint modes.",
            "Check the joint's surfaces and the interface nodes, or ask for no joint modes.",
        )
    # Compress in contact space, then one response per remaining direction.
    part = PartialProgress(progress, 0.0, 0.2, "fictive forces")
    count = len(fictive.norms)
    if count > _MANY:
        give_back_freed_memory()
    least = min(_RANK * max(1.0, count / _FEW) ** _GROWTH, _COARSEST)
    directions = leading_directions(fictive.directions(), count, least, part)
    compliance = contact_compliance(
        interior, gap_rows, directions, PartialProgress(progress, 0.2, 1.0), free=free
    )
    if count > _MANY:
        give_back_freed_memory()
    progress.report(1.0, "trial vector derivatives")
    return TrialVectorDerivatives(directions, compliance, fictive, interior, gap_rows, free)
