"""What every joint-mode method promises, and the printed algorithms of the thesis that they must agree with.

Kind of reference: the algorithms of the thesis, section 3.2.2, written out literally on a small model.
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.reduction.extend import with_load_modes
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.joint_modes._counted import count_for_ratio
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.reduction.relief_modes import relief_modes
from faying.testing import JointModeMethodContract
from support.plates import jointed_plates

KINDS = sorted(joint_mode_methods)
PODS = [kind for kind in KINDS if "ratio" in joint_mode_methods[kind].model_fields]
GRAM = {  # inner products of the printed Gram matrices: K, none, none over the forces
    "weighted_pod": "energy",
    "pod": "displacements",
    "pod_of_forces": "forces",
}


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def problem(plates):
    return pose(plates)


def pose(plates) -> JointModeProblem:
    components = CraigBampton(vibration_modes=6).build(plates.interior, Silent())
    return JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )


class TestJointModeMethods(JointModeMethodContract):
    pass


def build_modes(kind, problem, **choices):
    return build(joint_mode_methods[kind], choices).build(problem, Silent())


def test_every_pair_leaves_no_pressure_out(problem):
    """Theorem: statics are linear, so the response to any pressures is a sum of those to each pair's."""
    generator = np.random.default_rng(3)
    modes, _ = build_modes("every_pair", problem)
    forces = generator.uniform(0.0, 1.0, problem.gap_rows.shape[0])
    response = problem.interior.solve((problem.gap_rows.T @ forces)[:, None])[:, 0]
    assert modes.shape == (problem.interior.n_dofs, len(forces))
    np.testing.assert_allclose(modes @ forces, response, atol=1e-9 * np.abs(response).max())
    assert np.abs(modes[problem.interior.interface_dofs]).max() == 0.0


def test_every_pair_with_shear_leaves_no_friction_out(plates, problem):
    """Theorem: as above, for any tangential stresses as well."""
    generator = np.random.default_rng(4)
    modes, _ = build_modes("every_pair", replace(problem, slip_rows=plates.slip), shear=True)
    rows = sp.vstack([problem.gap_rows, plates.slip])
    forces = generator.uniform(-1.0, 1.0, rows.shape[0])
    response = problem.interior.solve((rows.T @ forces)[:, None])[:, 0]
    np.testing.assert_allclose(modes @ forces, response, atol=1e-9 * np.abs(response).max())


def test_problem_of_some_joints_has_their_slips_alone(plates, problem):
    n = len(plates.pairs)
    both = JointModeProblem(
        problem.interior,
        problem.components,
        sp.vstack([problem.gap_rows, 2.0 * problem.gap_rows], format="csr"),
        np.tile(problem.weights, 2),
        np.tile(problem.initial_gaps, 2),
        joint_sizes=(n, n),
        slip_rows=sp.vstack([plates.slip, 2.0 * plates.slip], format="csr"),
    )
    assert abs(both.of_joints([1]).slip_rows - 2.0 * plates.slip).max() == 0.0


@pytest.mark.parametrize("kind", sorted(GRAM))
def test_another_number_of_modes_decomposes_nothing_again(kind, plates, monkeypatch):
    posed, method = pose(plates), joint_mode_methods[kind]
    many, values = build_modes(kind, posed, count=8)
    for name in joint_mode_methods:
        if joint_mode_methods[name].is_trained:
            continue  # it decomposes none
        build_modes(name, posed, **joint_mode_methods[name].parameters_for(5))
    monkeypatch.delattr(method, "metric")
    few, again = build_modes(kind, posed, count=4)
    np.testing.assert_array_equal(few, many[:, :4])
    np.testing.assert_array_equal(values, again)


def inner_product(kind, modes, interior):
    """Gram matrix of joint modes in the inner product that its method makes them orthonormal in."""
    if GRAM[kind] == "displacements":
        return modes.T @ modes
    stiffness = interior.matrices.stiffness
    if GRAM[kind] == "energy":
        return modes.T @ (stiffness @ modes)
    forces = stiffness @ modes
    forces[interior.interface_dofs] = 0.0
    return forces.T @ forces


@pytest.mark.parametrize("kind", GRAM)
def test_modes_are_orthonormal_in_their_inner_product(kind, problem):
    modes, _ = build_modes(kind, problem, count=8)
    np.testing.assert_allclose(inner_product(kind, modes, problem.interior), np.eye(8), atol=1e-7)


def literal_vectors(problem):
    """All fictive forces and TVDs, one static load case each (thesis algorithm 3.1), without the zero ones."""
    gaps = problem.gap_rows @ problem.components.modes
    gaps[np.abs(gaps) < 1e-9 * np.abs(gaps).max(axis=0)] = 0.0  # round-off on the line of symmetry
    loads = []
    for j in range(gaps.shape[1]):
        for sign in (1, -1):
            closed = sign * gaps[:, j] < 0
            loads.append(-problem.gap_rows.T @ ((problem.weights * closed)[:, None] * gaps))
    forces = np.hstack(loads)
    forces[problem.interior.interface_dofs] = 0.0
    shapes = np.hstack([problem.interior.solve(forces[:, k : k + 1]) for k in range(forces.shape[1])])
    kept = np.linalg.norm(forces, axis=0) > 1e-10 * np.linalg.norm(forces, axis=0).max()
    return forces[:, kept], shapes[:, kept]


@pytest.mark.parametrize("kind", GRAM)
def test_modes_equal_those_of_the_printed_gram_matrix(kind, problem):
    """Thesis eqs. 3.48 to 3.54: the eigenvectors of the Gram matrix of all normalised vectors; within 0.05°."""
    g, K = 8, problem.interior.matrices.stiffness
    forces, shapes = literal_vectors(problem)
    vectors = forces if GRAM[kind] == "forces" else shapes
    metric = (lambda x: K @ x) if GRAM[kind] == "energy" else (lambda x: x)
    size = np.sqrt(np.einsum("ij,ij->j", vectors, metric(vectors)))
    normalised = vectors / size
    values, weights = la.eigh(normalised.T @ metric(normalised))
    printed = (shapes / size) @ (weights[:, ::-1][:, :g])

    modes, singular = build_modes(kind, problem, count=g)
    np.testing.assert_allclose(singular[:g] ** 2, values[::-1][:g], rtol=1e-6)
    assert np.degrees(largest_angle(modes, printed, K)) < 0.05


@pytest.mark.parametrize("kind", GRAM)
def test_pairs_that_do_not_move_make_no_difference(kind, plates, problem):
    """Without them forces go in all directions, whose basis is another one: the pairs themselves."""
    moving = np.flatnonzero(abs(problem.gap_rows @ problem.components.modes).max(axis=1) > 1e-12)
    assert 0 < len(moving) < len(plates.pairs)
    fewer = JointModeProblem(
        problem.interior,
        problem.components,
        problem.gap_rows[moving],
        problem.weights[moving],
        problem.initial_gaps[moving],
    )
    directions = [posed.derivatives(Silent()).directions for posed in (problem, fewer)]
    assert [sp.issparse(each) for each in directions] == [False, True]
    modes, values = build_modes(kind, problem, count=8)
    found, others = build_modes(kind, fewer, count=8)
    np.testing.assert_allclose(others[:8], values[:8], rtol=1e-6)
    assert np.degrees(largest_angle(found, modes, problem.interior.matrices.stiffness)) < 0.05


def largest_angle(a, b, K):
    """Largest principal angle between two subspaces in the energy, by its sine (accurate when small)."""
    a, b = (x @ la.inv(la.cholesky(x.T @ (K @ x))) for x in (a, b))
    rest = b - a @ (a.T @ (K @ b))
    return np.arcsin(min(1.0, np.sqrt(max(la.eigvalsh(rest.T @ (K @ rest))[-1], 0.0))))


@pytest.mark.parametrize("kind", PODS)
@pytest.mark.parametrize("ratio", [0.5, 0.9, 0.99])
def test_ratio_gives_the_smallest_sufficient_number(kind, ratio, problem):
    modes, values = build_modes(kind, problem, count=3, ratio=ratio)
    g, shares = modes.shape[1], np.cumsum(values**2) / np.sum(values**2)
    assert shares[g - 1] >= ratio * (1 - 1e-12)
    assert g == 1 or shares[g - 2] < ratio


def test_ratio_of_equal_values():
    assert count_for_ratio(np.ones(4), 0.5) == 2
    assert count_for_ratio(np.ones(4), 0.51) == 3
    assert count_for_ratio(np.array([1.0, 0.0]), 0.999) == 1


def test_bodies_without_motion_in_the_joint_have_no_joint_modes(plates, problem):
    still = JointModeProblem(
        problem.interior, problem.components, 0 * problem.gap_rows, problem.weights, problem.initial_gaps
    )
    with pytest.raises(ModelError, match="no joint modes"):
        build_modes("weighted_pod", still, count=3)


def test_additional_vibration_modes_begin_above_the_first_however_many_load_modes_there_are(problem):
    interior = problem.interior
    relief = relief_modes(interior, False, Silent())
    loaded = with_load_modes(interior, problem.components, relief, "inertia relief modes")
    assert loaded.modes.shape[1] > problem.components.modes.shape[1]
    found, _ = build_modes("vibration_modes", replace(problem, components=loaded), count=3)
    expected, _ = build_modes("vibration_modes", problem, count=3)
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
