"""Systems of many parts: their iteration matrix has few entries, and all angles are counted together."""

from dataclasses import replace
from importlib.util import find_spec

import h5py
import numpy as np
import pytest

from faying.multibody.rigid_kernels import write_imbalance
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.multibody.term_kernels import add_constraints, write_equations, write_motions, write_rows
from faying.params import build
from faying.progress import Silent
from faying.records import read_record, write_record
from faying.solvers.integrators import _newton, consistent_start, integrators
from faying.solvers.integrators._factored import FullFactors, SparseFactors, factored
from faying.solvers.integrators._scheme import Rule
from support.systems import BAR

BARS = 14  # 182 equations


def chain() -> tuple[MultibodySystem, np.ndarray, np.ndarray]:
    """Return bars in a row, turned against each other in their hinges' starts, and where they are at first."""
    parts = [
        {**BAR, "name": f"bar{k}", "placement": {"position": (1.0 * k + 0.5, 0, 0)}} for k in range(BARS)
    ]
    ends = [("ground.pivot", "bar0.left"), *((f"bar{k}.right", f"bar{k + 1}.left") for k in range(BARS - 1))]
    kinds = ("revolute", "spherical", "universal")
    hinges = [
        {"kind": kinds[k % 3], "name": f"hinge{k}", "first": first, "second": second}
        for k, (first, second) in enumerate(ends)
    ]
    words = {"name": "chain", "gravity": (0, -9.81, 0), "ground": [{"name": "pivot"}]}
    spec = build(SystemSpec, {**words, "parts": parts, "constraints": hinges})
    system = spec.build({})
    return system, *spec.start(system)


@pytest.fixture(scope="module")
def system_with_start():
    return chain()


def rule(by_q: float = 1e-6) -> Rule:
    return Rule(1e-3, np.zeros(0), np.zeros(0), by_q, 1e-3, 1.0, 1.0, np.zeros(0))


def test_angles_of_all_pairs_are_those_of_each_with_full_turns(system_with_start) -> None:
    system, q, _ = system_with_start
    rng = np.random.default_rng(2)
    moved = q + 0.3 * rng.normal(size=system.n)
    turns = tuple(2.0 * np.pi * rng.integers(-3, 4, size=1) + 0.1 for _ in range(BARS))
    last = replace(system.initial_history(), angles=turns)
    found = system.accepted(0.0, moved, last).angles
    for member, near, angle in zip(system.constraint_members, turns, found, strict=True):
        markers = [system.motion(name, moved) for name in member.marker_names()]
        np.testing.assert_allclose(angle, member.angles(markers, near), atol=1e-12)
        assert abs(angle[0] - near[0]) <= np.pi + 1e-12


def test_factors_of_few_entries_solve_like_full_ones_and_can_be_stored(system_with_start, tmp_path) -> None:
    system, q, _ = system_with_start
    rows = system.constraints(0.0, q, system.initial_history())[1]
    matrix = np.block([[system.mass(q), rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    found = factored(matrix, rule())
    assert isinstance(found, SparseFactors) and not found.is_singular
    right = np.random.default_rng(1).normal(size=len(matrix))
    full = FullFactors.of(matrix, rule()).solve(right)
    np.testing.assert_allclose(found.solve(right), full, atol=1e-10 * np.abs(full).max())
    with h5py.File(tmp_path / "factors.h5", "w") as file:
        write_record(file, "it", found)
        again = read_record(file["it"])
    assert (again.solve(right) == found.solve(right)).all()
    matrix[-1] = matrix[:, -1] = 0.0
    assert factored(matrix, rule()).is_singular


def test_small_or_full_matrices_have_full_factors() -> None:
    assert isinstance(factored(np.eye(100), rule()), FullFactors)
    assert isinstance(factored(np.ones((200, 200)) + np.eye(200), rule()), FullFactors)


def test_a_chain_moves_the_same_by_either_factors(system_with_start, monkeypatch) -> None:
    system, q, v = system_with_start
    start = consistent_start(system, 0.0, q, v, system.initial_history())
    scheme = integrators["generalized_alpha"](fixed_step=True, largest_step=2e-3, tolerance=1e-6)

    def end() -> np.ndarray:
        states = [start]
        scheme.integrate(system, start, 0.04, lambda before, after: states.append(after), Silent())
        return states[-1].q

    sparse = end()
    monkeypatch.setattr(_newton, "factored", lambda matrix, own: FullFactors.of(matrix.toarray(), own))
    np.testing.assert_allclose(sparse, end(), atol=1e-10)


def test_the_residual_without_matrices_is_that_with_them(system_with_start) -> None:
    system, q, _ = system_with_start
    rng = np.random.default_rng(3)
    q, v, a = q + 0.1 * rng.normal(size=system.n), rng.normal(size=system.n), rng.normal(size=system.n)
    history, multipliers = system.initial_history(), rng.normal(size=system.n_constraints)
    for own in (system, system.without((4, 11))):  # some equations left out
        kept = multipliers[: own.n_constraints]
        values, rows = own.constraints(0.0, q, history)
        force = own.mass(q) @ a + rows.T @ kept - own.forces(0.0, q, v, history, jacobian=False).force
        found = own.residual(0.0, q, v, a, kept, history)
        np.testing.assert_allclose(found, [*force, *values], atol=1e-12 * np.abs(force).max())
    np.testing.assert_allclose(system.inertia_forces(q, a), system.mass(q) @ a, atol=1e-13)


def test_the_sparse_tangent_is_the_sum_of_full_matrices(system_with_start) -> None:
    system, q, _ = system_with_start
    rng, weights = np.random.default_rng(4), (0.3, 0.2, 1.4)
    q, v, a = q + 0.1 * rng.normal(size=system.n), rng.normal(size=system.n), rng.normal(size=system.n)
    history, multipliers = system.initial_history(), rng.normal(size=system.n_constraints)
    for own in (system, system.without((4, 11))):
        kept, n = multipliers[: own.n_constraints], own.n
        forces, rows = own.forces(0.0, q, v, history, jacobian=True), own.constraints(0.0, q, history)[1]
        whole = np.zeros((n + len(rows), n + len(rows)))
        whole[:n, :n] = (
            weights[2] * own.mass(q) - weights[0] * forces.d_position - weights[1] * forces.d_velocity
        )
        whole[:n, :n] += weights[0] * own.inertia_and_constraint_jacobian(0.0, q, a, kept, history)
        whole[:n, n:], whole[n:, :n] = rows.T, rows
        found = own.tangent(0.0, q, v, a, kept, history, weights)
        np.testing.assert_allclose(found.toarray(), whole, atol=1e-12 * np.abs(whole).max())
        assert found.nnz < 0.15 * whole.size


def test_the_tangent_is_the_derivative_of_the_residual_with_forces_drives_and_gears() -> None:
    rods = [
        {**BAR, "name": name, "placement": {"position": (x, 0, 0)}}
        for name, x in (("one", 0.5), ("two", 2.5))
    ]
    constraints = [
        {"kind": "revolute", "name": "first", "first": "ground.a", "second": "one.left"},
        {"kind": "revolute", "name": "second", "first": "ground.b", "second": "two.left"},
        {"kind": "gear", "name": "pair", "first_carrier": "ground.a", "first_wheel": "one.left",
         "second_carrier": "ground.b", "second_wheel": "two.left", "ratio": -2.0},
        {"kind": "prescribed_angular_speed", "name": "drive", "first": "ground.a", "second": "one.left", "speed": 3.0},
    ]  # fmt: skip
    forces = [
        {"kind": "spring_damper", "name": "spring", "first": "one.right", "second": "two.left", "stiffness": 70.0,
         "damping": 3.0, "free_length": 0.3, "preload": 2.0},
        {"kind": "torsion_spring", "name": "turn", "first": "ground.b", "second": "two.left", "stiffness": 4.0},
    ]  # fmt: skip
    ground = [{"name": "a"}, {"name": "b", "position": (2, 0, 0)}]
    words = {"name": "gears", "gravity": (0, -9.81, 0), "ground": ground, "parts": rods}
    spec = build(SystemSpec, {**words, "constraints": constraints, "forces": forces})
    system, rng = spec.build({}), np.random.default_rng(5)
    q = spec.start(system)[0]
    history, n = system.accepted(0.0, q, system.initial_history()), system.n
    q = q + 0.05 * rng.normal(size=n)
    v, a, multipliers = rng.normal(size=n), rng.normal(size=n), rng.normal(size=system.n_constraints)
    step, weights = 1e-6, (0.7, 0.4, 1.3)

    def residual(way: np.ndarray, pull: np.ndarray) -> np.ndarray:
        moved = (own + weight * way for own, weight in zip((q, v, a), weights, strict=True))
        return system.residual(0.1, *moved, multipliers + pull, history)

    columns = [
        (residual(step * unit[:n], step * unit[n:]) - residual(-step * unit[:n], -step * unit[n:]))
        / (2.0 * step)
        for unit in np.eye(n + system.n_constraints)
    ]
    wanted = np.array(columns).T
    wanted[n:, :n] /= weights[0]  # C_q is next to its transpose, without a weight
    found = system.tangent(0.1, q, v, a, multipliers, history, weights).toarray()
    np.testing.assert_allclose(found, wanted, atol=1e-7 * np.abs(wanted).max())


@pytest.mark.skipif(find_spec("numba") is None, reason="without numba there is no machine code")
def test_kernels_are_compiled_once_whatever_the_arrays(system_with_start) -> None:
    """Read-only and strided coordinates do not compile them again, which would take seconds."""
    system, q, _ = system_with_start
    read_only, strided = q.copy(), np.stack([q, q], axis=1)[:, 0]
    read_only.flags.writeable = False
    history = system.initial_history()
    for own in (q, read_only, strided):
        system.forces(0.0, own, own, history, jacobian=True)
        system.constraints(0.0, own, history)
        system.reactions(0.0, own, np.ones(system.n_constraints), history)
        system.accepted(0.0, own, history)
        system.residual(0.0, own, own, own, np.ones(system.n_constraints), history)
    for kernel in (write_imbalance, add_constraints, write_motions, write_rows, write_equations):
        assert len(kernel.machine.signatures) == 1, kernel.name
