"""Memory is asked for before a factor takes it, and many columns go through products a block at a time."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from faying.errors import FayingError
from faying.fem.assembly import assemble
from faying.linalg import products, room
from faying.linalg.backends import pardiso
from faying.linalg.factor import factorize
from faying.progress import Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.made_with import RESIDUAL, SolversNoted, with_solvers
from faying.project.serialization import project_from_dict
from faying.reduction.basis import ModeGroup, ReductionBasis
from faying.reduction.energy_orthonormal import energy_orthonormal, orthonormal_in_place
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from support.boxes import box


@pytest.fixture(scope="module")
def stiffness():
    model = box("hex8", (8, 3, 3), (8.0, 3.0, 3.0))
    K = assemble(model).stiffness
    free = np.setdiff1d(np.arange(K.shape[0]), (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel())
    return K[free][:, free].tocsr()


@pytest.mark.parametrize("solver", ["pardiso", "rslab", "superlu"])
def test_a_factor_without_room_is_refused_in_a_sentence_with_numbers(stiffness, solver, monkeypatch):
    if solver == "pardiso" and not pardiso.PardisoFactor.is_available():
        pytest.skip("MKL is not installed")
    monkeypatch.setattr(room, "_MIN_CHECKED_BYTES", 0.0)  # a body of gigabytes takes too long
    monkeypatch.setattr(room, "_FROM", 100.0)
    monkeypatch.setenv(room.LIMIT, "0.0001")
    with pytest.raises(room.MemoryNeedError) as caught:
        factorize(stiffness, backend=solver)
    assert f"factor of {stiffness.shape[0]} equations needs" in str(caught.value)
    assert "0.0001 GB of" in str(caught.value) and "--despite-errors" in str(caught.value)
    monkeypatch.setenv(room.LIMIT, room.UNLIMITED)
    x = np.ones(stiffness.shape[0])
    np.testing.assert_allclose(factorize(stiffness, backend=solver).solve(stiffness @ x), x, rtol=1e-8)


def test_pardiso_tells_beforehand_about_what_it_then_takes(stiffness, monkeypatch):
    if not pardiso.PardisoFactor.is_available():
        pytest.skip("MKL is not installed")
    asked = []
    monkeypatch.setattr(pardiso, "require_memory", lambda need, equations: asked.append(need))
    entries = factorize(stiffness, backend="pardiso").entries
    assert entries * 8 < asked[0] < 4 * entries * 8 + 32e6


def test_what_is_tried_all_the_same_is_so_for_a_while(monkeypatch):
    monkeypatch.setenv(room.LIMIT, "1")
    with room.tried_all_the_same():
        room.require_memory(2.0**80, 7)
    with pytest.raises(room.MemoryNeedError):
        room.require_memory(2.0**80, 7)
    monkeypatch.delenv(room.LIMIT)
    with room.tried_all_the_same():
        assert room.free_memory() == float("inf")
    assert room.free_memory() < float("inf")


def test_too_many_entries_are_a_sentence(monkeypatch):
    room.require_countable(2**31 - 1)
    with pytest.raises(room.MemoryNeedError, match="2147483648 entries, more than the 2147483647"):
        room.require_countable(2**31)
    monkeypatch.setenv(room.LIMIT, "much")
    with pytest.raises(FayingError, match='FAYING_MEMORY is "much"'):
        room.free_memory()
    monkeypatch.setenv(room.LIMIT, "12 GB")
    assert room.free_memory() == 12 * 2.0**30
    monkeypatch.delenv(room.LIMIT)
    assert 0 < room.free_memory() < 1e15


def test_the_least_of_entries_is_that_of_thin_plates_and_below_what_bodies_have(stiffness):
    """Measured: 264 246 equations of the bearing cap have 136 846 279 entries, 518 each."""
    least = room.least_entries(264_246)
    assert least == pytest.approx(295 * 264_246, rel=0.01) and least < 136_846_279
    assert room.least_entries(stiffness.shape[0]) == 0.0


def test_products_by_blocks_are_products(stiffness, monkeypatch):
    monkeypatch.setattr(products, "_COLUMNS", 3)
    monkeypatch.setattr(products, "_ROWS", 17)
    rng = np.random.default_rng(1)
    v, w = rng.standard_normal((stiffness.shape[0], 7)), rng.standard_normal((stiffness.shape[0], 4))
    whole = v.T @ (stiffness @ v)
    np.testing.assert_allclose(products.gram(stiffness, v), whole, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(products.gram(stiffness, v, w), v.T @ (stiffness @ w), rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(products.energies(stiffness, v), np.diag(whole), rtol=1e-12)
    c, before = rng.standard_normal((7, 5)), v.copy()
    found = products.combine_in_place(v, c)
    np.testing.assert_allclose(found, before @ c, rtol=1e-12)
    assert np.shares_memory(found, v)


def test_orthonormal_vectors_take_the_place_of_what_they_come_from(stiffness):
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((stiffness.shape[0], 40))
    vectors[:, 20] = vectors[:, 3] + vectors[:, 7]  # adds nothing
    vectors /= np.sqrt(products.energies(stiffness, vectors))
    wanted, kept = energy_orthonormal(stiffness, vectors)
    own = vectors.copy()
    found, numbers = orthonormal_in_place(stiffness, own)
    assert np.shares_memory(found, own) and 20 not in numbers and len(numbers) == 39
    np.testing.assert_array_equal(kept, numbers)
    np.testing.assert_allclose(found, wanted, atol=1e-12 * abs(wanted).max())
    np.testing.assert_allclose(products.gram(stiffness, found), np.eye(39), atol=1e-10)


def test_a_basis_grows_in_one_array(monkeypatch):
    """Of what is put together there is one array, whatever is left out; before, there were three."""
    model = box("hex8", (8, 4, 4), (8.0, 4.0, 4.0))
    interior = InteriorProblem(assemble(model), model.nodes, np.array([0, 8, 40]))
    rng = np.random.default_rng(3)
    first, new = (
        interior.without_rigid_content(rng.standard_normal((interior.n_dofs, count))) for count in (6, 200)
    )
    new[:, 7] = first[:, 0] + new[:, 3]  # adds nothing
    groups = (ModeGroup("component modes", 0, 6),)
    components = ReductionBasis(first, groups, np.zeros(6), (), np.zeros(0))
    monkeypatch.setattr(products, "_ROWS", 100)
    tracemalloc.start()
    try:
        found = extend_basis(interior, components, new, np.zeros(0))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.7 * new.nbytes
    assert found.modes.flags.c_contiguous and found.modes.shape[1] == 205
    assert found.removed == ("joint modes 8, which depend on others",)
    np.testing.assert_array_equal(found.modes[:, :6], first)
    stiffness = interior.matrices.stiffness
    added = found.modes[:, 6:]
    np.testing.assert_allclose(products.gram(stiffness, added), np.eye(199), atol=1e-8)
    crossed = products.gram(stiffness, first, added)
    assert np.abs(crossed).max() < 1e-8 * np.sqrt(products.energies(stiffness, first).max())


def test_a_factor_is_given_up_where_memory_is_short(monkeypatch):
    model = box("hex8", (4, 2, 2), (4.0, 2.0, 2.0))
    interior = InteriorProblem(assemble(model), model.nodes, np.array([0, 4, 20]))
    loads = np.random.default_rng(5).standard_normal((interior.n_dofs, 2))
    before, entries = interior.solve(loads), interior.entries
    interior.spare_factor()
    assert "factor" in interior.__dict__ and interior.solver == interior.factor.backend
    monkeypatch.setenv(room.LIMIT, f"{1.9 * 8.0 * entries / 2.0**30:.12f}")
    interior.spare_factor()
    assert "factor" not in interior.__dict__ and interior.entries == entries > 0
    np.testing.assert_allclose(interior.solve(loads), before, atol=1e-12 * np.abs(before).max())


def test_what_was_solved_iteratively_is_a_finding_with_its_residual():
    words = {
        "bodies": [{"name": "block", "model": {"path": "block.inp"}}],
        "analyses": [
            {"kind": "static", "name": name, "body": "block", "support": "foot"}
            for name in ("exact", "good", "poor", "to come")
        ],
    }
    noted = {}
    for name, residual in {"exact": None, "good": 3.1e-12, "poor": 2e-5, "to come": 1.0}.items():
        progress = SolversNoted(Silent())
        progress.report(1.0, solver="superlu" if residual is None else "pyamg")
        # What went in has a larger one than what came of it.
        before = {} if residual is None else with_solvers({}, progress, [{RESIDUAL: f"{residual:.1e}"}])
        if residual is not None:
            progress.report(1.0, solver="pyamg", residual=0.1 * residual)
        noted[name] = with_solvers({"Faying": "1"}, progress, [before])
    reports = {name: {} for name in ("exact", "good", "poor")}
    checked = CheckedProject(project_from_dict(words), Path(), reports=reports, made_with=noted)
    found = {f.entity: f for f in run_checks(checked) if f.check == "iterative_solver"}
    assert [(entity, f.severity) for entity, f in found.items()] == [
        (("analyses", 2), "warning"), (("analyses", 1), "note"),
    ]  # fmt: skip
    assert "'good'" in found["analyses", 1].sentence and "3.1e-12" in found["analyses", 1].sentence
