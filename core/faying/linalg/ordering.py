"""Orders of elimination that keep a factor sparse: nested dissection by METIS."""

import importlib.util

import numpy as np
import scipy.sparse as sp


def has_metis() -> bool:
    """Return whether METIS is installed."""
    return importlib.util.find_spec("pymetis") is not None


def equal_neighbours(matrix: sp.csc_matrix) -> np.ndarray:
    """Return (m + 1,) where groups of consecutive columns with equal patterns begin, and the number of columns.

    The dofs of a node stand next to each other and touch the same others: an ordering of the nodes does for all.

    Args:
        matrix: with sorted indices.
    """
    n, indices = matrix.shape[0], matrix.indices
    lengths = np.diff(matrix.indptr)
    equal = np.zeros(n, bool)
    equal[1:] = (lengths[1:] == lengths[:-1]) & (lengths[1:] > 0)
    # Each entry against the one that stands at the same place of the column before.
    before = np.arange(len(indices)) - np.repeat(lengths, lengths)
    same = indices == indices[np.maximum(before, 0)]
    filled = np.flatnonzero(lengths)
    equal[filled] &= np.logical_and.reduceat(same, matrix.indptr[filled]) if len(filled) else True
    return np.append(np.flatnonzero(~equal), n)


def graph_of(matrix: sp.csc_matrix, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (pointers (m + 1,), neighbours) of groups of columns, each without itself, ascending.

    Args:
        matrix: symmetric, with sorted indices.
        starts: see `equal_neighbours`.
    """
    m = len(starts) - 1
    group = np.repeat(np.arange(m, dtype=np.int32), np.diff(starts))
    first = matrix[:, starts[:-1]]
    one = np.ones(first.nnz, bool)
    graph = sp.csr_array((one, group[first.indices], first.indptr), shape=(m, m))
    # An entry may have cancelled to nothing on one side of the diagonal alone.
    graph = (graph + graph.T).tocsr()
    graph.sort_indices()
    columns = np.repeat(np.arange(m), np.diff(graph.indptr))
    kept = graph.indices != columns
    pointers = np.concatenate([[0], np.cumsum(np.bincount(columns[kept], minlength=m))])
    return pointers, graph.indices[kept]


def nested_dissection(pointers: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """Return (m,) vertices of a graph in METIS' order of elimination.

    Args:
        pointers: (m + 1,) where the neighbours of each vertex begin.
        neighbours: of all vertices, none its own.
    """
    import pymetis

    if not len(neighbours):
        return np.arange(len(pointers) - 1)
    order, _ = pymetis.nested_dissection(adjacency=pymetis.CSRAdjacency(pointers, neighbours))
    return np.asarray(order, dtype=np.int64)


def dissected_dofs(matrix: sp.csc_matrix) -> np.ndarray:
    """Return (n,) rows of a symmetric matrix with sorted indices in METIS' order of elimination."""
    starts = equal_neighbours(matrix)
    order = nested_dissection(*graph_of(matrix, starts))
    return ranges(starts[order], np.diff(starts)[order])


def ranges(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return begin, begin + 1, … of each range, one after another."""
    ends = np.cumsum(sizes)
    return np.repeat(begins - ends + sizes, sizes) + np.arange(ends[-1] if len(ends) else 0)
