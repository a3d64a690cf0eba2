"""Bodies whose factor has no room are solved iteratively; kind: unreduced model (the same equations, factored)."""

import threading

import numpy as np
import pytest

from faying.errors import SolveError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.linalg import room
from faying.linalg.backends.pyamg import PyamgSolver
from faying.linalg.factor import factorize
from faying.linalg.sparse_factor import ScaledSystem
from faying.progress import Silent
from faying.project.made_with import RESIDUAL, SOLVER, SolversNoted, with_solvers
from faying.reduction.interior import InteriorProblem
from support.boxes import box

pytestmark = pytest.mark.needs("pyamg")


@pytest.fixture(scope="module")
def cube():
    """(model, matrices) of a bulky body, held at three of its nodes."""
    model = box("hex8", (9, 9, 9), (1.0, 1.0, 1.0))
    return model, assemble(model)


def _held(cube):
    model, matrices = cube
    corners = [np.argmin(np.linalg.norm(model.nodes - p, axis=1)) for p in ((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    return InteriorProblem(matrices, model.nodes, np.array(corners))


@pytest.fixture
def no_room(monkeypatch):
    monkeypatch.setattr(room, "_MIN_CHECKED_BYTES", 0.0)
    monkeypatch.setattr(room, "_FROM", 100.0)
    monkeypatch.setenv(room.LIMIT, "0.0001")


def test_a_body_without_room_for_its_factor_is_solved_to_the_same(cube, no_room, monkeypatch):
    loads = np.random.default_rng(0).standard_normal((cube[1].dofs.n_dofs, 20))
    iterated = _held(cube)
    found = iterated.solve(loads)
    assert iterated.factor.backend == "pyamg"
    solver = iterated.factor._solver
    assert 0.0 < solver.residual < 1e-10 and 5 < solver.iterations < 60  # 27 when this was written
    monkeypatch.setenv(room.LIMIT, room.UNLIMITED)
    direct = _held(cube)
    np.testing.assert_allclose(found, direct.solve(loads), atol=1e-8 * abs(found).max())
    assert direct.factor.backend != "pyamg"


def test_its_residual_is_noted_with_what_is_made(cube, no_room):
    noted, body = SolversNoted(Silent()), _held(cube)
    body.prepare(noted)
    body.solve(np.random.default_rng(0).standard_normal((cube[1].dofs.n_dofs, 3)))
    body.prepare(noted)
    made_with = with_solvers({"Faying": "1"}, noted, [{RESIDUAL: "1.0e-30"}])
    assert made_with[RESIDUAL] == f"{body.factor._solver.residual:.1e}" and float(made_with[RESIDUAL]) > 0.0
    assert "pyamg" in made_with[SOLVER]


def test_rigid_motions_are_what_makes_it_fast(cube):
    inner = _held(cube).interior_dofs
    system = ScaledSystem(cube[1].stiffness[inner][:, inner].tocsr(), None)
    loads = np.random.default_rng(1).standard_normal((system.n, 1))

    motions = rigid_body_modes(cube[0].nodes, cube[1].dofs, cube[0].nodes.mean(axis=0))[inner]
    counts = []
    for near in (motions / system.scale[:, None], None):
        solver = PyamgSolver(system.matrix, True, threading.Event(), near)
        solver.solve(loads)
        counts.append(solver.iterations)
    assert counts[0] < 0.7 * counts[1]


def test_without_the_package_or_without_motions_it_is_refused(cube, no_room, monkeypatch):
    inner = _held(cube).interior_dofs
    with pytest.raises(room.MemoryNeedError, match="The factor of"):
        factorize(cube[1].stiffness[inner][:, inner])
    monkeypatch.setattr(PyamgSolver, "is_available", classmethod(lambda cls: False))
    with pytest.raises(room.MemoryNeedError, match=r"faying\[amg\]"):
        _held(cube).solve(np.ones((cube[1].dofs.n_dofs, 1)))


def test_what_does_not_converge_is_a_sentence(cube, no_room, monkeypatch):
    monkeypatch.setattr("faying.linalg.backends.pyamg._MAX_ITERATIONS", 3)
    with pytest.raises(
        room.MemoryNeedError, match=r"iterative solver leaves a residual of .* after 3 iterations"
    ):
        _held(cube).solve(np.ones((cube[1].dofs.n_dofs, 1)))
    inner = _held(cube).interior_dofs
    system = ScaledSystem(cube[1].stiffness[inner][:, inner].tocsr(), None)
    solver = PyamgSolver(system.matrix, True, threading.Event())
    with pytest.raises(SolveError, match="need a factor"):
        solver.solve(np.ones((system.n, 1)))
