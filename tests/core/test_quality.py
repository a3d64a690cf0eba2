"""Measures of a reduction's quality. Kinds of reference: closed form, and the full model by dense algebra."""

import numpy as np
import pytest
import scipy.linalg as la

from faying.progress import Silent
from faying.reduction import quality
from faying.reduction.body import build_reduced_body
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.methods.guyan import Guyan
from support.plates import jointed_plates


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


def reduced_body(plates, method):
    basis = method.build(plates.interior, Silent())
    return build_reduced_body(plates.model.nodes, plates.matrices, basis, plates.interfaces, [])


@pytest.fixture(scope="module")
def body(plates):
    return reduced_body(plates, CraigBampton(vibration_modes=8))


def chain(n):
    """A chain of n unit masses and springs between two walls: ω = 2 sin(kπ / 2(n + 1))."""
    return 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1), np.eye(n)


def test_frequency_differences():
    found = quality.relative_frequency_differences(np.array([1.1, 2.0, 9.0]), np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, [0.1, 0.0])


def test_assurance_of_the_same_and_of_orthogonal_modes():
    stiffness, mass = chain(6)
    _, modes = la.eigh(stiffness, mass)
    np.testing.assert_allclose(quality.modal_assurance(modes, -3.0 * modes), np.eye(6), atol=1e-12)
    between = quality.modal_assurance(np.array([[1.0], [0.0]]), np.array([[1.0], [1.0]]))
    assert between[0, 0] == pytest.approx(0.5)  # cos² 45°


def test_assurance_in_the_mass():
    heavy = np.diag([4.0, 1.0])
    first, second = np.array([[1.0], [0.0]]), np.array([[1.0], [2.0]])
    assert quality.modal_assurance(first, second, heavy)[0, 0] == pytest.approx(0.5)


def test_condition_does_not_depend_on_lengths():
    c = 0.6
    matrix = np.array([[1.0, c], [c, 1.0]])
    scale = np.diag([1e-4, 1e5])
    assert quality.condition_number(scale @ matrix @ scale) == pytest.approx((1 + c) / (1 - c))
    assert quality.condition_number(np.ones((2, 2))) > 1e15


def test_effective_masses_of_a_chain_sum_to_its_mass():
    stiffness, mass = chain(12)
    _, modes = la.eigh(stiffness, mass)
    masses = quality.effective_masses(modes, mass, np.ones((12, 1)))
    assert masses.sum() == pytest.approx(12.0)
    assert masses[0, 0] > 0.8 * 12.0 and masses[1, 0] == pytest.approx(0.0, abs=1e-12)
    longer = quality.effective_masses(modes * np.arange(1.0, 13.0), mass, np.ones((12, 1)))
    np.testing.assert_allclose(longer, masses, atol=1e-12)  # however long the modes are


def test_effective_masses_of_held_plates_sum_to_the_moving_mass(plates):
    inner = plates.interior.interior_dofs
    K = plates.matrices.stiffness[inner][:, inner].toarray()
    M = plates.matrices.mass[inner][:, inner].toarray()
    _, modes = la.eigh(K, M)
    rigid = np.zeros((plates.matrices.dofs.n_dofs, 3))
    for axis in range(3):
        rows = plates.matrices.dofs.displacement_rows
        unit = np.zeros(rows.shape[0])
        unit[axis::3] = 1.0
        rigid[:, axis] = np.linalg.lstsq(rows.toarray(), unit, rcond=None)[0]
    masses = quality.effective_masses(modes, M, rigid[inner])
    for axis in range(3):
        moving = rigid[inner, axis] @ M @ rigid[inner, axis]
        assert masses[:, axis].sum() == pytest.approx(moving, rel=1e-8)


def test_free_frequencies_of_the_full_model(plates):
    frequencies, modes = quality.free_frequencies(plates.interior, 5, Silent())
    exact = la.eigh(plates.matrices.stiffness.toarray(), plates.matrices.mass.toarray(), eigvals_only=True)[
        6:11
    ]
    np.testing.assert_allclose(frequencies, np.sqrt(exact) / (2 * np.pi), rtol=1e-6)
    assert modes.shape == (plates.matrices.dofs.n_dofs, 5)


def test_reduced_frequencies_bound_the_full_ones_and_improve_with_modes(plates, body):
    full, _ = quality.free_frequencies(plates.interior, 5, Silent())
    few = quality.reduced_frequencies(reduced_body(plates, Guyan()))[0]
    many = quality.reduced_frequencies(body)[0]
    np.testing.assert_allclose(many[: len(body.frequencies)], body.frequencies, rtol=1e-8)
    worse = quality.relative_frequency_differences(few, full)
    better = quality.relative_frequency_differences(many, full)
    assert (better > -1e-8).all() and (worse > -1e-8).all()
    assert better[:4].max() < 0.02 < worse[:4].max()


def test_fixed_interface_frequencies_of_the_reduced_body_are_those_of_the_full(plates, body):
    """Craig-Bampton holds the fixed-interface modes themselves, so they come back."""
    inner = plates.interior.interior_dofs
    K = plates.matrices.stiffness[inner][:, inner].toarray()
    M = plates.matrices.mass[inner][:, inner].toarray()
    exact = np.sqrt(la.eigh(K, M, eigvals_only=True)[:6]) / (2 * np.pi)
    clamped = body.clamped_to("HOLD")
    np.testing.assert_allclose(quality.reduced_frequencies(clamped, ["HOLD", "TIP"])[0][:6], exact, rtol=1e-6)


def test_frequencies_of_a_body_held_at_one_interface(plates, body):
    K, M, dofs = plates.matrices.stiffness, plates.matrices.mass, plates.matrices.dofs
    held = dofs.transformation[dofs.node_rows(plates.interfaces["HOLD"])].indices
    free = np.setdiff1d(np.arange(dofs.n_dofs), held)
    exact = la.eigh(K[free][:, free].toarray(), M[free][:, free].toarray(), eigvals_only=True)[:3]
    found = quality.reduced_frequencies(body.clamped_to("HOLD"))[0][:3]
    differences = quality.relative_frequency_differences(found, np.sqrt(exact) / (2 * np.pi))
    assert (differences > -1e-8).all() and differences.max() < 0.01


def test_static_error():
    assert quality.static_error(np.array([3.0, 4.4]), np.array([3.0, 4.0])) == pytest.approx(0.08)


def test_transfer_error_is_that_of_frobenius_at_each_frequency():
    full = np.array([[[3.0, 0.0], [0.0, 4.0j]], [[1.0, 1.0], [1.0, 1.0]]])
    reduced = full + np.array([[[0.3, 0.0], [0.4j, 0.0]], [[0.0, 0.0], [0.0, 0.0]]])
    np.testing.assert_allclose(quality.transfer_error(reduced, full), [0.1, 0.0])


def test_a_step_is_a_twentieth_of_the_shortest_period():
    assert quality.admissible_step(500.0) == pytest.approx(1e-4)
