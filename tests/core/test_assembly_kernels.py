"""The compiled kernels of the assembly against the plain ones, and both against dense sums."""

import numpy as np
import pytest

from faying.compiled import all_kernels
from faying.fem import kernels
from faying.fem.block_pattern import BlockPattern

N_POINTS = 40


@pytest.fixture(params=["machine", "plain"], autouse=True)
def _way(request, monkeypatch) -> None:
    if request.param == "machine":
        pytest.importorskip("numba")
    for kernel in all_kernels.values():
        if kernel.name.startswith("faying.fem.kernels."):
            monkeypatch.setattr(kernel, "run", getattr(kernel, request.param))


def elements() -> list[np.ndarray]:
    """Return elements of four and of six points; one has a point twice, the last point has none."""
    random = np.random.default_rng(3)
    of_four = np.array([random.choice(N_POINTS - 1, 4, replace=False) for _ in range(30)])
    of_six = np.array([random.choice(N_POINTS - 1, 6, replace=False) for _ in range(20)])
    of_six[7, 3] = of_six[7, 2]
    return [of_four, of_six]


def test_blocks_are_summed_where_they_belong() -> None:
    random, dense = np.random.default_rng(4), np.zeros((3 * N_POINTS, 3 * N_POINTS))
    pattern = BlockPattern.of_elements(elements(), N_POINTS)
    values = np.zeros(9 * pattern.n_pairs)
    for points in elements():
        matrices = random.normal(size=(len(points), 3 * points.shape[1], 3 * points.shape[1]))
        pattern.add_blocks(values, points, matrices)
        for of_one, matrix in zip(points, matrices, strict=True):
            rows = (3 * of_one[:, None] + np.arange(3)).ravel()
            np.add.at(dense, (rows[:, None], rows[None, :]), matrix)
    found = pattern.block_matrix(values)
    found.check_format(full_check=True)
    assert found.nnz == 9 * pattern.n_pairs == np.count_nonzero(dense)
    np.testing.assert_allclose(found.toarray(), dense, atol=1e-14)


def test_scalars_are_summed_in_all_three_directions() -> None:
    random, dense = np.random.default_rng(5), np.zeros((N_POINTS, N_POINTS))
    pattern = BlockPattern.of_elements(elements(), N_POINTS)
    values = np.zeros(pattern.n_pairs)
    points = elements()[0]  # the others' pairs stay zero, and are not stored
    matrices = random.normal(size=(len(points), 4, 4))
    pattern.add_scalars(values, points, matrices)
    for of_one, matrix in zip(points, matrices, strict=True):
        np.add.at(dense, (of_one[:, None], of_one[None, :]), matrix)
    found = pattern.scalar_matrix(values)
    found.check_format(full_check=True)
    assert found.nnz == 3 * np.count_nonzero(dense)
    np.testing.assert_allclose(found.toarray(), np.kron(dense, np.eye(3)), atol=1e-14)


def test_stiffness_is_the_integral_of_the_strain_energy() -> None:
    random = np.random.default_rng(6)
    gradients, volumes = random.normal(size=(5, 4, 6, 3)), random.uniform(0.5, 1.0, (5, 4))
    lam, mu = 1.3, 0.7
    stiffness = kernels.isotropic_stiffness(gradients, volumes, lam, mu)
    np.testing.assert_allclose(stiffness, stiffness.transpose(0, 2, 1), rtol=0.0, atol=1e-14)
    u = random.normal(size=(6, 3))
    moved = np.einsum("nqai,aj->nqij", gradients, u)
    strain = 0.5 * (moved + moved.swapaxes(2, 3))
    trace = np.trace(strain, axis1=2, axis2=3)
    density = lam * trace**2 + 2.0 * mu * np.einsum("nqij,nqij->nq", strain, strain)
    energy = np.einsum("a,nab,b->n", u.ravel(), stiffness, u.ravel())
    np.testing.assert_allclose(energy, (volumes * density).sum(axis=1), rtol=1e-12)


def test_condensed_dofs_carry_no_load() -> None:
    factors = np.random.default_rng(7).normal(size=(5, 12, 12))
    stiffness = factors @ factors.transpose(0, 2, 1) + np.eye(12)
    found = kernels.condensed(stiffness, 8)
    expected = np.linalg.inv(np.linalg.inv(stiffness)[:, :8, :8])
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-10)
    np.testing.assert_array_equal(found, found.transpose(0, 2, 1))
