"""Gap and slip rows: what a motion of the body does to gaps and slips."""

from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.matrices import DofMap
from faying.fem.surface import Surface
from faying.joints.kinematics import gap_rows, slip_rows, sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec

MakeSheet = Callable[..., tuple[np.ndarray, Surface]]


def all_free(n_nodes: int) -> DofMap:
    """Return a dof map in which the nodal displacements are the dofs."""
    return DofMap(n_nodes, np.zeros(0, np.int64), sp.identity(3 * n_nodes, format="csr"))


@pytest.fixture
def curved(make_sheet: MakeSheet) -> tuple[np.ndarray, ContactPairs]:
    """Nodes and pairs of two slightly curved sheets with facets of different shape."""
    lower, master = make_sheet((5, 3), "quad8", height=lambda x, y: 0.02 * (x - 5.0) ** 2)
    upper, slave = make_sheet(
        (6, 4), "tri6", upward=False, first_node=len(lower), size=(8.0, 4.0), origin=(1.0, 1.0),
        height=lambda x, y: 0.02 * (x - 5.0) ** 2 + 0.1 + 0.01 * y,
    )  # fmt: skip
    nodes = np.vstack([lower, upper])
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec(distance=1.0))
    assert len(pairs) == len(upper)
    return nodes, pairs


def test_shapes(curved: tuple[np.ndarray, ContactPairs]) -> None:
    nodes, pairs = curved
    rows = sparse_rows(pairs, all_free(len(nodes)))
    assert rows.normal.shape == (len(pairs), 3 * len(nodes))
    assert rows.tangential.shape == (2 * len(pairs), 3 * len(nodes))
    assert rows.normal.format == rows.tangential.format == "csr"
    # A slave node and at most the eight nodes of its master facet, three components each.
    assert np.diff(rows.normal.indptr).max() <= 27
    np.testing.assert_array_equal(rows.weights, pairs.weights)
    np.testing.assert_array_equal(rows.initial_gaps, pairs.initial_gaps)


def test_translation_changes_nothing(curved: tuple[np.ndarray, ContactPairs]) -> None:
    nodes, pairs = curved
    u = np.tile([0.3, -0.7, 1.1], len(nodes))
    np.testing.assert_allclose(gap_rows(pairs, all_free(len(nodes))) @ u, 0.0, atol=1e-14)
    np.testing.assert_allclose(slip_rows(pairs, all_free(len(nodes))) @ u, 0.0, atol=1e-14)


def test_linear_displacement_is_exact(curved: tuple[np.ndarray, ContactPairs]) -> None:
    nodes, pairs = curved
    gradient = np.random.default_rng(3).standard_normal((3, 3))
    u = (nodes @ gradient.T + [1.0, 2.0, 3.0]).ravel()
    # A linear field between slave node and intersection point: the gradient times their distance.
    relative = (nodes[pairs.slave_nodes] - pairs.points) @ gradient.T
    dofs = all_free(len(nodes))
    np.testing.assert_allclose(
        gap_rows(pairs, dofs) @ u, np.einsum("nc,nc->n", pairs.normals, relative), atol=1e-12
    )
    slip = (slip_rows(pairs, dofs) @ u).reshape(-1, 2)
    np.testing.assert_allclose(slip[:, 0], np.einsum("nc,nc->n", pairs.tangents_1, relative), atol=1e-12)
    np.testing.assert_allclose(slip[:, 1], np.einsum("nc,nc->n", pairs.tangents_2, relative), atol=1e-12)


def test_lifting_the_slave_opens_the_gap(curved: tuple[np.ndarray, ContactPairs]) -> None:
    nodes, pairs = curved
    u = np.zeros_like(nodes)
    u[pairs.slave_nodes] = 0.01 * pairs.normals
    np.testing.assert_allclose(gap_rows(pairs, all_free(len(nodes))) @ u.ravel(), 0.01, atol=1e-14)
    u[pairs.slave_nodes] = 0.02 * pairs.tangents_1 - 0.03 * pairs.tangents_2
    slip = slip_rows(pairs, all_free(len(nodes))) @ u.ravel()
    np.testing.assert_allclose(slip.reshape(-1, 2), np.tile([0.02, -0.03], (len(pairs), 1)), atol=1e-14)


def test_gap_of_the_moved_geometry(make_sheet: MakeSheet) -> None:
    # Parallel sheets in a small bending motion: a new search in the moved geometry finds the gaps that the rows
    # predict, up to second order in the motion (normals turn, points wander).
    lower, master = make_sheet((5, 3), "tri6")
    upper, slave = make_sheet(
        (6, 4), "tri6", upward=False, first_node=len(lower), size=(7.0, 3.0), origin=(1.5, 1.5),
        height=lambda x, y: 0.0 * x + 0.1,
    )  # fmt: skip
    nodes = np.vstack([lower, upper])
    search = SearchSpec(distance=1.0, zero_gap_below=0.0)
    pairs = find_contact_pairs(nodes, master, slave, search)
    x, y, z = nodes.T
    motion = np.column_stack([np.sin(x / 5.0) * y, np.cos(x / 4.0) + z, np.sin(x / 3.0) * np.cos(y / 2.0)])
    motion[len(lower) :] *= -0.5
    rows = gap_rows(pairs, all_free(len(nodes)))
    errors = []
    for size in (4e-3, 2e-3, 1e-3):
        moved = find_contact_pairs(nodes + size * motion, master, slave, search)
        np.testing.assert_array_equal(moved.slave_nodes, pairs.slave_nodes)
        predicted = rows @ (size * motion).ravel()
        assert np.abs(predicted).max() > 0.5 * size
        errors.append(np.abs(moved.initial_gaps - pairs.initial_gaps - predicted).max())
    assert errors[0] < 4.0 * 4e-3**2
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 4.0, rtol=0.1)


def test_eliminated_dofs(curved: tuple[np.ndarray, ContactPairs]) -> None:
    # All nodes follow one reference motion (three translations): no motion of the dofs changes a gap.
    nodes, pairs = curved
    rigid = DofMap(len(nodes), np.zeros(0, np.int64), sp.csr_matrix(np.tile(np.eye(3), (len(nodes), 1))))
    assert gap_rows(pairs, rigid).shape == (len(pairs), 3)
    assert np.abs(gap_rows(pairs, rigid)).max() < 1e-14
    # The slave sheet follows a reference node alone: its translation moves all pairs alike.
    follows = np.zeros((3 * len(nodes), 3))
    for node in pairs.slave_nodes:
        follows[3 * node : 3 * node + 3] = np.eye(3)
    slave_only = DofMap(len(nodes), np.zeros(0, np.int64), sp.csr_matrix(follows))
    np.testing.assert_allclose(gap_rows(pairs, slave_only).toarray(), pairs.normals, atol=1e-14)
    slips = slip_rows(pairs, slave_only).toarray().reshape(-1, 2, 3)
    np.testing.assert_allclose(slips[:, 0], pairs.tangents_1, atol=1e-14)
    np.testing.assert_allclose(slips[:, 1], pairs.tangents_2, atol=1e-14)
