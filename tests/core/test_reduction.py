"""Reduction: Craig-Bampton, trial vector derivatives, joint modes, the reduced body.

Kinds of reference: closed form, the unreduced model, and the printed algorithm of the thesis.
"""

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from support.derivatives import all_derivatives
from support.plates import jointed_plates


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def components(plates):
    return CraigBampton(vibration_modes=6).build(plates.interior, Silent())


@pytest.fixture(scope="module")
def problem(plates, components):
    return JointModeProblem(
        plates.interior, components, plates.gap, plates.pairs.weights, plates.pairs.initial_gaps
    )


@pytest.fixture(scope="module")
def body(plates, problem, components):
    modes, values = WeightedPod(count=10).build(problem, Silent())
    basis = extend_basis(plates.interior, components, modes, values)
    joints = [("joint", plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps)]
    return build_reduced_body(plates.model.nodes, plates.matrices, basis, plates.interfaces, joints)


def test_component_modes_are_free_free_and_orthonormal(plates, components):
    phi, K, M = components.modes, plates.matrices.stiffness, plates.matrices.mass
    m = phi.shape[1]
    assert m == 6 + 12 - 6
    np.testing.assert_allclose(phi.T @ M @ phi, np.eye(m), atol=1e-9)
    square = (2 * np.pi * components.frequencies) ** 2
    np.testing.assert_allclose(phi.T @ K @ phi, np.diag(square), atol=1e-8 * square[-1])
    rigid = plates.interior.rigid_modes
    assert np.abs(rigid.T @ (M @ phi)).max() < 1e-9
    np.testing.assert_allclose(rigid.T @ (M @ rigid), np.eye(6), atol=1e-9)
    assert "6 directions" in components.removed[0]


def test_frequencies_bound_those_of_the_full_model_from_above(plates, components):
    K, M = plates.matrices.stiffness.toarray(), plates.matrices.mass.toarray()
    exact = np.sqrt(np.maximum(la.eigh(K, M, eigvals_only=True), 0.0)) / (2 * np.pi)
    exact = exact[6:]
    found = components.frequencies[:5]
    assert (found >= exact[:5] * (1 - 1e-7)).all()
    np.testing.assert_allclose(found[:4], exact[:4], rtol=1e-2)


def test_statics_of_interface_loads_are_exact_without_contact(plates, body):
    held = body.clamped_to("HOLD")
    force = held.interfaces["TIP"].T @ np.array([3.0, -2.0, 10.0, 5.0, 7.0, -4.0])
    q = np.linalg.solve(held.stiffness, force)

    K, T = plates.matrices.stiffness, plates.matrices.dofs.transformation
    node_rows = plates.matrices.dofs.node_rows
    f = T[node_rows(plates.interfaces["TIP"])].T @ np.array([3.0, -2.0, 10.0, 5.0, 7.0, -4.0])
    free = np.setdiff1d(np.arange(K.shape[0]), T[node_rows(plates.interfaces["HOLD"])].indices)
    x = np.zeros(K.shape[0])
    x[free] = np.linalg.solve(K[free][:, free].toarray(), f[free])
    np.testing.assert_allclose(held.displacements @ q, plates.matrices.dofs.displacement_rows @ x, atol=1e-9)
    np.testing.assert_allclose(
        held.joints[0].normal @ q, plates.gap @ x, atol=1e-9
    )  # gap rows follow the frame
    np.testing.assert_allclose((held.joints[0].tangential @ q).ravel(), plates.slip @ x, atol=1e-9)


def test_clamped_body_does_not_move_at_its_frame(plates, body):
    held = body.clamped_to("HOLD")
    at = body.interface_nodes["HOLD"]
    assert np.abs(held.displacements.reshape(-1, 3, held.n_coordinates)[at]).max() < 1e-8
    assert body.total_mass == pytest.approx(2 * 40 * 10 * 2 * 7.85e-9, rel=1e-9)
    # The mass of the clamped body is that of its displacement field.
    rng = np.random.default_rng(0)
    v = rng.normal(size=held.n_coordinates)
    field = plates_velocity(plates, held, v)
    assert v @ held.mass @ v == pytest.approx(field, rel=1e-8)


def plates_velocity(plates, held, v):
    """Kinetic energy of the nodal velocity field by the consistent mass of the solid nodes."""
    dofs = plates.matrices.dofs
    nodal = held.displacements @ v
    rows = dofs.displacement_rows
    single = np.flatnonzero(np.diff(rows.indptr) == 1)
    x = np.zeros(dofs.n_dofs)
    x[rows.indices[rows.indptr[single]]] = nodal[single]
    for name, row in plates.interfaces.items():
        x[dofs.transformation[dofs.node_rows(row)].indices] = held.interfaces[name] @ v
    return x @ (plates.matrices.mass @ x)


def literal_derivatives(plates, components):
    """All TVDs as algorithm 3.1 of the thesis prints them: 2m² solves."""
    gaps = plates.gap @ components.modes
    gaps[np.abs(gaps) < 1e-9 * np.abs(gaps).max(axis=0)] = 0.0  # round-off on the line of symmetry
    columns = []
    for j in range(gaps.shape[1]):
        for sign in (1, -1):
            closed = sign * gaps[:, j] < 0
            load = -plates.gap.T @ ((plates.pairs.weights * closed)[:, None] * gaps)
            load[plates.interior.interface_dofs] = 0.0
            columns.append(plates.interior.solve(load))
    return np.hstack(columns)


def test_derivatives_equal_those_of_the_printed_algorithm(plates, components, problem):
    derivatives = problem.derivatives(Silent())
    m = components.modes.shape[1]
    ours = all_derivatives(derivatives)
    theirs = literal_derivatives(plates, components)
    for k in range(0, ours.shape[1], 7):
        i, j, sign = derivatives.labels[k]
        column = theirs[:, (2 * j + (0 if sign > 0 else 1)) * m + i]
        assert np.linalg.norm(ours[:, k] + column) < 1e-6 * np.linalg.norm(column) + 1e-14
    assert derivatives.directions.shape[1] <= m * m + m


def test_joint_modes_equal_those_of_the_gram_matrix(plates, components, problem):
    K, g = plates.matrices.stiffness, 8
    all_tvds = literal_derivatives(plates, components)
    energy = np.sqrt(np.einsum("ij,ij->j", all_tvds, K @ all_tvds))
    kept = energy > 1e-9 * energy.max()
    normalised = all_tvds[:, kept] / energy[kept]
    values, vectors = la.eigh(normalised.T @ (K @ normalised))
    printed = normalised @ (vectors[:, ::-1][:, :g] / np.sqrt(values[::-1][:g]))

    modes, singular = WeightedPod(count=g).build(problem, Silent())
    np.testing.assert_allclose(modes.T @ (K @ modes), np.eye(g), atol=1e-8)
    np.testing.assert_allclose(singular[:g] ** 2, values[::-1][:g], rtol=1e-6)
    cosines = la.svdvals(modes.T @ (K @ printed))
    assert np.degrees(np.arccos(np.clip(cosines.min(), -1, 1))) < 0.05


def test_basis_has_full_rank_and_names_its_groups(plates, components, problem):
    modes, values = WeightedPod(count=10).build(problem, Silent())
    basis = extend_basis(plates.interior, components, modes, values)
    assert [g.name for g in basis.groups] == ["free-free modes", "joint modes"]
    assert basis.groups[-1].stop == basis.modes.shape[1] == components.modes.shape[1] + 10
    scaled = basis.modes / np.linalg.norm(basis.modes, axis=0)
    assert np.linalg.matrix_rank(scaled, tol=1e-8) == basis.modes.shape[1]
    assert 0.5 < basis.pod_ratio(5) < basis.pod_ratio(10) <= 1.0
    rigid = plates.interior.rigid_modes
    assert np.abs(rigid.T @ (plates.matrices.mass @ basis.modes)).max() < 1e-6


def test_dependent_joint_modes_are_left_out_and_named(plates, components, problem):
    modes, values = WeightedPod(count=3).build(problem, Silent())
    doubled = np.hstack([modes, modes[:, :1] + modes[:, 2:3]])
    basis = extend_basis(plates.interior, components, doubled, values)
    assert basis.modes.shape[1] == components.modes.shape[1] + 3
    assert "joint modes 4" in basis.removed[-1]


def test_no_joint_modes_leaves_the_component_modes(plates, components, problem):
    modes, values = WeightedPod(count=0).build(problem, Silent())
    basis = extend_basis(plates.interior, components, modes, values)
    np.testing.assert_array_equal(basis.modes, components.modes)


def test_interface_inside_a_coupling_is_refused(plates):
    inside = plates.model.couplings[0].nodes[:1]
    numbers = 100 + np.arange(len(plates.model.nodes))
    with pytest.raises(ModelError, match=f"Interface node {100 + inside[0]} follows another node"):
        InteriorProblem(plates.matrices, plates.model.nodes, inside, node_ids=numbers)


def test_part_held_by_contact_alone_is_a_sentence(plates):
    tip_only = InteriorProblem(
        plates.matrices, plates.model.nodes, np.array([plates.interfaces["TIP"]])
    )  # both plates still share HOLD: fine
    tip_only.prepare(Silent())
    loose = jointed_plates_loose()
    with pytest.raises(SolveError, match="can still move"):
        loose.prepare(Silent())


def jointed_plates_loose():
    from dataclasses import replace

    from faying.fem.assembly import assemble
    from support.plates import stacked_plates

    model = stacked_plates()
    upper_only = replace(
        model.couplings[0], nodes=model.couplings[0].nodes[model.couplings[0].nodes >= 5 * 3 * 2]
    )
    model = replace(model, couplings=(upper_only, model.couplings[1]))
    matrices = assemble(model, Silent())
    return InteriorProblem(matrices, model.nodes, np.array([int(model.node_sets["HOLD"][0])]))
