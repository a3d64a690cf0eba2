"""Condensed contact equilibria, and the joint modes made of them.

Kinds of reference: the general Newton solver, and the unreduced model.
"""

import numpy as np
import pytest

from faying.errors import Cancelled, ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import JointForce, SparseJointForce
from faying.joints.kinematics import SparseRows
from faying.progress import CancelFlag, Silent
from faying.reduction import condensed
from faying.reduction.body import JointRows, build_reduced_body
from faying.reduction.condensed import CondensedContact
from faying.reduction.energy_coordinates import EnergyCoordinates, ShapeProducts
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes.equilibrium_snapshots import EquilibriumSnapshots
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.reduction.snapshot_loads import mounted_states, snapshot_loads, vectors_of
from faying.solvers.equilibrium import solve_equilibrium
from support.plates import jointed_plates

LAW = LinearPenalty(stiffness=50_000.0)
LOADS = (  # at TIP: force, moment; none of them alone among the snapshots
    (0.0, 3.0, -10.0, 20.0, 0.0, 0.0),
    (0.0, 0.0, -6.0, 150.0, 60.0, 0.0),
    (50.0, 0.0, -4.0, -120.0, 40.0, 10.0),
)


def pose(plates) -> JointModeProblem:
    components = CraigBampton(vibration_modes=6).build(plates.interior, Silent())
    return JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )


@pytest.fixture(scope="module")
def plates():
    return jointed_plates(upper=(16, 5, 1), lower=(12, 4, 1))


@pytest.fixture(scope="module")
def problem(plates):
    return pose(plates)


@pytest.mark.parametrize("n_rows", [8, 60])
def test_condensed_equilibrium_equals_that_of_the_general_solver(n_rows):
    generator = np.random.default_rng(4)
    rows, weights = generator.standard_normal((n_rows, 12)), generator.uniform(0.5, 1.5, n_rows)
    gaps, load = generator.uniform(0.0, 0.1, n_rows), generator.standard_normal(12)
    q, forces = CondensedContact(rows, LAW.stiffness * weights, gaps).equilibrium(load)

    none = np.zeros((n_rows, 2, 12))
    joint = JointForce(
        JointRows("joint", rows, none, weights, gaps, np.zeros((n_rows, 6)), np.zeros((n_rows, 2, 6))), LAW
    )
    expected, responses, _ = solve_equilibrium(
        np.eye(12), load, [joint], [joint.initial_history()], load, Silent()
    )
    assert (forces > 0).any()
    np.testing.assert_allclose(q, expected, atol=1e-9)
    np.testing.assert_allclose(forces, weights * responses[0].pressure, atol=1e-4 * forces.max())
    # The defining equations, to round-off.
    np.testing.assert_allclose(q, load + rows.T @ forces, atol=1e-12 * np.abs(forces).sum() + 1e-13)
    closing = LAW.stiffness * weights * np.maximum(-(gaps + rows @ q), 0.0)
    np.testing.assert_allclose(forces, closing, atol=1e-14 * LAW.stiffness)


def test_blocks_of_loads_in_processes_give_the_same_equilibria(monkeypatch):
    """Contract: no number depends on where it is computed."""
    generator = np.random.default_rng(6)
    rows, springs, gaps = generator.standard_normal((40, 9)), np.full(40, 1e4), np.full(40, 0.02)
    contact, loads = CondensedContact(rows, springs, gaps), generator.standard_normal((9, 37))
    closed = generator.random((40, 37)) < 0.5
    found = {}
    for worth in (np.inf, 0.0):
        monkeypatch.setattr(condensed, "_WORTH", worth)
        monkeypatch.setattr(condensed, "physical_cores", lambda: 2)
        found[worth] = contact.equilibria(loads, closed, Silent())
    each = [contact.equilibrium(load, near) for load, near in zip(loads.T, closed.T, strict=True)]
    assert (found[0.0][1] > 0.0).any()
    for k in range(2):
        np.testing.assert_array_equal(found[np.inf][k], np.column_stack([one[k] for one in each]))
        np.testing.assert_allclose(
            found[0.0][k], found[np.inf][k], rtol=1e-12, atol=1e-12 * np.abs(found[np.inf][k]).max()
        )


def test_equilibrium_starts_from_known_closed_pairs():
    generator = np.random.default_rng(5)
    rows, springs, gaps = generator.standard_normal((40, 9)), np.full(40, 1e4), np.full(40, 0.02)
    contact, load = CondensedContact(rows, springs, gaps), generator.standard_normal(9)
    q, forces = contact.equilibrium(load)
    again, same = contact.equilibrium(load, forces > 0)
    np.testing.assert_allclose(again, q, atol=1e-10)
    np.testing.assert_allclose(same, forces, atol=1e-7 * forces.max())


def test_without_contact_the_load_is_the_answer():
    contact = CondensedContact(np.eye(3), np.full(3, 1e4), np.full(3, 10.0))
    q, forces = contact.equilibrium(np.array([1.0, -2.0, 3.0]))
    np.testing.assert_array_equal(q, [1.0, -2.0, 3.0])
    assert not forces.any()


@pytest.mark.filterwarnings("error")
def test_a_motion_that_only_contact_resists_is_found_without_ill_conditioning():
    """A mass on a spring a million times weaker than its contact; reference: the balance of forces."""
    rows, springs = np.array([[1e6, 0.0], [1e6, 1.0]]), np.array([1e4, 1e4])
    q, forces = CondensedContact(rows, springs, np.zeros(2)).equilibrium(np.array([-1e6, 0.5]))
    np.testing.assert_allclose(q - rows.T @ forces, [-1e6, 0.5], rtol=1e-6)
    np.testing.assert_allclose(forces.sum(), 1.0, rtol=1e-6)


def springs_of(problem) -> np.ndarray:
    return LAW.stiffness * problem.weights


def test_energy_coordinates_measure_elastic_energy(problem):
    vectors, every = problem.trial_vectors, np.ones(len(problem.weights), bool)
    coordinates = EnergyCoordinates(ShapeProducts.of(problem, vectors), springs_of(problem), every)
    states = vectors @ coordinates.amplitudes
    stiffness = problem.interior.matrices.stiffness
    np.testing.assert_allclose(states.T @ (stiffness @ states), np.eye(states.shape[1]), atol=1e-7)
    np.testing.assert_allclose(coordinates.gaps, problem.gap_rows @ states, atol=1e-10)
    tied = np.einsum("ij,i,ij->j", coordinates.gaps, springs_of(problem), coordinates.gaps)
    np.testing.assert_allclose(coordinates.stiffening, 1.0 + tied, rtol=1e-6)


def loads_of(problem, combinations, amplitudes=(1.0,), shares=(1.0,)):
    springs = springs_of(problem)
    [state] = mounted_states(problem, springs)
    return state, snapshot_loads(problem, springs, state, combinations, amplitudes, shares)


def linear_answers(problem, loads) -> np.ndarray:
    """Return (m, N) amounts of the component modes without contact."""
    vectors = vectors_of(problem)
    stiffness = vectors.T @ (problem.interior.matrices.stiffness @ vectors)
    return np.linalg.solve(stiffness, vectors.T @ loads.forces @ loads.mixtures)


def test_loads_have_energy_one_and_come_in_both_directions(problem):
    _, loads = loads_of(problem, 10)
    answers = linear_answers(problem, loads)
    energies = np.einsum("ij,ij->j", answers, vectors_of(problem).T @ loads.forces @ loads.mixtures)
    np.testing.assert_allclose(energies, 1.0, rtol=1e-6)
    np.testing.assert_allclose(loads.sizes, 1.0, rtol=1e-6)
    assert loads.mixtures.shape[1] <= 2 * (problem.components.modes.shape[1] + 6) + 10
    single = loads.mixtures[:, :-10]
    for column in single.T:
        assert np.abs(single + column[:, None]).max(axis=0).min() < 1e-9


def test_loads_on_open_joints_reach_multiples_of_the_gap():
    problem = pose(jointed_plates(gap=0.05))
    _, loads = loads_of(problem, 4, (2.0, 6.0))
    gaps = problem.gap_rows @ vectors_of(problem)
    reach = np.abs(gaps @ linear_answers(problem, loads)).max(axis=0)
    half = len(reach) // 2
    np.testing.assert_allclose(reach[:half], 2.0 * 0.05, rtol=1e-6)
    np.testing.assert_allclose(reach[half:], 6.0 * 0.05, rtol=1e-6)


def test_what_modes_add_to_the_trial_vectors_is_orthonormal_in_the_energy(problem):
    modes, values = EquilibriumSnapshots(count=8).build(problem, Silent())
    stiffness, trial = problem.interior.matrices.stiffness, problem.trial_vectors
    common = trial.T @ (stiffness @ modes)
    inside = common.T @ np.linalg.solve(trial.T @ (stiffness @ trial), common)
    np.testing.assert_allclose(modes.T @ (stiffness @ modes) - inside, np.eye(8), atol=1e-6)
    assert (np.diff(values) <= 0).all()


def worst_error(plates, problem, method) -> float:
    """Largest error of the work of LOADS against the unreduced model."""
    modes, values = method.build(problem, Silent())
    basis = extend_basis(plates.interior, problem.components, modes, values)
    joints = [("joint", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    body = build_reduced_body(plates.model.nodes, plates.matrices, basis, plates.interfaces, joints)
    held, errors = body.clamped_to("HOLD"), []
    joint = JointForce(held.joints[0], LAW)
    for load in np.array(LOADS):
        force = load @ held.interfaces["TIP"]
        q, _, _ = solve_equilibrium(
            held.stiffness, force, [joint], [joint.initial_history()], np.zeros(held.n_coordinates), Silent()
        )
        errors.append(abs(float(force @ q) / unreduced_work(plates, load) - 1.0))
    return max(errors)


def unreduced_work(plates, load) -> float:
    transformation, rows = plates.matrices.dofs.transformation, plates.matrices.dofs.node_rows
    held = transformation[rows(plates.interfaces["HOLD"])].indices
    free = np.setdiff1d(np.arange(plates.matrices.dofs.n_dofs), held)
    gap, slip = plates.gap[:, free].tocsr(), plates.slip[:, free].tocsr()
    joint = SparseJointForce(SparseRows(gap, slip, plates.pairs.weights, plates.pairs.initial_gaps), LAW)
    force = np.asarray(load @ transformation[rows(plates.interfaces["TIP"])][:, free].toarray())
    x, responses, _ = solve_equilibrium(
        plates.matrices.stiffness[free][:, free].tocsr(), force, [joint], [joint.initial_history()],
        np.zeros(len(free)), Silent(),
    )  # fmt: skip
    assert responses[0].pressure.any()
    return float(force @ x)


@pytest.mark.parametrize("gap", [0.0, 0.02])
def test_half_as_many_modes_as_of_derivatives_give_a_smaller_error(gap):
    """The aim of the method, for combined loads that are no snapshots; reference: unreduced model."""
    plates = jointed_plates(upper=(16, 5, 1), lower=(12, 4, 1), gap=gap)
    problem = pose(plates)
    snapshots = worst_error(plates, problem, EquilibriumSnapshots(count=20))
    derivatives = worst_error(plates, problem, WeightedPod(count=40))
    assert snapshots < derivatives
    assert snapshots < 2e-4


def test_joint_that_nothing_closes_is_a_sentence(problem):
    far = JointModeProblem(
        problem.interior, problem.components, 0 * problem.gap_rows, problem.weights, problem.initial_gaps
    )
    with pytest.raises(ModelError, match="no joint modes"):
        EquilibriumSnapshots(count=3).build(far, Silent())


def test_equilibria_can_be_cancelled(problem):
    class After(CancelFlag):
        def report(self, fraction, text="", **values):
            if "round 1" in text:
                self.cancel()
            super().report(fraction, text, **values)

    with pytest.raises(Cancelled):
        EquilibriumSnapshots(count=3).build(problem, After())
