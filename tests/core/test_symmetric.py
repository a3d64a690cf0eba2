"""Parts of a symmetric sparse matrix; kind: the same by whole copies."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.linalg import symmetric
from faying.linalg.backends import factor_backends
from faying.linalg.factor import factorize
from faying.linalg.sparse_factor import ScaledSystem
from faying.linalg.symmetric import SymmetricPart, is_sparse
from support.boxes import box


@pytest.fixture(scope="module")
def stiffness():
    return assemble(box("hex8", (8, 5, 4), (8.0, 5.0, 4.0))).stiffness


@pytest.fixture
def part(stiffness, monkeypatch):
    """(part, the same as a matrix of its own), in pieces of a few rows, with something beside the matrix."""
    monkeypatch.setattr(symmetric, "_ENTRIES", 200)
    rng = np.random.default_rng(0)
    kept = np.sort(rng.choice(stiffness.shape[0], stiffness.shape[0] - 40, replace=False))
    joined = sp.random(len(kept), len(kept), 0.002, random_state=rng)
    joined = (joined @ joined.T).tocsr()
    # A piece without any row that counts, and a row without entries.
    kept = kept[(kept < 100) | (kept > 160)]
    joined = joined[: len(kept)][:, : len(kept)]
    return SymmetricPart(stiffness, kept) + joined, (stiffness[kept][:, kept] + joined).tocsr()


def test_a_part_is_what_its_copy_is(part):
    part, copy = part
    assert (part.tocsr() != copy).nnz == 0 and part.tocsr().has_sorted_indices
    triangle, upper = part.upper(), sp.triu(copy, format="csr")
    for name in ("data", "indptr", "indices"):
        np.testing.assert_array_equal(getattr(triangle, name), getattr(upper, name))
    assert triangle.indptr.dtype == triangle.indices.dtype == np.int32
    x = np.random.default_rng(1).standard_normal((copy.shape[0], 3))
    np.testing.assert_allclose(part @ x, copy @ x, rtol=1e-12, atol=1e-6)
    np.testing.assert_allclose(part @ x[:, 0], copy @ x[:, 0], rtol=1e-12, atol=1e-6)
    np.testing.assert_allclose(part.diagonal(), copy.diagonal())
    some = np.arange(0, copy.shape[0], 3)
    assert (part.within(some).tocsr() != copy[some][:, some]).nnz == 0
    assert is_sparse(part) and is_sparse(copy) and not is_sparse(copy.toarray())


def test_a_system_is_scaled_in_both_forms_alike(part):
    part, copy = part
    system = ScaledSystem(part, None)
    units = sp.diags(1.0 / np.sqrt(copy.diagonal()))
    wanted = (units @ copy @ units).tocsr()
    assert abs(system.matrix - wanted).max() < 1e-14
    upper = system.upper()
    np.testing.assert_allclose(upper.data, sp.triu(wanted, format="csr").data, atol=1e-14)
    assert system.norm() == pytest.approx(abs(wanted).sum(axis=0).max(), rel=1e-12)
    x = np.random.default_rng(1).standard_normal((copy.shape[0], 2))
    np.testing.assert_allclose(system.product(x), wanted @ x, atol=1e-12)
    np.testing.assert_array_equal(part.matrix.diagonal(), SymmetricPart.whole(part.matrix).diagonal())


@pytest.mark.parametrize("backend", [name for name, kind in factor_backends.items() if kind.is_available()])
def test_every_solver_takes_a_part(part, backend):
    part, copy = part
    before = part.matrix.data.copy()
    held = SymmetricPart(part.matrix, part.kept) + sp.diags(part.diagonal(), format="csr")
    x = np.random.default_rng(2).standard_normal((copy.shape[0], 2))
    np.testing.assert_allclose(factorize(held, backend=backend).solve(held @ x), x, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(part.matrix.data, before)


def test_a_factor_takes_half_a_stiffness_beside_the_one_there_is(stiffness):
    """What NumPy holds at the most while a part is factored: without it a copy, a scaled one and the triangle."""
    kind = factor_backends["pardiso"]
    if not kind.is_available():
        pytest.skip("MKL is not installed")
    whole = sp.block_diag([stiffness + sp.identity(stiffness.shape[0])] * 12, format="csr")
    part = SymmetricPart(whole, np.arange(6, whole.shape[0]))
    factorize(part, backend="pardiso")
    size = sum(each.nbytes for each in (whole.data, whole.indices, whole.indptr))
    symmetric_entries, symmetric._ENTRIES = symmetric._ENTRIES, 10_000
    tracemalloc.start()
    try:
        factorize(part, backend="pardiso")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        symmetric._ENTRIES = symmetric_entries
    assert peak < 0.8 * size, "half of the entries, and a few vectors"
