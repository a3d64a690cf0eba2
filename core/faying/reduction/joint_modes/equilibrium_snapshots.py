"""Joint modes from contact equilibria of many loads, instead of derivatives at the undeformed state."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.linalg.threads import one_thread
from faying.params import parameter
from faying.progress import Part, Progress
from faying.reduction.condensed import CondensedContact
from faying.reduction.contact_responses import contact_responses
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.joint_modes._pod import count_for_ratio
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem
from faying.reduction.snapshot_loads import EnergyCoordinates, snapshot_loads
from faying.reduction.tvd import AMPLITUDES

_LEAST_SPAN, _SPAN_FOR_RATIO = 60, 120
_NOTHING = 1e-9  # singular values below this share of the largest are round-off
_SURFACE_SHARE = 0.1  # of the surface nodes' own stiffness is the contact stiffness


@joint_mode_methods.register("equilibrium_snapshots")
class EquilibriumSnapshots(JointModeMethod):
    """POD of the contact-induced parts of contact equilibria, in the elastic energy.

    Loads are the trial vectors' own in both directions, forces and moments at the interface nodes, and
    combinations of both, all with the same energy. The first equilibria are found with the trial vectors
    alone; then the static responses to the contact forces found so far extend them, round after round.

    Tried on the friction bar with 20 modes and dropped: no combinations (4 times the error under combined
    loads), snapshots of length one (the same in statics, twice the error of gaps under the trial vectors' loads),
    a start from 220 trial vector derivatives (not better, dearer), ten times the contact stiffness (5 times the error).
    """

    kind: ClassVar[str] = "equilibrium_snapshots"
    title: ClassVar[str] = "POD of equilibrium snapshots"

    count: int = parameter(
        20, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) tells how much of the snapshots' energy they hold.",
    )  # fmt: skip
    ratio: float = parameter(
        0.0, title="Ratio w", ge=0.0, lt=1.0,
        meaning="When not zero: as few joint modes as give w(g) this value, instead of their number.",
    )  # fmt: skip
    combinations: int = parameter(
        64, title="Combined loads", ge=0, le=10_000,
        meaning="Number of combinations of loads beside the single ones; more of them serve loads of all kinds.",
    )  # fmt: skip
    amplitudes: tuple[float, ...] = parameter(
        AMPLITUDES, title="Deflections of open joints", advanced=True,
        meaning="For joints with initial gaps: how far each load closes them, as multiples of the largest initial gap.",
    )  # fmt: skip
    contact_stiffness: float = parameter(
        0.0, title="Contact stiffness", quantity="contact_stiffness", ge=0.0, advanced=True,
        meaning="Pressure over penetration in the snapshots, near that of the contact law; zero takes a tenth of "
        "the stiffness that the surface nodes have in the mesh.",
    )  # fmt: skip
    rounds: int = parameter(
        2, title="Rounds", ge=1, le=10, advanced=True,
        meaning="How often the equilibria are found again with the responses to the contact forces of the last ones.",
    )  # fmt: skip

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the snapshots)."""
        if not self.count and not self.ratio:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        progress.report(0.0, "loads of the snapshots")
        trial = EnergyCoordinates(problem)
        loads = snapshot_loads(trial, problem, self.combinations, self.amplitudes)
        sizes = np.linalg.norm(loads, axis=0)
        stiffness = self.contact_stiffness or _surface_stiffness(problem)
        span = max(_LEAST_SPAN, 2 * self.count) if not self.ratio else _SPAN_FOR_RATIO

        # Equilibria with the trial vectors alone; their forces in the order of their own size.
        contact = CondensedContact(trial.gaps, problem.weights, problem.initial_gaps, stiffness)
        forces = _equilibria(contact, loads, None, Part(progress, 0.02, 0.1, "first equilibria"))
        if not forces.any():
            raise ModelError(
                "No load of the snapshots closes the joint, so there are no joint modes.",
                "Check the joint's surfaces and the interface nodes, or ask for no joint modes.",
            )
        _, values, right = la.svd(forces / sizes, full_matrices=False)
        for turn in range(self.rounds):
            share = Part(progress, 0.1 + 0.9 * turn / self.rounds, 0.1 + 0.9 * (turn + 1) / self.rounds)
            # Static responses to the leading contact forces extend the trial vectors.
            kept = np.flatnonzero(values > _NOTHING * values[0])[:span]
            leading = (forces / sizes) @ (right[kept].T / values[kept])
            responses = _energy_orthonormal(problem, leading, Part(share, 0.0, 0.6, "static responses"))
            gaps = problem.gap_rows @ responses
            # The equilibria again, in the richer space; the energy of what contact adds to each.
            contact = CondensedContact(
                trial.extended_gaps(responses, gaps), problem.weights, problem.initial_gaps, stiffness
            )
            forces = _equilibria(
                contact, loads, forces, Part(share, 0.6, 1.0, f"equilibria, round {turn + 1}")
            )
            left, values, right = la.svd(gaps.T @ (forces / sizes), full_matrices=False)
        g = min(count_for_ratio(values, self.ratio) if self.ratio else self.count, left.shape[1])
        progress.report(1.0, self.title)
        return with_largest_positive(responses @ left[:, :g]), values


def _equilibria(
    contact: CondensedContact, loads: np.ndarray, start: np.ndarray | None, progress: Progress
) -> np.ndarray:
    """Return (n_pairs, N) contact forces under loads (m, N) on the leading coordinates."""
    forces = np.empty((len(contact.rows), loads.shape[1]))
    load = np.zeros(contact.rows.shape[1])
    with one_thread():
        for i in range(loads.shape[1]):
            progress.report(i / loads.shape[1], f"{i} of {loads.shape[1]}")
            load[: len(loads)] = loads[:, i]
            _, forces[:, i] = contact.equilibrium(load, None if start is None else start[:, i])
    return forces


def _energy_orthonormal(problem: JointModeProblem, forces: np.ndarray, progress: Progress) -> np.ndarray:
    """Return (n_dofs, s) static responses to contact forces (n_pairs, s'), orthonormal in the energy."""
    responses, loads = contact_responses(
        problem.interior, problem.gap_rows, forces, progress, free=problem.free
    )
    energies, directions = la.eigh(responses.T @ loads)
    kept = energies > _NOTHING * energies[-1]
    return np.asarray(responses @ (directions[:, kept] / np.sqrt(energies[kept])))


def _surface_stiffness(problem: JointModeProblem) -> float:
    """Return a pressure over penetration: a share of what a pair's nodes resist with their neighbours held."""
    diagonal = problem.interior.matrices.stiffness.diagonal()
    flexibility = problem.gap_rows.power(2) @ (1.0 / np.where(diagonal > 0, diagonal, np.inf))
    used = flexibility[flexibility > 0] * problem.weights[flexibility > 0]
    return _SURFACE_SHARE / float(np.median(used)) if len(used) else 1.0
