"""Loads under which a joint shows what it can do, over coordinates in which the elastic energy is |q|²/2."""

from collections.abc import Sequence

import numpy as np
import scipy.linalg as la

from faying.reduction.problem import JointModeProblem

_DEPENDENT = 1e-10
_CLOSED = 1e-9  # initial gaps below this share of the body's size are round-off of the mesh


class EnergyCoordinates:
    """The span of the trial vectors with orthonormal coordinates in the elastic energy.

    Attributes:
        directions: (m', m) the trial vectors in these coordinates, of length one.
        gaps: (n_pairs, m') gap rows.
    """

    def __init__(self, problem: JointModeProblem) -> None:
        modes = problem.trial_vectors
        stiff = problem.interior.matrices.stiffness @ modes
        scale = 1.0 / np.sqrt(np.einsum("ij,ij->j", modes, stiff))
        energies, vectors = la.eigh(scale[:, None] * (modes.T @ stiff) * scale)
        kept = energies > _DEPENDENT
        rotation = scale[:, None] * vectors[:, kept] / np.sqrt(energies[kept])
        self._vectors, self._stiff = modes @ rotation, stiff @ rotation
        self.directions = (self._stiff.T @ modes) * scale
        self.gaps = np.asarray(problem.gap_rows @ self._vectors)

    def of_interface_loads(self, dofs: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Return (m', k) the response to forces (len(dofs), k) on some dofs."""
        return np.asarray(self._vectors[dofs].T @ forces)

    def extended_gaps(self, responses: np.ndarray, gaps: np.ndarray) -> np.ndarray:
        """Return gap rows (n_pairs, m' + s) over the trial vectors and what responses add to them.

        Args:
            responses: (n_dofs, s'), orthonormal in the energy.
            gaps: (n_pairs, s') their gap rows.
        """
        common = self._stiff.T @ responses
        added, vectors = la.eigh(np.eye(common.shape[1]) - common.T @ common)
        kept = added > _DEPENDENT
        return np.hstack([self.gaps, (gaps - self.gaps @ common) @ (vectors[:, kept] / np.sqrt(added[kept]))])


def snapshot_loads(
    trial: EnergyCoordinates, problem: JointModeProblem, combinations: int, amplitudes: Sequence[float]
) -> np.ndarray:
    """Return (m', N) loads: those of each trial vector, of the interface nodes, and combinations of them.

    Single loads come in both directions. Half of the combinations mix the interface loads, half the trial
    vectors; they are drawn evenly in energy, always the same ones. In joints without initial gaps the size
    of a load does not matter, and all have energy one; otherwise each load opens or closes the joint by
    multiples of its largest initial gap.

    Args:
        trial: coordinates of the loads.
        problem: body and joints.
        combinations: number of combined loads.
        amplitudes: multiples of the largest initial gap, for joints that have some.
    """
    outer = _interface_loads(trial, problem)
    generator = np.random.default_rng(0)
    mixed = []
    for space, number in (
        (la.orth(outer) if outer.size else outer, combinations // 2 if outer.size else 0),
        (np.eye(len(trial.directions)), combinations - (combinations // 2 if outer.size else 0)),
    ):
        weights = generator.standard_normal((space.shape[1], number))
        mixed.append(space @ (weights / np.linalg.norm(weights, axis=0)))
    loads = np.hstack([trial.directions, -trial.directions, outer, -outer, *mixed])
    reach = np.abs(trial.gaps @ loads).max(axis=0)
    moving = reach > 1e-9 * reach.max(initial=0.0)  # a load that leaves the joint alone tells nothing
    loads, reach = loads[:, moving], reach[moving]

    open_by = float(np.abs(problem.initial_gaps).max(initial=0.0))
    if open_by <= _CLOSED * float(np.ptp(problem.interior.nodes, axis=0).max()):
        return loads
    return np.hstack([loads * (amplitude * open_by / reach) for amplitude in amplitudes])


def _interface_loads(trial: EnergyCoordinates, problem: JointModeProblem) -> np.ndarray:
    """Return (m', k) responses of length one to a unit load at each interface dof, carried by the first six.

    The first six interface dofs that can hold the body take the reaction, as an analysis would have it.
    """
    dofs = problem.interior.interface_dofs
    rigid = problem.interior.rigid_modes[dofs]
    scaled = rigid / np.linalg.norm(rigid, axis=1, keepdims=True)
    support: list[int] = []
    span = np.zeros((6, 0))
    for i, row in enumerate(scaled):
        rest = row - span @ (span.T @ row)
        if np.linalg.norm(rest) > 1e-6 and len(support) < 6:
            support.append(i)
            span = np.column_stack([span, rest / np.linalg.norm(rest)])
    others = np.setdiff1d(np.arange(len(dofs)), support)
    forces = np.zeros((len(dofs), len(others)))
    forces[others, np.arange(len(others))] = 1.0
    reactions, *_ = np.linalg.lstsq(rigid[support].T, -rigid[others].T)
    forces[support] = reactions
    responses = trial.of_interface_loads(dofs, forces)
    sizes = np.linalg.norm(responses, axis=0)
    return np.asarray(responses[:, sizes > 0] / sizes[sizes > 0])
