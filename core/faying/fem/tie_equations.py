"""Equations by which nodes follow a surface: their motion is a weighted mean of the surface's nodes."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from faying.fem.couplings import cross_matrices
from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, LinearEquations

_NO_SHARE = 1e-9  # relative weight: round-off of a projection
_NO_ARM = 1e-9  # relative to a facet's size


def nodes_that_turn(blocks: Sequence[ElementBlock], n_nodes: int) -> np.ndarray:
    """Return (n_nodes,) whether a node has rotations from shells or beams."""
    found = np.zeros(n_nodes, bool)
    for block in blocks:
        if element_kinds[block.element].rotations:
            found[block.connectivity] = True
    return found


def tie_equations(
    name: str,
    nodes: np.ndarray,
    tied: np.ndarray,
    shares: sp.csr_matrix,
    facets: Sequence[np.ndarray],
    turning: np.ndarray,
    *,
    rotations: bool = True,
) -> LinearEquations:
    """Return equations by which nodes follow masters: u = Σ w u_m + θ × d, with d the arm from Σ w x_m to the node.

    If all masters have rotations, θ = Σ w θ_m, and the rotations of a node that has them follow too. Otherwise θ is the
    least-squares rotation of the facet below the node. In both cases rigid motions of the masters cause no strain,
    whether or not the node lies on them.

    Args:
        name: of the equations.
        nodes: (n_nodes, 3) coordinates.
        tied: (n,) rows of the nodes that follow.
        shares: CSR (n, n_nodes) weights w of the masters for each node; rows sum to one to within round-off.
        facets: (n,) node rows of the facet below each node.
        turning: (n_nodes,) whether a node has rotations.
        rotations: whether rotations of nodes follow their masters.

    Returns:
        Equations that are skipped at nodes with other prescribed motion.
    """
    shares = _cleaned(shares)
    arms = nodes[tied] - shares @ nodes
    masters = shares.tocoo()
    turns = np.ones(len(tied), bool)
    turns[masters.row[~turning[masters.col]]] = False

    # Σ w u_m along each direction; each node has 6 columns.
    rows = [3 * masters.row + c for c in range(3)]
    columns = [6 * masters.col + c for c in range(3)]
    values = [masters.data] * 3
    # θ × d from the masters' rotations.
    of_shells = turns[masters.row]
    crossed = masters.data[of_shells, None, None] * cross_matrices(arms)[masters.row[of_shells]]
    for c, j in np.ndindex(3, 3):
        rows.append(3 * masters.row[of_shells] + c)
        columns.append(6 * masters.col[of_shells] + 3 + j)
        values.append(crossed[:, c, j])
    # θ × d from the motion of the facet below.
    for i in np.flatnonzero(~turns).tolist():
        facet = facets[i]
        own = nodes[facet] - nodes[facet].mean(axis=0)
        if np.linalg.norm(arms[i]) <= _NO_ARM * np.abs(own).max():
            continue
        spread = (own**2).sum() * np.eye(3) - own.T @ own
        # θ = J⁻¹ Σ a × u; a × u is the negative of u × a.
        turned = -cross_matrices(arms[i])[0] @ np.linalg.pinv(spread, hermitian=True) @ cross_matrices(own)
        for c, j in np.ndindex(3, 3):
            rows.append(np.full(len(facet), 3 * i + c))
            columns.append(6 * facet + j)
            values.append(turned[:, c, j])
    first = (6 * tied[:, None] + np.arange(3)).ravel()
    count = 3 * len(tied)
    # θ = Σ w θ_m.
    if rotations and (both := turns & turning[tied]).any():
        number = np.full(len(tied), -1)
        number[both] = np.arange(both.sum())
        at = both[masters.row]
        for c in range(3):
            rows.append(count + 3 * number[masters.row[at]] + c)
            columns.append(6 * masters.col[at] + 3 + c)
            values.append(masters.data[at])
        first = np.concatenate([first, (6 * tied[both][:, None] + 3 + np.arange(3)).ravel()])
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    followed = sp.csr_matrix(entries, shape=(len(first), 6 * len(nodes)))
    followed.eliminate_zeros()
    return _with_first_terms(name, first, followed)


def _cleaned(shares: sp.csr_matrix) -> sp.csr_matrix:
    """Return the shares without entries due to round-off, with rows that sum to one."""
    kept = sp.csr_matrix(shares, copy=True)
    kept.data[np.abs(kept.data) < _NO_SHARE] = 0.0
    kept.eliminate_zeros()
    sums = np.asarray(kept.sum(axis=1)).ravel()
    return sp.csr_matrix(sp.diags(1.0 / sums) @ kept)


def _with_first_terms(name: str, first: np.ndarray, followed: sp.csr_matrix) -> LinearEquations:
    """Return −u_first + Σ c u = 0 for each row; each node has 6 columns."""
    starts = followed.indptr + np.arange(len(first) + 1)
    columns, coefficients = np.empty(starts[-1], np.int64), np.empty(starts[-1])
    of_first = np.zeros(starts[-1], bool)
    of_first[starts[:-1]] = True
    columns[of_first], columns[~of_first] = first, followed.indices
    coefficients[of_first], coefficients[~of_first] = -1.0, followed.data
    return LinearEquations(
        name, starts.astype(np.int64), columns // 6, columns % 6 + 1, coefficients, yields=True
    )
