"""Orders of elimination by METIS."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.linalg.ordering import dissected_dofs, equal_neighbours, graph_of
from support.boxes import box

pytest.importorskip("pymetis")


def _held(element, cells, size):
    """Return the stiffness of a box that is held at one side."""
    model = box(element, cells, size)
    K = assemble(model).stiffness
    free = np.setdiff1d(np.arange(K.shape[0]), (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel())
    return K[free][:, free].tocsr()


def test_dofs_of_a_node_are_ordered_together():
    K = sp.csc_matrix(_held("hex8_incompatible", (9, 3, 2), (9.0, 3.0, 2.0)))
    pattern = sp.csc_matrix(sp.kron(abs(K[::3, ::3]) > 0, np.ones((3, 3))))
    pattern.sort_indices()
    starts = equal_neighbours(pattern)
    np.testing.assert_array_equal(starts, np.arange(0, K.shape[0] + 1, 3))
    pointers, neighbours = graph_of(pattern, starts)
    assert len(neighbours) == (pattern.nnz - 9 * len(starts[1:])) // 9
    assert pointers[-1] == len(neighbours)
    order = dissected_dofs(pattern)
    np.testing.assert_array_equal(np.sort(order), np.arange(K.shape[0]))
    np.testing.assert_array_equal(order[1::3], order[::3] + 1)
