"""Deformation responses against the dense inverse of the dynamic stiffness, free and held."""

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import SolveError
from faying.fem.assembly import assemble
from faying.fem.model import Coupling
from faying.progress import Silent
from faying.reduction.interior import InteriorProblem
from faying.reduction.responses import free_responses, held_responses
from support.boxes import box

ALPHA, BETA = 40.0, 2e-6


@pytest.fixture(scope="module")
def brick():
    model = box("hex8_incompatible", (4, 2, 2), (40.0, 10.0, 8.0), distortion=0.2)
    return InteriorProblem(assemble(model, Silent()), model.nodes, np.array([0, 40, 44]))


@pytest.fixture(scope="module")
def first(brick):
    """The first elastic frequency of the free brick."""
    K, M = _dense(brick)
    return np.sqrt(la.eigh(K, M, eigvals_only=True)[6]) / (2.0 * np.pi)


def _dense(interior):
    return interior.matrices.stiffness.toarray(), interior.matrices.mass.toarray()


def _dynamic(interior, frequency, alpha=ALPHA, beta=BETA):
    K, M = _dense(interior)
    s = 2.0j * np.pi * frequency
    return s * s * M + s * (alpha * M + beta * K) + K


def _unit_loads(interior):
    loads = np.zeros((interior.n_dofs, len(interior.interface_dofs)))
    loads[interior.interface_dofs, np.arange(loads.shape[1])] = 1.0
    return loads


def _without_rigid(interior, loads):
    rigid = interior.rigid_modes
    return loads - interior.matrices.mass @ (rigid @ (rigid.T @ loads))


@pytest.mark.parametrize("share", (0.1, 0.99, 1.4, 2.0))
def test_free_responses_are_those_of_the_dynamic_stiffness(brick, first, share):
    loads, highest = _unit_loads(brick), 2.0 * first
    found = free_responses(brick, loads, highest, Silent(), mass_damping=ALPHA, stiffness_damping=BETA)
    assert 2 <= len(found.squares) < brick.n_dofs // 4
    exact = np.linalg.solve(_dynamic(brick, share * first), _without_rigid(brick, loads))
    answer = found.at(share * first)
    # What is left out: (f / f_k)⁴ of the residual flexibility, which is a small share of the whole.
    left_out = 0.2 * (share * first / (3.0 * highest)) ** 4 + 1e-9
    assert np.linalg.norm(answer - exact) < left_out * np.linalg.norm(exact)
    assert (answer.imag != 0.0).any()
    rows = brick.interface_dofs[:4]
    np.testing.assert_allclose(found.transfer(rows, np.array([share * first]))[0], answer[rows], rtol=1e-12)
    assert np.abs(brick.rigid_modes.T @ (brick.matrices.mass @ answer)).max() < 1e-9 * np.abs(answer).max()


def test_at_frequency_zero_they_are_the_elastic_shapes_of_statics(brick, first):
    loads = _unit_loads(brick)
    found = free_responses(brick, loads, first, Silent(), stiffness_damping=BETA).at(0.0)
    np.testing.assert_array_equal(found.imag, 0.0)
    K, _ = _dense(brick)
    exact = brick.without_rigid_content(
        np.linalg.pinv(K, rcond=1e-12, hermitian=True) @ _without_rigid(brick, loads)
    )
    assert np.linalg.norm(found.real - exact) < 1e-8 * np.linalg.norm(exact)


def test_transfer_between_two_dofs_is_the_same_both_ways(brick, first):
    found = free_responses(brick, _unit_loads(brick), first, Silent(), stiffness_damping=BETA)
    matrix = found.transfer(brick.interface_dofs, np.array([0.3 * first, first]))
    assert np.abs(matrix - matrix.transpose(0, 2, 1)).max() < 1e-10 * np.abs(matrix).max()
    # Each load does work in every cycle: the damping takes it.
    assert (np.diagonal(matrix, axis1=1, axis2=2).imag < 0.0).all()


@pytest.mark.parametrize("rows", ((0, 40, 44), (0, 4, 8), (5,)))
def test_held_responses_are_those_of_the_interior(brick, rows):
    interior = InteriorProblem(brick.matrices, brick.nodes, np.array(rows))
    motions = interior.free_motions
    loads = np.asarray(interior.matrices.mass @ interior.constraint_modes())
    balanced = loads - interior.matrices.mass @ (motions @ (motions.T @ loads))
    inner = np.setdiff1d(np.arange(interior.n_dofs), interior.interface_dofs)
    K, M = (m[np.ix_(inner, inner)] for m in _dense(interior))
    frequencies = np.sqrt(np.maximum(la.eigh(K, M, eigvals_only=True), 0.0)) / (2.0 * np.pi)
    at = 0.5 * frequencies[len(motions.T) : len(motions.T) + 2].sum()
    found = held_responses(interior, loads, at, Silent(), stiffness_damping=BETA)
    exact = np.zeros(loads.shape, complex)
    exact[inner] = np.linalg.solve(_dynamic(interior, at, 0.0)[np.ix_(inner, inner)], balanced[inner])
    assert np.linalg.norm(found.at(at) - exact) < 2e-3 * np.linalg.norm(exact)
    assert not found.at(at)[interior.interface_dofs].any()


def test_couplings_that_distribute_are_obeyed():
    plain = box("hex8_incompatible", (4, 2, 2), (40.0, 10.0, 8.0))
    ends = [plain.node_sets[face] for face in ("XMIN", "XMAX")]
    n = len(plain.nodes)
    couplings = tuple(
        Coupling(f"C{k}", "distributing", n + k, face, (1, 2, 3, 4, 5, 6), np.ones(len(face)))
        for k, face in enumerate(ends)
    )
    middles = tuple(tuple(plain.nodes[face].mean(axis=0)) for face in ends)
    model = box("hex8_incompatible", (4, 2, 2), (40.0, 10.0, 8.0), couplings=couplings, extra_nodes=middles)
    interior = InteriorProblem(assemble(model, Silent()), model.nodes, np.array([n, n + 1]))
    assert interior.matrices.constraints.shape[0] == 12
    free = la.null_space(interior.matrices.constraints.toarray())
    K, M = (free.T @ m @ free for m in _dense(interior))
    every = np.sqrt(np.maximum(la.eigh(K, M, eigvals_only=True), 0.0)) / (2.0 * np.pi)
    at = 0.5 * (every[6] + every[7])
    loads = _unit_loads(interior)
    found = free_responses(interior, loads, at, Silent(), stiffness_damping=BETA).at(at)
    dynamic = free.T @ _dynamic(interior, at, 0.0) @ free
    exact = free @ np.linalg.solve(dynamic, free.T @ _without_rigid(interior, loads))
    assert np.linalg.norm(found - exact) < 1e-4 * np.linalg.norm(exact)


def test_a_resonance_without_damping_is_a_sentence(brick, first):
    found = free_responses(brick, _unit_loads(brick), 2.0 * first, Silent())
    assert np.isfinite(found.at(0.999 * first)).all()
    with pytest.raises(SolveError, match="has no bounds: it is that of vibration mode 1") as caught:
        found.at(found.frequencies[0])
    assert "damping" in caught.value.hint


def test_more_modes_are_asked_for_until_the_range_is_covered(brick):
    K, M = _dense(brick)
    every = np.sqrt(la.eigh(K, M, eigvals_only=True)[6:]) / (2.0 * np.pi)
    found = free_responses(brick, _unit_loads(brick), every[40] * 1.0001 / 3.0, Silent())
    np.testing.assert_allclose(found.frequencies, every[:41], rtol=1e-7)
