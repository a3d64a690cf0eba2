"""How stiff the joints of a reduced body are: its frequencies, joints stuck and sliding, against the FE model."""

from collections.abc import Sequence

import numpy as np

from faying.linalg.products import gram
from faying.progress import PartialProgress, Progress
from faying.records import record
from faying.reduction.free_modes import free_free_modes
from faying.reduction.linear_states import LinearState
from faying.reduction.quality import ritz_modes

COMPARED = 6  # vibration modes of each state


@record("joint_quality", read_only=True)
class JointQuality:
    """Frequencies of the free body with its closed pairs as springs, of the FE model and reduced.

    Attributes:
        states: "stuck" or "sliding", in the order of the rows.
        full: (s, k) of the FE model, ascending; NaN where it has fewer.
        reduced: (s, k) of the reduced body.
    """

    states: tuple[str, ...]
    full: np.ndarray
    reduced: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """(s, k) relative differences, not negative but for round-off."""
        return np.asarray(self.reduced / self.full - 1.0)


def joint_quality(states: Sequence[LinearState], modes: np.ndarray, progress: Progress) -> JointQuality:
    """Return the frequencies of linear states, in the FE model and over trial vectors.

    Args:
        states: of the mounted body.
        modes: (n_dofs, r) trial vectors, free of rigid body motions.
        progress: reports and cancels.
    """
    full, reduced = np.full((len(states), COMPARED), np.nan), np.full((len(states), COMPARED), np.nan)
    for i, state in enumerate(states):
        matrices = state.interior.matrices
        part = PartialProgress(progress, i / len(states), (i + 1) / len(states), f"{state.sticking} joints")
        state.interior.prepare(PartialProgress(part, 0.0, 0.5, "factorisation"))
        shapes = free_free_modes(state.interior, COMPARED, PartialProgress(part, 0.5, 1.0), apart=True)
        squares = np.einsum("ij,ij->j", shapes, matrices.stiffness @ shapes)
        full[i, : len(squares)] = np.sqrt(squares) / (2.0 * np.pi)
        stiffness = gram(matrices.stiffness, modes)
        found, _ = ritz_modes(0.5 * (stiffness + stiffness.T), gram(matrices.mass, modes))
        found = found[found > 1e-3 * np.nanmax(full[i, :1])]  # parts that nothing holds move without energy
        count = min(len(found), COMPARED)
        reduced[i, :count] = found[:count]
    return JointQuality(tuple(state.sticking for state in states), full, reduced)
