"""Where further interface dofs are best: spread over a body, so that its modes can be told from each other there."""

import numpy as np
import scipy.linalg as la

from faying.reduction.interior import InteriorProblem


def spread_dofs(
    interior: InteriorProblem, modes: np.ndarray, frequencies: np.ndarray, count: int, nodes: np.ndarray
) -> list[tuple[int, int]]:
    """Return (node row, component 1 … 3) of displacements that are good interface dofs, the best one first.

    Greedily, by a QR factorisation with pivoting of what the modes do there (as sensors are placed: Manohar, Brunton,
    Kutz and Brunton 2018): each one is where the modes move most in a way that neither the interface dofs nor those
    chosen before follow. Modes count by the root of their flexibility, so that the low ones come first.

    Args:
        interior: the body, with the interface dofs that are there already.
        modes, frequencies: (n_dofs, m) and (m,) of the free body, mass-normalised; at least as many as there are
            to be interface dofs, or the last ones are chosen by chance.
        count: how many are wanted; less are returned when there are no more.
        nodes: rows of the nodes where they may be.
    """
    matrices = interior.matrices
    own = matrices.dofs.own_rows
    allowed = (own >= 0) & (own < 3 * matrices.dofs.n_nodes)
    allowed[allowed] = np.isin(own[allowed] // 3, nodes)
    allowed[matrices.constraints.indices] = False
    allowed[interior.interface_dofs] = False
    candidates = np.flatnonzero(allowed)
    weighted = modes / frequencies
    # What is left when the interface dofs stand still.
    there = la.null_space(weighted[interior.interface_dofs], rcond=1e-9)
    left = weighted[candidates] @ there
    _, _, order = la.qr(left.T, pivoting=True, mode="economic")
    rows = own[candidates[order[:count]]]
    return [(int(row) // 3, int(row) % 3 + 1) for row in rows]
