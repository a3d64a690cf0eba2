"""The problem that a joint-mode method solves: the held body, its trial vectors, and its joints' pairs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from faying.progress import Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.derivative_selections import DerivativeSelection, DerivativeSubject
from faying.reduction.interior import InteriorProblem
from faying.reduction.preload import PreloadModes
from faying.reduction.tvd import AMPLITUDES, TrialVectorDerivatives, trial_vector_derivatives


@dataclass
class JointModeProblem:
    """Everything that joint modes may be computed from.

    Attributes:
        interior: the body held at its interface nodes, with its factor.
        components: the component modes Φ_CMS.
        gap_rows: CSR (n_pairs, n_dofs) of all joints, stacked in the body's order.
        weights: (n_pairs,) areas.
        initial_gaps: (n_pairs,).
        preloads: preload modes, None without preload cases.
        free: whether joint modes are static shapes of the free body instead of the one held at its interface
            nodes; needed when the component modes have no constraint modes.
        remarks: sentences on what was left out while the joint modes were computed.
    """

    interior: InteriorProblem
    components: ReductionBasis
    gap_rows: sp.csr_matrix
    weights: np.ndarray
    initial_gaps: np.ndarray
    preloads: PreloadModes | None = None
    free: bool = False
    remarks: tuple[str, ...] = ()
    _derivatives: dict[str, TrialVectorDerivatives] = field(default_factory=dict, repr=False)

    @property
    def trial_vectors(self) -> np.ndarray:
        """(n_dofs, m + p) component modes and preload modes; the latter with unit energy."""
        if self.preloads is None:
            return self.components.modes
        modes = self.preloads.modes
        energy = np.einsum("ij,ij->j", modes, self.interior.matrices.stiffness @ modes)
        return np.hstack([self.components.modes, modes / np.sqrt(energy)])

    def derivatives(
        self,
        progress: Progress,
        selection: DerivativeSelection | None = None,
        amplitudes: Sequence[float] = AMPLITUDES,
    ) -> TrialVectorDerivatives:
        """Return trial vector derivatives; computed when first asked for.

        Args:
            progress: reports and cancels.
            selection: which of them; all without it.
            amplitudes: deflections of initially open joints, in largest initial gaps.
        """
        key = f"{selection and selection.model_dump_json()} {sorted(set(amplitudes))}"
        if key not in self._derivatives:
            modes = self.trial_vectors
            found = trial_vector_derivatives(
                self.interior,
                modes,
                self.gap_rows,
                self.weights,
                self.initial_gaps,
                progress,
                chosen=selection.choose(self._subject(modes)) if selection else None,
                amplitudes=amplitudes,
                free=self.free,
            )
            self._derivatives = {key: found}  # one at a time: they are large
        found = self._derivatives[key]
        if found.dropped:
            count, all_of_them = found.dropped, found.dropped + len(found.labels)
            self.remarks = (
                f"{count} of {all_of_them} trial vector derivatives, which are zero: their directions close no pair",
            )
        return found

    def _subject(self, modes: np.ndarray) -> DerivativeSubject:
        """Return what selections look at; trial vectors scaled to unit energy."""
        m = self.components.modes.shape[1]
        stiffness = modes.T @ (self.interior.matrices.stiffness @ modes)
        scale = 1.0 / np.sqrt(np.diag(stiffness))
        loads = modes[self.interior.interface_dofs].T
        answers = np.linalg.solve(stiffness, loads)
        answers /= np.sqrt(np.einsum("ij,ij->j", answers, loads))  # equal energy of every load case
        amplitudes = np.hstack([answers / scale[:, None], np.eye(len(scale))[:, m:]])
        return DerivativeSubject(
            m,
            modes.shape[1] - m,
            amplitudes,
            (self.gap_rows @ modes) * scale,
            self.weights,
            self.initial_gaps,
        )
