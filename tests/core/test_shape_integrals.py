"""Shape integrals from the FE mass matrix. Reference: the same integrals formed node by node, another way."""

import tracemalloc
from dataclasses import replace

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.assembly import rigid_body_modes
from faying.fem.matrices import StructuralMatrices
from faying.progress import Silent
from faying.records import read_record, write_record
from faying.reduction.inertia import PAIRS, shape_integrals
from faying.reduction.methods.craig_bampton import CraigBampton
from support.flexible_bodies import plates_body, solid_box

LEVI_CIVITA = np.array([[np.cross(a, b) for b in np.eye(3)] for a in np.eye(3)])  # (e_i × e_j)_k


@pytest.fixture(scope="module")
def solid():
    return solid_box()


@pytest.fixture(scope="module")
def plates():
    return plates_body()


def test_solids_give_the_nine_integrals_exactly(solid):
    model, matrices, _, body = solid
    nodal = matrices.mass[::3, ::3].toarray()  # M = M_s ⊗ I
    assert abs(matrices.mass - sp.kron(sp.csr_matrix(nodal), np.eye(3))).max() < 1e-20
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    fields = np.hstack([model.nodes.reshape(-1, 1), rigid, body.displacements]).reshape(len(nodal), 3, -1)
    products = np.einsum("nai,nm,mbj->abij", fields, nodal, fields, optimize=True)  # ∫ρ b̂_i^a b̂_j^b
    first = np.einsum("nm,mai->ai", nodal, fields)
    inertia = body.inertia
    np.testing.assert_allclose(inertia.first, first, atol=1e-12 * abs(first).max())
    coupling = np.einsum("kab,abij->kij", LEVI_CIVITA, products)[:, :, 1:]
    np.testing.assert_allclose(inertia.coupling, coupling, atol=1e-12 * abs(coupling).max())
    for k, (i, j) in enumerate(PAIRS):
        wanted = (i == j) * np.einsum("aaij->ij", products) - 0.5 * (products[i, j] + products[j, i])
        np.testing.assert_allclose(
            inertia.second[k], 0.5 * (wanted + wanted.T), atol=1e-12 * abs(wanted).max()
        )


def test_mass_centre_and_moments_are_those_of_the_rigid_body(solid, plates):
    for nodes, body in ((solid[0].nodes, solid[3]), (plates[0].model.nodes, plates[1])):
        inertia, rigid = body.inertia, body.rigid_mass
        assert inertia.total_mass == pytest.approx(body.total_mass)
        tensor = inertia.second[:, 0, 0][[[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
        np.testing.assert_allclose(tensor, rigid[3:, 3:], rtol=1e-10, atol=1e-12 * rigid.max())
        low, high = nodes.min(axis=0), nodes.max(axis=0)
        np.testing.assert_allclose(inertia.centre_of_mass[:2], 0.5 * (low + high)[:2], atol=0.5)
        assert abs(inertia.rigid_content).max() < 1e-10 * abs(inertia.first).max()


def test_a_clamped_body_has_the_integrals_of_its_own_modes(plates):
    jointed, body = plates
    modes = CraigBampton(vibration_modes=6).build(jointed.interior, Silent()).modes
    held = body.clamped_to("HOLD")
    node = jointed.interfaces["HOLD"]
    dofs = jointed.matrices.dofs
    rigid = rigid_body_modes(jointed.model.nodes, dofs)
    rows = dofs.transformation[dofs.node_rows(node)]
    clamped = modes - rigid @ np.linalg.solve(rows @ rigid, rows @ modes)
    wanted = shape_integrals(jointed.model.nodes, jointed.matrices, clamped)
    for name in ("first", "coupling", "second"):
        own, expected = getattr(held.inertia, name), getattr(wanted, name)
        np.testing.assert_allclose(own, expected, atol=1e-10 * abs(expected).max())
    mass = clamped.T @ (jointed.matrices.mass @ clamped)
    np.testing.assert_allclose(held.mass, mass, atol=1e-10 * abs(mass).max())


def assert_formed_alike(solid, mass, otherwise):
    """Compare the integrals of a mass with those of nearly the same one that is summed in the other way."""
    model, matrices, _, body = solid
    found, wanted = (
        shape_integrals(model.nodes, replace(matrices, mass=each.tocsr()), body.displacements)
        for each in (mass, otherwise)
    )
    for name in ("first", "coupling", "second"):
        expected = getattr(wanted, name)
        np.testing.assert_allclose(getattr(found, name), expected, atol=1e-9 * abs(expected).max())
        assert abs(getattr(body.inertia, name) - expected).max() > 1e-3 * abs(expected).max()


def test_nodes_of_unlike_masses_in_two_directions_are_told_from_the_others(solid):
    """Kind: the other way of forming them, by which all nodes go whose mass couples directions, however little."""
    _, matrices, _, _ = solid
    scale = np.ones(matrices.mass.shape[0])
    scale[1 : len(scale) // 2 : 3] = 1.3
    unlike = (sp.diags(scale) @ matrices.mass @ sp.diags(scale)).tocsr()
    between = sp.kron(sp.eye(len(scale) // 3), np.fliplr(np.eye(3)) - np.diag([0.0, 1.0, 0.0]))
    coupled = unlike + 1e-12 * matrices.mass.max() * between
    assert_formed_alike(solid, unlike, coupled)


def test_nodes_whose_mass_couples_directions_are_told_from_the_others(solid):
    """Kind: the other way of forming them, by which all nodes go whose mass differs between directions."""
    model, matrices, _, _ = solid
    n = len(model.nodes)
    some = sp.diags((np.arange(n) % 3 == 0).astype(float))
    coupled = matrices.mass + 0.2 * matrices.mass.max() * sp.kron(some, np.ones((3, 3)) - np.eye(3))
    unlike = coupled + 1e-11 * matrices.mass.max() * sp.kron(sp.eye(n), np.diag([0.0, 1.0, 0.0]))
    assert_formed_alike(solid, coupled, unlike)


def test_solids_need_less_memory_than_bodies_whose_mass_couples_directions(solid):
    """What each node costs is the greater part of a large body's; measured: 0.3."""
    model, matrices, _, body = solid
    between = sp.kron(sp.eye(len(model.nodes)), np.ones((3, 3)) - np.eye(3))
    coupled = (matrices.mass + 1e-12 * matrices.mass.max() * between).tocsr()
    needed = []
    for mass in (matrices.mass, coupled, matrices.mass, coupled):
        tracemalloc.start()
        shape_integrals(model.nodes, replace(matrices, mass=mass), body.displacements)
        needed.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert needed[2] < 0.6 * needed[3]


def test_an_added_mass_is_the_same_as_one_in_the_matrix(solid):
    model, matrices, _, body = solid
    node, mass = body.interface_nodes["node 2"], 3e-6
    dofs = 3 * node + np.arange(3)
    extra = sp.csr_matrix((np.full(3, mass), (dofs, dofs)), shape=matrices.mass.shape)
    heavier = StructuralMatrices(
        matrices.stiffness, (matrices.mass + extra).tocsr(), matrices.dofs, matrices.constraints
    )
    wanted = shape_integrals(model.nodes, heavier, body.displacements)
    found = body.with_mass_at("node 2", mass)
    for name in ("first", "coupling", "second"):
        expected = getattr(wanted, name)
        np.testing.assert_allclose(getattr(found.inertia, name), expected, atol=1e-11 * abs(expected).max())
    modal = body.displacements.T @ (heavier.mass @ body.displacements)
    np.testing.assert_allclose(found.mass, modal, atol=1e-11 * abs(modal).max())


def test_the_drift_of_the_centre_of_mass_is_right_with_couplings(plates):
    """∫ρ e × (x + Φ q) is e × ∫ρ (x + Φ q), which turning couplings alone would miss."""
    inertia = plates[1].inertia
    for k, axis in enumerate(np.eye(3)):
        drift = inertia.coupling[k][:, :3].T  # momentum of e_k × b̂ along the three translations
        np.testing.assert_allclose(
            drift, np.cross(axis, inertia.first, axisb=0, axisc=0), atol=1e-12 * abs(inertia.first).max()
        )


def test_integrals_survive_the_file(plates, tmp_path):
    with h5py.File(tmp_path / "body.h5", "w") as file:
        write_record(file, "body", plates[1])
    with h5py.File(tmp_path / "body.h5") as file:
        again = read_record(file["body"])
    np.testing.assert_array_equal(again.inertia.second, plates[1].inertia.second)


def test_a_reduced_body_without_integrals_can_still_be_clamped(plates):
    body = replace(plates[1], inertia=None)
    np.testing.assert_allclose(
        body.clamped_to("HOLD").mass,
        plates[1].clamped_to("HOLD").mass,
        atol=1e-9 * plates[1].mass.max(),
    )


def test_imported_like_matrices_without_structure_give_positive_inertia(plates):
    """Any symmetric positive mass over the dof map will do: the energy is a sum of squares."""
    jointed, _ = plates
    rng = np.random.default_rng(3)
    modes = CraigBampton(vibration_modes=6).build(jointed.interior, Silent()).modes
    mass = jointed.matrices.mass
    scale = sp.diags(rng.uniform(0.7, 1.3, mass.shape[0]))
    rough = replace(jointed.matrices, mass=(scale @ mass @ scale).tocsr())
    inertia = shape_integrals(jointed.model.nodes, rough, modes)
    for _ in range(20):
        shape = np.concatenate(
            [[1.0], np.zeros(6), 0.3 * rng.normal(size=modes.shape[1]) / abs(modes).max(0)]
        )
        tensor = np.einsum("i,kij,j->k", shape, inertia.second, shape)[[[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
        assert np.linalg.eigvalsh(tensor).min() > 0.0
