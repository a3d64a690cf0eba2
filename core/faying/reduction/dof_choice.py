"""Choice of further interface dofs: spread over a body, so that its modes can be distinguished there."""

import numpy as np
import scipy.linalg as la

from faying.reduction.interior import InteriorProblem

# Relative difference of motions below which two places count as equally good.
_EQUAL = 1e-6


def spread_dofs(
    interior: InteriorProblem, modes: np.ndarray, frequencies: np.ndarray, count: int, nodes: np.ndarray
) -> list[tuple[int, int]]:
    """Return (node row, component 1 … 3) of displacements that are good interface dofs, the best one first.

    The choice is greedy, as in a QR factorisation with pivoting of the modes' rows (sensor placement: Manohar, Brunton,
    Kutz and Brunton 2018). Each dof is where the modes move most, after the part that the interface dofs and those
    chosen before determine is taken out. Modes are weighted by the root of their flexibility, 1/ω, so low ones count
    most.

    Args:
        interior: the body, with the interface dofs that are there already.
        modes, frequencies: (n_dofs, m) and (m,) of the free body, mass-normalised; with m less than the total number of
            interface dofs the last ones are arbitrary.
        count: requested number; fewer are returned if there are no more.
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
    # Combinations of modes in which the interface dofs do not move, and their motion at the candidates.
    there = la.null_space(weighted[interior.interface_dofs], rcond=1e-9)
    left = weighted[candidates] @ there
    chosen: list[int] = []
    for _ in range(min(count, len(candidates))):
        sizes = np.linalg.norm(left, axis=1)
        sizes[chosen] = -1.0
        # Places that are equal by symmetry differ by round-off alone: the first is taken, so that all machines agree.
        best = int(np.argmax(sizes >= (1.0 - _EQUAL) * sizes.max()))
        chosen.append(best)
        if sizes[best] > 0.0:
            direction = left[best] / sizes[best]
            left -= np.outer(left @ direction, direction)
    return [(int(row) // 3, int(row) % 3 + 1) for row in own[candidates[chosen]]]
