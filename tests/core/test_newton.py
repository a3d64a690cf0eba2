"""Newton with line search: a contact problem with a known solution, and trouble."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from faying.errors import SolveError
from faying.progress import Silent
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.newton import solve_newton
from faying.solvers.stuck import stuck_start


def contact_chain(n, penalty, load):
    """Masses in a row on soft springs, each above its own stiff one-sided stop at a different distance."""
    stiffness = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    stops = np.linspace(0.0, 2.0, n)

    def residual(x):
        return load - stiffness @ x + penalty * np.maximum(stops * 0 - x - stops, 0.0)

    def correct(x, r):
        closed = (-x - stops) > 0
        return np.linalg.solve(stiffness + penalty * np.diag(closed.astype(float)), r)

    return residual, correct


@pytest.mark.parametrize("penalty", [1.0, 1e3, 1e6])
def test_contact_problem_is_solved_from_zero(penalty):
    rng = np.random.default_rng(1)
    load = -rng.uniform(0.0, 1.0, 40)
    residual, correct = contact_chain(40, penalty, load)
    x, report = solve_newton(residual, correct, np.zeros(40), Silent())
    assert np.abs(residual(x)).max() < 1e-7
    assert report.iterations < 60


def test_linear_problem_takes_one_correction():
    matrix = np.diag([1.0, 4.0, 9.0])
    b = np.array([1.0, 2.0, 3.0])
    x, report = solve_newton(
        lambda x: b - matrix @ x, lambda x, r: np.linalg.solve(matrix, r), np.zeros(3), Silent()
    )
    np.testing.assert_allclose(x, b / np.diag(matrix))
    assert report.iterations == 1


def test_no_solution_says_what_to_try():
    with pytest.raises(SolveError, match="did not converge in 7 iterations"):
        solve_newton(lambda x: 1.0 + x**2, lambda x, r: 0.1 * r, np.zeros(1), Silent(), iterations=7)


def test_correction_that_is_not_a_number_is_named():
    with pytest.raises(SolveError, match="no finite correction at iteration 1"):
        solve_newton(lambda x: 1.0 - x, lambda x, r: r * np.nan, np.zeros(1), Silent())


def test_a_part_that_flies_away_first_does_not_end_the_iteration_too_early():
    """A plate that only 30 stops of different heights hold, pressed on them.

    The first correction sends it 1e18 mm away; beside that energy everything later would look converged.
    """
    n = 30
    stiffness = np.diag([1e-18, *np.full(n, 1e3)])
    heights = np.linspace(0.0, 1e-3, n)
    rows = np.hstack([np.ones((n, 1)), -np.eye(n)])
    load = np.array([1.0, *np.zeros(n)])

    def residual(x):
        return load - stiffness @ x - rows.T @ (1e6 * np.maximum(rows @ x - heights, 0.0))

    def correct(x, r):
        closed = 1e6 * (rows @ x > heights)
        return np.linalg.solve(stiffness + rows.T @ (closed[:, None] * rows), r)

    x, _ = solve_newton(
        residual, correct, np.zeros(n + 1), Silent(), stored=lambda x: float(x @ stiffness @ x)
    )
    assert np.abs(residual(x)).max() < 1e-8


def test_what_nothing_holds_has_no_equilibrium():
    """Masses on uneven springs, pushed: what holds them is near round-off, and they rest far away, out of balance."""
    springs = np.random.default_rng(3).uniform(500.0, 2000.0, 11)
    stretch = np.diff(np.eye(12), axis=0)
    free = stretch.T @ np.diag(springs) @ stretch + np.diag([1e-10, *np.zeros(11)])
    with pytest.raises(SolveError, match="out of balance") as caught:
        solve_equilibrium(free, np.ones(12), [], [], np.zeros(12), Silent())
    assert "hold it" in str(caught.value.hint)
    held = free + np.diag([1.0, *np.zeros(11)])
    x, _, _ = solve_equilibrium(held, np.ones(12), [], [], np.zeros(12), Silent())
    # Each spring carries the loads of all masses behind it, and what holds the first one carries them all.
    np.testing.assert_allclose(x, 12.0 + np.cumsum([0.0, *(np.arange(11, 0, -1) / springs)]), rtol=1e-9)


@pytest.mark.parametrize("sparse", [False, True])
def test_what_constraints_do_not_hold_has_no_equilibrium(sparse):
    """The same masses, of which two move alike: the forces of that constraint are none that hold the others."""
    springs = np.random.default_rng(3).uniform(500.0, 2000.0, 11)
    stretch = np.diff(np.eye(12), axis=0)
    alike = np.eye(12)[[5]] - np.eye(12)[[6]]
    for held, refused in ((1e-10, True), (1.0, False)):
        stiffness = stretch.T @ np.diag(springs) @ stretch + np.diag([held, *np.zeros(11)])
        given = [sp.csr_matrix(a) for a in (stiffness, alike)] if sparse else [stiffness, alike]
        if refused:
            with pytest.raises(SolveError, match="out of balance"):
                solve_equilibrium(given[0], np.ones(12), [], [], np.zeros(12), Silent(), constraints=given[1])
            continue
        x, _, _ = solve_equilibrium(
            given[0], np.ones(12), [], [], np.zeros(12), Silent(), constraints=given[1]
        )
        assert x[0] == pytest.approx(12.0) and x[5] == pytest.approx(x[6])


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_a_load_that_is_no_number_is_told_as_such(number, sparse):
    load = np.array([1.0, number, 0.0])
    held, alike = np.eye(3), np.array([[0.0, 1.0, -1.0]])
    given = [sp.csr_matrix(a) for a in (held, alike)] if sparse else [held, alike]
    for constraints in (None, given[1]):
        with pytest.raises(SolveError, match="load of the static equilibrium is not a finite number"):
            solve_equilibrium(given[0], load, [], [], np.zeros(3), Silent(), constraints=constraints)
        with pytest.raises(SolveError, match="load of the static equilibrium is not a finite number"):
            stuck_start(given[0], load, [], Silent(), constraints)


def test_a_joint_whose_force_is_no_number_is_told_as_such():
    class Broken:
        def evaluate(self, q, history, time_step, *, jacobian):
            return SimpleNamespace(force=np.full(2, np.nan), jacobian=np.zeros((2, 2)))

    with pytest.raises(SolveError, match="forces of the joints are not finite numbers"):
        solve_equilibrium(np.eye(2), np.ones(2), [Broken()], [np.zeros(0)], np.zeros(2), Silent())


def test_a_start_that_is_the_solution_takes_no_long_way():
    load = -np.random.default_rng(1).uniform(0.0, 1.0, 40)
    residual, correct = contact_chain(40, 1e3, load)
    stiffness = 2.0 * np.eye(40) - np.eye(40, k=1) - np.eye(40, k=-1)
    x, _ = solve_newton(residual, correct, np.zeros(40), Silent())
    start = x * (1.0 + 1e-9 * np.random.default_rng(2).standard_normal(40))
    _, report = solve_newton(
        residual, correct, start, Silent(), tolerance=1e-12, stored=lambda x: float(x @ stiffness @ x)
    )
    assert report.iterations == 0


def test_prescribed_motions_of_a_linear_body_are_met_at_once():
    """Closed form: the first correction is the solution of K x + Cᵀ λ = f, C x = d, and no further one is needed."""
    rng = np.random.default_rng(4)
    root = rng.standard_normal((6, 6))
    stiffness, load = root @ root.T + 6.0 * np.eye(6), rng.standard_normal(6)
    constraints, values = rng.standard_normal((2, 6)), np.array([0.3, -0.2])
    x, _, report = solve_equilibrium(
        stiffness, load, [], [], np.zeros(6), Silent(), constraints=constraints, values=values
    )
    saddle = np.block([[stiffness, constraints.T], [constraints, np.zeros((2, 2))]])
    wanted = np.linalg.solve(saddle, np.concatenate([load, values]))[:6]
    np.testing.assert_allclose(x, wanted, atol=1e-12)
    from_there = solve_equilibrium(
        stiffness, load, [], [], wanted, Silent(), constraints=constraints, values=values
    )[2]
    assert report.iterations == from_there.iterations
