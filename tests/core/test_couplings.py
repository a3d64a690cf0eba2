"""Kinematic couplings as a transformation, distributing ones as constraints."""

import dataclasses

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.couplings import cross_matrices
from faying.fem.model import BeamSection, Coupling, ElementBlock
from faying.linalg.factor import factorize
from support.boxes import box

ALL = (1, 2, 3, 4, 5, 6)
SIZE = (4.0, 2.0, 1.0)
SECTION = BeamSection(3.0, 1.0, 1.0, 2.0, (0.0, 0.0, 1.0), 0.89)


def _bar(kind="kinematic", *, extra=((4.5, 1.0, 0.5),), components=ALL, weights=None, **options):
    """Return a box with its x = max face coupled to a reference node in front of it."""
    plain = box("hex8_full", (4, 2, 1), SIZE)
    nodes = plain.node_sets["XMAX"]
    reference = len(plain.nodes)
    weights = np.ones(len(nodes)) if weights is None else weights(plain.nodes[nodes])
    coupling = Coupling("TIP", kind, reference, nodes, components, weights)
    return box("hex8_full", (4, 2, 1), SIZE, couplings=(coupling,), extra_nodes=extra, **options)


def _clamped(model, matrices):
    held = model.node_sets["XMIN"]
    rows = (3 * held[:, None] + np.arange(3)).ravel()
    picked = matrices.dofs.transformation[rows]
    return np.setdiff1d(np.arange(matrices.dofs.n_dofs), picked.indices)


def _rigid_full(model, matrices):
    dofs = matrices.dofs
    full = np.zeros((dofs.transformation.shape[0], 6))
    full[: 3 * len(model.nodes), :3] = np.tile(np.eye(3), (len(model.nodes), 1))
    full[: 3 * len(model.nodes), 3:] = cross_matrices(model.nodes).reshape(-1, 3)
    full[3 * len(model.nodes) :, 3:] = np.tile(np.eye(3), (len(dofs.rotation_nodes), 1))
    return full


@pytest.mark.parametrize("kind", ["kinematic", "distributing"])
def test_rigid_motions_cost_nothing_and_are_reproduced(kind):
    model = _bar(kind)
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    np.testing.assert_allclose(matrices.dofs.transformation @ rigid, _rigid_full(model, matrices), atol=1e-13)
    size = np.abs(matrices.stiffness).max() * np.abs(rigid).max()
    assert np.abs(matrices.stiffness @ rigid).max() < 1e-13 * size
    np.testing.assert_allclose(matrices.constraints @ rigid, 0.0, atol=1e-13)
    mass = rigid.T @ (matrices.mass @ rigid)
    total = 7.85e-9 * np.prod(SIZE)
    np.testing.assert_allclose(np.diag(mass)[:3], total, rtol=1e-13)
    # About the origin: m c × and the inertia of a box.
    about_x = total * (SIZE[1] ** 2 + SIZE[2] ** 2) / 3
    assert mass[3, 3] == pytest.approx(about_x, rel=1e-12)


def test_kinematic_elimination_equals_the_dense_congruence():
    model = _bar()
    bare = dataclasses.replace(model, couplings=())
    matrices, full = assemble(model), assemble(bare)
    # The bare model has no dofs for the loose reference node, the same order otherwise.
    T = matrices.dofs.transformation.toarray()
    E = full.dofs.transformation.toarray()
    for coupled, plain in ((matrices.stiffness, full.stiffness), (matrices.mass, full.mass)):
        expected = T[: E.shape[0]].T @ E @ plain.toarray() @ E.T @ T[: E.shape[0]]
        np.testing.assert_allclose(coupled.toarray(), expected, atol=1e-12 * np.abs(expected).max())
    assert matrices.dofs.n_dofs == full.dofs.n_dofs - 3 * len(model.couplings[0].nodes) + 6
    assert matrices.dofs.rotation_nodes.tolist() == [len(model.nodes) - 1]


def test_kinematic_coupling_of_some_components_leaves_the_others_free():
    model = _bar(components=(1, 3))
    matrices = assemble(model)
    displacement = matrices.dofs.transformation
    reference = model.couplings[0].reference
    x = np.random.default_rng(0).standard_normal(matrices.dofs.n_dofs)
    u = displacement @ x
    full = u[matrices.dofs.node_rows(reference)]
    for node in model.couplings[0].nodes:
        rigid = full[:3] + np.cross(full[3:], model.nodes[node] - model.nodes[reference])
        np.testing.assert_allclose(u[3 * node : 3 * node + 3][[0, 2]], rigid[[0, 2]], atol=1e-13)
        assert np.diff(displacement.indptr)[3 * node + 1] == 1
        assert abs(u[3 * node + 1] - rigid[1]) > 1e-6


def test_distributing_reference_is_the_weighted_mean_and_distributes_its_load():
    """Reference kind: analytical (RBE3: forces in proportion to the weights, moments by the inertia)."""
    model = _bar("distributing", weights=lambda p: 1.0 + p[:, 1])
    matrices = assemble(model)
    coupling = model.couplings[0]
    free = _clamped(model, matrices)
    K, C = matrices.stiffness[free][:, free], matrices.constraints[:, free]
    factor = factorize(K, C)
    rows = np.searchsorted(
        free, matrices.dofs.transformation[matrices.dofs.node_rows(coupling.reference)].indices
    )
    load = np.zeros((len(free), 6))
    load[rows, np.arange(6)] = 1.0
    motion, forces = factor.solve_with_multipliers(load)
    np.testing.assert_allclose(C @ motion, 0.0, atol=1e-15)
    full = np.zeros((matrices.dofs.n_dofs, 6))
    full[free] = motion
    u = matrices.dofs.transformation @ full
    w = coupling.weights / coupling.weights.sum()
    points = model.nodes[coupling.nodes]
    arms = points - w @ points
    cloud = u[: 3 * len(model.nodes)].reshape(-1, 3, 6)[coupling.nodes]
    inertia = sum(wi * (r @ r * np.eye(3) - np.outer(r, r)) for wi, r in zip(w, arms, strict=True))
    rotation = la.solve(
        inertia, sum(wi * np.cross(r, ui, axisb=0, axisc=0) for wi, r, ui in zip(w, arms, cloud, strict=True))
    )
    offset = model.nodes[coupling.reference] - w @ points
    reference = u[matrices.dofs.node_rows(coupling.reference)]
    np.testing.assert_allclose(reference[3:], rotation, rtol=1e-9, atol=1e-12 * np.abs(rotation).max())
    translation = np.einsum("n,nik->ik", w, cloud) + np.cross(rotation, offset, axisa=0, axisc=0)
    np.testing.assert_allclose(reference[:3], translation, rtol=1e-9, atol=1e-12 * np.abs(translation).max())
    # The cloud's forces balance the load: -Cᵀλ on the cloud has the load's resultant.
    on_cloud = -(C.T @ forces)
    on_cloud[rows] = 0.0
    nodal = np.zeros((matrices.dofs.n_dofs, 6))
    nodal[free] = on_cloud
    rigid = rigid_body_modes(model.nodes, matrices.dofs, model.nodes[coupling.reference])
    np.testing.assert_allclose(rigid.T @ nodal, np.eye(6), atol=1e-9)
    # Only the coupled nodes carry it, and a force at the centroid is shared in proportion to the weights.
    touched = np.flatnonzero(np.abs(nodal).max(axis=1) > 1e-12)
    owners = np.unique(matrices.dofs.transformation[:, touched].tocoo().row // 3)
    assert set(owners) == set(coupling.nodes)


def test_distributing_force_at_the_centroid_follows_the_weights():
    """Reference kind: analytical."""
    model = _bar("distributing", weights=lambda p: 1.0 + p[:, 1] ** 2)
    coupling = model.couplings[0]
    share = coupling.weights / coupling.weights.sum()
    nodes = model.nodes.copy()
    nodes[coupling.reference] = share @ nodes[coupling.nodes]
    matrices = assemble(dataclasses.replace(model, nodes=nodes))
    row = matrices.constraints[2].toarray().ravel()
    columns = [matrices.dofs.transformation[3 * n + 2].indices[0] for n in coupling.nodes]
    np.testing.assert_allclose(row[columns], -share, rtol=1e-12)


def test_couplings_stay_sparse():
    model = _bar("distributing")
    bare = assemble(dataclasses.replace(model, couplings=()))
    matrices = assemble(model)
    assert matrices.stiffness.nnz == bare.stiffness.nnz
    assert matrices.constraints.shape[0] == 6


def test_a_chain_of_couplings_moves_as_one():
    plain = _bar()
    first = plain.couplings[0]
    second = Coupling(
        "HANDLE", "kinematic", first.reference + 1, np.array([first.reference]), ALL, np.ones(1)
    )
    model = _bar(extra=((4.5, 1.0, 0.5), (6.0, -1.0, 2.0)))
    model = dataclasses.replace(model, couplings=(first, second))
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    np.testing.assert_allclose(matrices.dofs.transformation @ rigid, _rigid_full(model, matrices), atol=1e-12)
    # The middle reference node follows: no dof of its own.
    assert matrices.dofs.n_dofs == assemble(plain).dofs.n_dofs
    columns = matrices.dofs.transformation[matrices.dofs.node_rows(second.reference)].indices
    moved = matrices.dofs.transformation[:, columns].toarray()
    assert np.abs(moved[3 * first.nodes]).max() > 0.0


def test_contradicting_and_circular_couplings_are_refused_by_name():
    model = _bar(extra=((4.5, 1.0, 0.5), (6.0, -1.0, 2.0)))
    first = model.couplings[0]
    other = Coupling("OTHER", "kinematic", first.reference + 1, first.nodes[:2], ALL, np.ones(2))
    with pytest.raises(ModelError, match=r"Node \d+ is moved by two couplings, 'TIP' and 'OTHER'"):
        assemble(dataclasses.replace(model, couplings=(first, other)))
    back = Coupling("BACK", "kinematic", int(first.nodes[0]), np.array([first.reference]), ALL, np.ones(1))
    with pytest.raises(ModelError, match=r"'BACK' and 'TIP' follow each other in a circle"):
        assemble(dataclasses.replace(model, couplings=(first, back)))


def test_the_same_coupling_twice_says_the_same_thing():
    model = _bar()
    again = dataclasses.replace(model.couplings[0], name="AGAIN", nodes=model.couplings[0].nodes[:3])
    twice = assemble(dataclasses.replace(model, couplings=(model.couplings[0], again)))
    once = assemble(model)
    assert abs(twice.stiffness - once.stiffness).max() == 0.0


def test_distributing_over_a_line_is_refused():
    model = _bar("distributing")
    coupling = model.couplings[0]
    line = coupling.nodes[model.nodes[coupling.nodes, 2] == 0.0]
    assert len(line) == 3
    bad = dataclasses.replace(coupling, nodes=line, weights=np.ones(3))
    with pytest.raises(ModelError, match="'TIP' lie on one line"):
        assemble(dataclasses.replace(model, couplings=(bad,)))
    for weight in (0.0, -1.0):
        weights = np.ones(len(coupling.nodes))
        weights[1] = weight
        with pytest.raises(ModelError, match="'TIP' has a weight that is not positive"):
            assemble(dataclasses.replace(model, couplings=(dataclasses.replace(coupling, weights=weights),)))


def test_nodes_of_nothing_and_references_of_one_node_leave_no_loose_dofs():
    model = _bar(extra=((4.5, 1.0, 0.5), (4.0, 0.0, 0.0), (9.0, 9.0, 9.0)))
    at_place = Coupling("POINT", "kinematic", len(model.nodes) - 2, np.array([0]), ALL, np.ones(1))
    nodes = model.nodes.copy()
    nodes[at_place.reference] = nodes[0]
    model = dataclasses.replace(model, nodes=nodes, couplings=(*model.couplings, at_place))
    matrices = assemble(model)
    assert (matrices.stiffness.diagonal() > 0.0).all()
    free = _clamped(model, matrices)
    factorize(matrices.stiffness[free][:, free])
    last = matrices.dofs.transformation[3 * (len(model.nodes) - 1) :][:3]
    assert last.nnz == 0


def test_a_beam_between_two_coupled_faces_carries_them():
    model = _bar(extra=((4.5, 1.0, 0.5), (5.5, 1.0, 0.5)))
    beam = ElementBlock(
        "beam2",
        "B31",
        np.array([900]),
        np.array([[len(model.nodes) - 2, len(model.nodes) - 1]]),
        "STEEL",
        SECTION,
    )
    model = dataclasses.replace(model, blocks=(*model.blocks, beam))
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    np.testing.assert_allclose(matrices.dofs.transformation @ rigid, _rigid_full(model, matrices), atol=1e-13)
    size = np.abs(matrices.stiffness).max() * np.abs(rigid).max()
    assert np.abs(matrices.stiffness @ rigid).max() < 1e-13 * size
    total = 7.85e-9 * (np.prod(SIZE) + SECTION.area * 1.0)
    np.testing.assert_allclose(np.diag(rigid.T @ (matrices.mass @ rigid))[:3], total, rtol=1e-12)
    free = _clamped(model, matrices)
    factor = factorize(matrices.stiffness[free][:, free])
    end = np.searchsorted(
        free, matrices.dofs.transformation[matrices.dofs.node_rows(len(model.nodes) - 1)].indices
    )
    near = np.searchsorted(
        free, matrices.dofs.transformation[matrices.dofs.node_rows(len(model.nodes) - 2)].indices
    )
    load = np.zeros(len(free))
    load[end[0]] = 1.0
    x = factor.solve(load)
    assert x[end[0]] - x[near[0]] == pytest.approx(1.0 / (210000.0 * SECTION.area), rel=1e-6)
