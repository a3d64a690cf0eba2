"""The problem that a joint-mode method solves: the held body, its trial vectors, and its joints' pairs."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.joints.kinematics import SparseRows
from faying.progress import Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.derivative_selections import DerivativeSelection, ModalContact
from faying.reduction.derivative_selections.all_derivatives import AllDerivatives
from faying.reduction.energy_orthonormal import energy_orthonormal
from faying.reduction.fictive_forces import gaps_of
from faying.reduction.interior import ROUND_OFF, InteriorProblem
from faying.reduction.preload import PreloadModes
from faying.reduction.training import Training, TrainingError
from faying.reduction.tvd import AMPLITUDES, TrialVectorDerivatives, trial_vector_derivatives


@dataclass
class JointModeProblem:
    """The data from which joint modes are computed.

    Attributes:
        interior: the body held at its interface nodes, with its factor.
        components: the component modes Φ_CMS.
        gap_rows: CSR (n_pairs, n_dofs) of all joints, stacked in the body's order.
        weights: (n_pairs,) areas.
        initial_gaps: (n_pairs,).
        preloads: preload cases and their modes, None without preload cases.
        with_preload_modes: whether the preload modes are trial vectors; the cases act in either case.
        free: whether joint modes are static shapes of the free body instead of the one held at its interface
            nodes; needed when the component modes have no constraint modes, and where these nodes do not hold it.
        joint_sizes: number of pairs of each joint, in that order; one joint without it.
        slip_rows: CSR (2 n_pairs, n_dofs), slip 1 and slip 2 of each pair; only methods that keep shear use them.
        node_areas: (n_pairs,) of the slave nodes at each pair, see `ContactPairs`; None to use the weights.
        remarks: sentences on parts left out of the trial vectors and derivatives that were requested since the remarks
            were last cleared.
        training: laws and loads of all joints, for methods that are trained.
        trained: the errors that the last trained method came to.
    """

    interior: InteriorProblem
    components: ReductionBasis
    gap_rows: sp.csr_matrix
    weights: np.ndarray
    initial_gaps: np.ndarray
    preloads: PreloadModes | None = None
    with_preload_modes: bool = True
    free: bool = False
    joint_sizes: tuple[int, ...] = ()
    slip_rows: sp.csr_matrix | None = None
    node_areas: np.ndarray | None = None
    remarks: tuple[str, ...] = ()
    training: Training | None = None
    trained: tuple[TrainingError, ...] = ()
    _derivatives: dict[str, TrialVectorDerivatives] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Set `free` for a body that its interface nodes do not hold."""
        self.free = self.free or not self.interior.holds_body

    def __getstate__(self) -> dict[str, Any]:
        """Return the problem for another process, without derivatives, which are large."""
        return {**self.__dict__, "_derivatives": {}}

    def of_joints(self, numbers: Sequence[int]) -> "JointModeProblem":
        """Return the problem of some of the joints alone, by their numbers in the body's order."""
        chosen = list(numbers)
        if chosen == list(range(len(self.joint_sizes))):
            return self
        ends = np.cumsum([0, *self.joint_sizes])
        rows = np.concatenate([np.arange(ends[i], ends[i + 1]) for i in chosen])
        preloads = self.preloads
        return JointModeProblem(
            self.interior,
            self.components,
            self.gap_rows[rows],
            self.weights[rows],
            self.initial_gaps[rows],
            replace(preloads, closings=preloads.closings[:, chosen]) if preloads is not None else None,
            self.with_preload_modes,
            self.free,
            tuple(self.joint_sizes[i] for i in chosen),
            None if self.slip_rows is None else self.slip_rows[(2 * rows[:, None] + [0, 1]).ravel()],
            None if self.node_areas is None else self.node_areas[rows],
            training=self.training,
        )

    @property
    def pairs_of_joints(self) -> list[slice]:
        """Where the pairs of each joint are among all."""
        ends = np.cumsum([0, *(self.joint_sizes or (len(self.weights),))])
        return [slice(int(start), int(stop)) for start, stop in pairwise(ends)]

    @property
    def rows_of_joints(self) -> tuple[SparseRows, ...]:
        """Gap and slip rows of each joint; there are slip rows."""
        assert self.slip_rows is not None
        return tuple(
            SparseRows(
                self.gap_rows[at],
                self.slip_rows[2 * at.start : 2 * at.stop],
                self.weights[at],
                self.initial_gaps[at],
                None if self.node_areas is None else self.node_areas[at],
            )
            for at in self.pairs_of_joints
        )

    def without_preload_modes(self) -> "JointModeProblem":
        """Return the problem with component modes as the only trial vectors; the preload cases still act."""
        return replace(self, with_preload_modes=False, remarks=(), _derivatives={})

    @property
    def preload_modes(self) -> np.ndarray | None:
        """(n_dofs, p) preload modes that are trial vectors; None if there are none."""
        return self.preloads.modes if self.preloads is not None and self.with_preload_modes else None

    @property
    def trial_vectors(self) -> np.ndarray:
        """(n_dofs, m + p) component modes and preload modes; the latter with unit energy.

        Vectors without elastic energy are left out, with a remark. So are preload modes that depend on those before
        them, such as that of half the force in a joint without gaps.
        """
        vectors, _, left_out = self._trial_vectors
        self._remark(*left_out)
        return vectors

    @property
    def n_components(self) -> int:
        """Number m of trial vectors that are component modes."""
        return self._trial_vectors[1]

    @cached_property
    def _trial_vectors(self) -> tuple[np.ndarray, int, tuple[str, ...]]:
        """Trial vectors, how many of them are component modes, and remarks on those left out."""
        components, elastic, _ = self._elastic(self.components.modes)
        m, rigid = int(elastic.sum()), "which store no elastic energy"
        left_out = _left_out("component modes", np.flatnonzero(~elastic), rigid)
        if self.preload_modes is None:
            return components, m, left_out
        preloads, elastic, energies = self._elastic(self.preload_modes)
        left_out += _left_out("preload modes", np.flatnonzero(~elastic), rigid)
        every = np.hstack([components, preloads / np.sqrt(energies)])
        _, kept = energy_orthonormal(self.interior.matrices.stiffness, every)
        added = np.isin(np.arange(m, every.shape[1]), kept)
        left_out += _left_out("preload modes", np.flatnonzero(elastic)[~added], "which depend on others")
        return np.hstack([components, every[:, m:][:, added]]), m, left_out

    @property
    def closings(self) -> np.ndarray:
        """(n_pairs, p) interference of each preload case at each pair, subtracted from its initial gap."""
        if self.preloads is None:
            return np.zeros((len(self.weights), 0))
        sizes = self.joint_sizes or (len(self.weights),)
        return np.repeat(self.preloads.closings.T, sizes, axis=0)

    def _elastic(self, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the vectors that store elastic energy, a mask of them among all, and their energies."""
        stiffness = self.interior.matrices.stiffness
        energies = np.einsum("ij,ij->j", vectors, stiffness @ vectors)
        alone = np.einsum("ij,i,ij->j", vectors, np.abs(stiffness.diagonal()), vectors)
        elastic = energies > ROUND_OFF * alone
        return (vectors if elastic.all() else vectors[:, elastic]), elastic, energies[elastic]

    def _remark(self, *sentences: str) -> None:
        """Add remarks, each once."""
        self.remarks = tuple(dict.fromkeys((*self.remarks, *sentences)))

    def derivatives(
        self,
        progress: Progress,
        selection: DerivativeSelection | None = None,
        amplitudes: Sequence[float] = AMPLITUDES,
    ) -> TrialVectorDerivatives:
        """Return trial vector derivatives, computed on first use.

        Args:
            progress: reports and cancels.
            selection: which of them; all without it.
            amplitudes: deflections of initially open joints, in largest initial gaps.
        """
        selection = selection or AllDerivatives()
        key, modes = f"{selection.model_dump_json()} {sorted(set(amplitudes))}", self.trial_vectors
        if key not in self._derivatives:
            found = trial_vector_derivatives(
                self.interior,
                modes,
                self.gap_rows,
                self.weights,
                self.initial_gaps,
                progress,
                chosen=selection.choose(self._modal_contact(modes)),
                amplitudes=amplitudes,
                free=self.free,
            )
            self._derivatives = {key: found}  # one at a time: they are large
        found = self._derivatives[key]
        if found.dropped:
            count, all_of_them = found.dropped, found.dropped + len(found.labels)
            self._remark(
                f"{count} of {all_of_them} trial vector derivatives, which are zero: their directions close no pair"
            )
        return found

    def _modal_contact(self, modes: np.ndarray) -> ModalContact:
        """Return the data for selections of derivatives; trial vectors are scaled to unit energy."""
        m = self.n_components
        stiffness = modes.T @ (self.interior.matrices.stiffness @ modes)
        scale = 1.0 / np.sqrt(np.diag(stiffness))
        loads = modes[self.interior.interface_dofs].T
        answers = np.linalg.solve(stiffness, loads)
        energies = np.einsum("ij,ij->j", answers, loads)
        felt = energies > ROUND_OFF * energies.max(
            initial=0.0
        )  # a dof that no trial vector moves feels nothing
        answers = answers[:, felt] / np.sqrt(energies[felt])  # equal energy of every load case
        amplitudes = np.hstack([answers / scale[:, None], np.eye(len(scale))[:, m:]])
        return ModalContact(
            m,
            modes.shape[1] - m,
            amplitudes,
            gaps_of(self.gap_rows, modes) * scale,
            self.weights,
            self.initial_gaps,
        )


def _left_out(name: str, numbers: np.ndarray, why: str) -> tuple[str, ...]:
    """Return the remark on trial vectors that are left out, by their numbers from 0; () without any."""
    which = ", ".join(str(i + 1) for i in numbers)
    return (f"{name} {which} as trial vectors, {why}",) if which else ()
