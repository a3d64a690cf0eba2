"""Trial vectors that add nothing: they are left out with a sentence, and what is computed of the others stays."""

from dataclasses import replace

import numpy as np
import pytest

from faying.fem.assembly import rigid_body_modes
from faying.progress import Silent
from faying.reduction.energy_coordinates import EnergyCoordinates, ShapeProducts
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes.equilibrium_snapshots import EquilibriumSnapshots
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.preload import PreloadModes
from faying.reduction.problem import JointModeProblem
from support.plates import jointed_plates


@pytest.fixture(scope="module")
def plates():
    return jointed_plates(upper=(6, 3, 1), lower=(5, 2, 1))


@pytest.fixture(scope="module")
def components(plates):
    return CraigBampton(vibration_modes=4).build(plates.interior, Silent())


def problem_of(plates, components, factors):
    """Return the problem with preload modes that press the plates together, by different factors."""
    pair, many = len(plates.pairs.weights), len(factors)
    pressed = plates.interior.solve(-np.asarray(plates.gap.sum(axis=0)).reshape(-1, 1))
    forces = plates.matrices.stiffness @ pressed * np.array(factors)
    preloads = PreloadModes(
        tuple(f"case {i + 1}" for i in range(many)), pressed * np.array(factors), forces,
        np.zeros((many, 1)), *np.zeros((2, many)), np.zeros(many, int),
    )  # fmt: skip
    return JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, np.zeros(pair), preloads,
        joint_sizes=(pair,),
    )  # fmt: skip


@pytest.mark.parametrize("derivatives", ["all", "preload_related", "modal_virtual_work"])
def test_joint_modes_do_not_depend_on_a_preload_mode_given_twice(plates, components, derivatives):
    method = WeightedPod(count=6, derivatives={"kind": derivatives})
    once, thrice = (problem_of(plates, components, factors) for factors in ([1.0], [1.0, 0.5, -3.0]))
    expected, values = method.build(once, Silent())
    found, others = method.build(thrice, Silent())
    np.testing.assert_allclose(others, values, rtol=1e-8)
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
    left_out = "preload modes 2, 3 as trial vectors, which depend on others"
    assert thrice.remarks == (left_out, *once.remarks) and left_out not in once.remarks


def test_a_preload_mode_among_the_component_modes_is_none_of_its_own(plates, components):
    problem = problem_of(plates, components, [1.0])
    spanned = replace(problem.preloads, modes=components.modes[:, :1] - 2.0 * components.modes[:, 3:4])
    problem = replace(problem, preloads=spanned)
    assert problem.trial_vectors.shape[1] == components.modes.shape[1] == problem.n_components
    assert problem.remarks == ("preload modes 1 as trial vectors, which depend on others",)


def test_vectors_that_add_nothing_are_left_out_by_their_numbers(plates, components):
    rng = np.random.default_rng(1)
    free = plates.interior.solve(
        plates.matrices.stiffness @ rng.normal(size=(plates.matrices.dofs.n_dofs, 2))
    )
    first, last = free.T
    spanned = components.modes[:, 0] - 2.0 * components.modes[:, 3]
    joint_modes = np.column_stack([first, spanned, last, first - 3.0 * last])
    basis = extend_basis(plates.interior, components, joint_modes, np.zeros(0))
    n = components.modes.shape[1]
    assert basis.removed == (*components.removed, "joint modes 2, 4, which depend on others")
    group = basis.groups[-1]
    assert (group.name, group.start, group.stop) == ("joint modes", n, n + 2)
    np.testing.assert_array_equal(basis.modes[:, :n], components.modes)
    # The two that stay span what was given, but for motions as a rigid body.
    given = plates.interior.without_rigid_content(joint_modes)
    error = given - basis.modes @ np.linalg.lstsq(basis.modes, given, rcond=None)[0]
    assert np.abs(error).max() < 1e-6 * np.abs(given).max()


def test_what_is_small_beside_its_group_is_left_out(plates, components):
    """Relative to the largest of its group alone, by the root of the energies: 1e-6 is the limit."""
    rng = np.random.default_rng(2)
    vectors = plates.interior.solve(
        plates.matrices.stiffness @ rng.normal(size=(plates.matrices.dofs.n_dofs, 3))
    )
    vectors /= np.sqrt(np.einsum("ij,ij->j", vectors, plates.matrices.stiffness @ vectors))
    for size in (1e-3, 1e3):
        basis = extend_basis(plates.interior, components, size * vectors * (1e-4, 1.0, 1e-8), np.zeros(0))
        assert basis.removed == (*components.removed, "joint modes 3, which depend on others")
        assert basis.modes.shape[1] == components.modes.shape[1] + 2


def test_what_nothing_resists_has_no_energy_coordinate(plates, components):
    """The rigid motion of a part beside the joint leaves round-off in its energy, which may be negative."""
    problem = JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )
    springs, every = np.ones(len(plates.pairs.weights)), np.ones(len(plates.pairs.weights), bool)
    rigid = rigid_body_modes(plates.model.nodes, plates.matrices.dofs)
    alone = EnergyCoordinates(ShapeProducts.of(problem, components.modes), springs, every)
    beside = EnergyCoordinates(
        ShapeProducts.of(problem, np.hstack([components.modes, rigid])), springs, every
    )
    assert beside.gaps.shape == alone.gaps.shape
    np.testing.assert_allclose(beside.stiffening, alone.stiffening, rtol=1e-6)
    assert np.isfinite(beside.amplitudes).all()


def test_snapshots_are_taken_beside_a_loose_part(plates, components):
    problem = JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )
    rigid = rigid_body_modes(plates.model.nodes, plates.matrices.dofs)[:, 2:3]
    loose = replace(problem, components=replace(components, modes=np.hstack([components.modes, rigid])))
    expected, found = (EquilibriumSnapshots(count=4).build(each, Silent())[1] for each in (problem, loose))
    np.testing.assert_allclose(found[:4], expected[:4], rtol=1e-4)
