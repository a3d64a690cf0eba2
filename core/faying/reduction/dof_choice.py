"""Where further interface dofs are best: spread over a body, so that its modes can be told from each other there."""

import numpy as np
import scipy.linalg as la

from faying.reduction.interior import InteriorProblem

# Relative difference of motions below which two places are as good as each other.
_EQUAL = 1e-6


def spread_dofs(
    interior: InteriorProblem, modes: np.ndarray, frequencies: np.ndarray, count: int, nodes: np.ndarray
) -> list[tuple[int, int]]:
    """Return (node row, component 1 … 3) of displacements that are good interface dofs, the best one first.

    Greedily, as a QR factorisation with pivoting of what the modes do there would (as sensors are placed: Manohar,
    Brunton, Kutz and Brunton 2018): each one is where the modes move most in a way that neither the interface dofs nor
    those chosen before follow. Modes count by the root of their flexibility, so that the low ones come first.

    Args:
        interior: the body, with the interface dofs that are there already.
        modes, frequencies: (n_dofs, m) and (m,) of the free body, mass-normalised; at least as many as there are
            to be interface dofs, or the last ones are chosen by chance.
        count: how many are wanted; less are returned when there are no more.
        nodes: rows of the nodes where they may be.
    """
    matrices = interior.matrices
    own = matrices.dofs.own_rows
    allowed = own >= 0
    allowed[allowed] = np.isin(own[allowed] // 3, nodes)  # rows of rotations come behind those of all nodes
    allowed[matrices.constraints.indices] = False
    allowed[interior.interface_dofs] = False
    candidates = np.flatnonzero(allowed)
    weighted = modes / frequencies
    # What is left when the interface dofs stand still.
    there = la.null_space(weighted[interior.interface_dofs], rcond=1e-9)
    left = weighted[candidates] @ there
    chosen: list[int] = []
    for _ in range(min(count, len(candidates))):
        sizes = np.linalg.norm(left, axis=1)
        sizes[chosen] = -1.0
        # Places that symmetry makes equal are told apart by round-off alone: the first of them is taken, everywhere.
        best = int(np.argmax(sizes >= (1.0 - _EQUAL) * sizes.max()))
        chosen.append(best)
        if sizes[best] > 0.0:
            direction = left[best] / sizes[best]
            left -= np.outer(left @ direction, direction)
    return [(int(row) // 3, int(row) % 3 + 1) for row in own[candidates[chosen]]]
