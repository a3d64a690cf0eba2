"""What every element kind promises, over all members, and what single ones promise beside it."""

import dataclasses
from typing import ClassVar

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.model import BeamSection, ElementBlock, FeModel, Material, ShellSection
from faying.linalg.factor import factorize
from faying.linalg.modes import lowest_modes
from faying.testing import ElementContract
from faying.testing.contracts.elements import rigid_motions, undistorted_nodes
from support.boxes import STEEL, box

SOLIDS = [kind for kind, member in element_kinds.items() if not member.rotations and not member.is_outline]
BEAMS = [kind for kind, member in element_kinds.items() if member.rotations and not member.is_shell]
SHELLS = [kind for kind, member in element_kinds.items() if member.is_shell]
SECTION = BeamSection(12.0, 20.0, 7.0, 15.0, (0.0, 1.0, 0.0), 0.85)


def _section(kind):
    if element_kinds[kind].is_shell:
        return ShellSection(0.2, 0.05)
    return SECTION if element_kinds[kind].rotations else None


class TestElements(ElementContract):
    silent: ClassVar = {"hex20_reduced": 6}


VOLUMES = {"tet": 1.0 / 6.0, "hex": 8.0, "wedge": 1.0, "pyramid": 4.0 / 3.0}


def _shape(kind):
    return kind.split("_")[0].rstrip("0123456789")


@pytest.mark.parametrize("kind", [*BEAMS, *SHELLS, *(kind for kind in SOLIDS if _shape(kind) in VOLUMES)])
def test_mass_is_definite_and_sums_to_density_times_volume(kind):
    member, nodes = element_kinds[kind], undistorted_nodes(kind)
    M = member.mass(nodes[None], STEEL, _section(kind))[0]
    assert np.abs(M - M.T).max() <= 1e-14 * np.abs(M).max()
    assert la.eigvalsh(M)[0] > 0.0
    if member.is_shell:
        rigid = rigid_motions(element_kinds[kind], nodes)
        total = np.diag(rigid.T @ M @ rigid)[:3]
        area = 0.5 if member.n_nodes in (3, 6) else 4.0
        np.testing.assert_allclose(total, STEEL.density * 0.2 * area, rtol=1e-13)
    elif member.rotations:
        rigid = rigid_motions(element_kinds[kind], nodes)
        total = np.diag(rigid.T @ M @ rigid)[:3]
        fine = np.linspace(-1, 1, 20001)[:, None]
        shapes = np.hstack([(1 - fine) / 2, (1 + fine) / 2])
        if member.n_nodes == 3:
            shapes = np.hstack([fine * (fine - 1) / 2, 1 - fine**2, fine * (fine + 1) / 2])
        length = np.linalg.norm(np.diff(shapes @ nodes, axis=0), axis=1).sum()
        np.testing.assert_allclose(total, STEEL.density * SECTION.area * length, rtol=2e-4)
    else:
        np.testing.assert_allclose(M.sum(), STEEL.density * VOLUMES[_shape(kind)], rtol=1e-13)


@pytest.mark.parametrize("kind", BEAMS)
def test_a_beam_has_the_rotary_inertia_of_its_section(kind):
    """Turned as a rigid body about its middle: ρ L (I11 + I22) about t, ρ L I11 or I22 and ρ A L³/12 across."""
    member, length = element_kinds[kind], 3.0
    t, n1 = np.array([0.6, 0.0, -0.8]), np.array([0.0, 1.0, 0.0])
    nodes = np.linspace(-0.5, 0.5, member.n_nodes)[:, None] * length * t
    M = member.mass(nodes[None], STEEL, SECTION)[0]
    turns = rigid_motions(element_kinds[kind], nodes)[:, 3:]
    polar, across = SECTION.inertia_11 + SECTION.inertia_22, SECTION.area * length**2 / 12.0
    axes = np.array([t, n1, np.cross(t, n1)])
    wanted = (
        STEEL.density * length * np.diag([polar, SECTION.inertia_11 + across, SECTION.inertia_22 + across])
    )
    np.testing.assert_allclose(axes @ turns.T @ M @ turns @ axes.T, wanted, atol=1e-12 * wanted.max())


@pytest.mark.parametrize("kind", SHELLS)
def test_a_shell_has_the_rotary_inertia_of_its_thickness(kind):
    """Turned about the centre of a flat one: the solid's moments across, and as much again about its normal."""
    member, nodes = element_kinds[kind], undistorted_nodes(kind)
    area = 0.5 if member.n_nodes in (3, 6) else 4.0
    about = {3: 1.0 / 36.0, 4: 4.0 / 3.0}[3 if member.n_nodes in (3, 6) else 4]  # ∫ x² dA about the centre
    centre = nodes[:3].mean(axis=0) if area == 0.5 else np.zeros(3)
    section = ShellSection(0.2, 0.0)
    M = member.mass((nodes - centre)[None], STEEL, section)[0]
    turns = rigid_motions(element_kinds[kind], nodes - centre)[:, 3:]
    moments = np.diag(turns.T @ M @ turns) / STEEL.density
    rotary = area * 0.2**3 / 12.0
    np.testing.assert_allclose(
        moments, [0.2 * about + rotary, 0.2 * about + rotary, 0.4 * about + rotary], rtol=1e-12
    )


def test_labels_are_unique():
    labels = [label for _, member in element_kinds.items() for label in member.labels]
    assert len(labels) == len(set(labels))
    assert {
        "C3D5",
        "C3D6",
        "C3D15",
        "C3D4",
        "C3D10",
        "C3D10M",
        "C3D8",
        "C3D8R",
        "C3D8I",
        "C3D20",
        "C3D20R",
        "B31",
        "B32",
    } <= set(labels)


@pytest.mark.parametrize("kind", SOLIDS)
def test_patch_of_distorted_elements_holds_a_uniform_strain(kind):
    model = box(kind, (2, 2, 2), (2.0, 1.5, 1.0), distortion=0.25)
    K = assemble(model).stiffness
    gradient = np.random.default_rng(3).standard_normal((3, 3)) * 1e-3
    exact = (model.nodes @ gradient.T).ravel()
    strain = (gradient + gradient.T) / 2
    lam, mu = 210000.0 * 0.3 / (1.3 * 0.4), 210000.0 / 2.6
    energy = 3.0 * (lam * np.trace(strain) ** 2 / 2 + mu * (strain**2).sum())
    assert exact @ (K @ exact) / 2 == pytest.approx(energy, rel=1e-12)
    # Prescribe the outside, let the inside find its place.
    outer = np.unique(np.concatenate(list(model.node_sets.values())))
    held = (3 * outer[:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(len(exact)), held)
    inside = factorize(K[free][:, free]).solve(-K[free][:, held] @ exact[held])
    np.testing.assert_allclose(inside, exact[free], atol=1e-12 * np.abs(exact).max())


def test_quadratic_tetrahedra_hold_a_uniform_strain_on_curved_edges():
    model = box("tet10", (2, 2, 2), (1.0, 1.0, 1.0), distortion=0.1, curvature=0.05)
    K = assemble(model).stiffness
    exact = (model.nodes @ np.diag([1e-3, -2e-3, 5e-4])).ravel()
    inner = np.setdiff1d(np.arange(len(model.nodes)), np.concatenate(list(model.node_sets.values())))
    residual = (K @ exact).reshape(-1, 3)[inner]
    # Equilibrium of the inner nodes holds to the error of the four-point rule on curved elements.
    assert np.abs(residual).max() < 1e-3 * np.abs(K @ exact).max()


@pytest.mark.parametrize(
    ("kind", "basis_name", "order"), [("tet4", "P1", 2), ("tet10", "P2", 4), ("hex8_full", "Q1", 3)]
)
def test_matrices_equal_those_of_another_code(kind, basis_name, order):
    """Reference kind: independent code (scikit-fem)."""
    skfem = pytest.importorskip("skfem")
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    model = box(kind, (2, 1, 2), (2.0, 1.0, 1.5), distortion=0.0)
    cells = model.blocks[0].connectivity
    shear = np.array([[1.0, 0.2, 0.1], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]])
    nodes = model.nodes @ shear
    model = dataclasses.replace(model, nodes=nodes)
    if kind == "hex8_full":
        points = np.ascontiguousarray(nodes.T)
        local = skfem.MeshHex1.init_refdom()
        # scikit-fem's corner order, told by its own reference cell.
        ours = (element_kinds[kind].polynomials.nodes + 1) / 2
        order_map = [int(np.flatnonzero((ours == p).all(axis=1))[0]) for p in local.p.T]
        mesh = skfem.MeshHex1(points, np.ascontiguousarray(cells[:, order_map].T))
        element = skfem.ElementVector(skfem.ElementHex1())
    else:
        corners = np.unique(cells[:, :4])
        renumber = np.full(len(nodes), -1)
        renumber[corners] = np.arange(len(corners))
        mesh = skfem.MeshTet1(
            np.ascontiguousarray(nodes[corners].T), np.ascontiguousarray(renumber[cells[:, :4]].T)
        )
        element = skfem.ElementVector(skfem.ElementTetP1() if basis_name == "P1" else skfem.ElementTetP2())
    basis = skfem.Basis(mesh, element, intorder=order)
    theirs_K = skfem.asm(
        linear_elasticity(*lame_parameters(STEEL.youngs_modulus, STEEL.poisson_ratio)), basis
    )

    @skfem.BilinearForm
    def inertia(u, v, w):
        return STEEL.density * (u[0] * v[0] + u[1] * v[1] + u[2] * v[2])

    theirs_M = skfem.asm(inertia, basis)
    # Match dofs by place; the components of a place follow each other in both.
    distance = np.linalg.norm(basis.doflocs.T[:, None] - nodes[None], axis=-1)
    node_of = distance.argmin(axis=1)
    assert distance.min(axis=1).max() < 1e-12
    component = np.empty(len(node_of), int)
    for node in range(len(nodes)):
        component[np.flatnonzero(node_of == node)] = np.arange(3)
    ours_at = 3 * node_of + component
    matrices = assemble(model)
    for ours, theirs in ((matrices.stiffness, theirs_K), (matrices.mass, theirs_M)):
        picked = ours[ours_at][:, ours_at]
        assert abs(picked - theirs).max() <= 1e-12 * abs(theirs).max()


def _tip_deflection(kind, counts, poisson=0.0, size=(100.0, 5.0, 10.0)):
    """Return the mean tip deflection of a cantilever along x under a unit load along z."""
    material = dataclasses.replace(STEEL, poisson_ratio=poisson)
    model = box(kind, counts, size, material)
    K = assemble(model).stiffness
    held = (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(K.shape[0]), held)
    tip = model.node_sets["XMAX"]
    load = np.zeros(K.shape[0])
    load[3 * tip + 2] = 1.0 / len(tip)
    moved = np.zeros(K.shape[0])
    moved[free] = factorize(K[free][:, free]).solve(load[free])
    return moved[3 * tip + 2].mean()


def _beam_theory(size=(100.0, 5.0, 10.0)):
    length, width, height = size
    inertia, area = width * height**3 / 12, width * height
    return length**3 / (3 * 210000.0 * inertia) + length / (5 / 6 * 105000.0 * area)


@pytest.mark.parametrize(
    ("kind", "coarse", "fine", "tolerance"),
    [
        ("hex8_incompatible", (4, 1, 1), (16, 2, 4), 2e-3),
        ("hex8_reduced", (4, 1, 1), (16, 2, 4), 2e-3),
        ("hex20", (2, 1, 1), (10, 1, 2), 2e-3),
        ("hex20_reduced", (2, 2, 2), (10, 1, 2), 2e-3),
        ("tet10", (4, 1, 1), (16, 1, 2), 2e-3),
        ("wedge15", (4, 1, 1), (16, 1, 2), 2e-3),
        ("pyramid13", (2, 1, 1), (12, 1, 2), 2e-3),
        ("hex8", (8, 1, 2), (80, 2, 10), 1e-2),
    ],
)
def test_cantilever_comes_near_beam_theory(kind, coarse, fine, tolerance):
    """Reference kind: analytical (Timoshenko, ν = 0)."""
    exact = _beam_theory()
    first, second = (abs(_tip_deflection(kind, counts) / exact - 1.0) for counts in (coarse, fine))
    assert second < max(first, tolerance / 2)
    assert second < tolerance


def test_full_integration_locks_in_bending_where_internal_modes_do_not():
    exact = _beam_theory()
    assert _tip_deflection("hex8_full", (4, 1, 1)) < 0.5 * exact
    assert _tip_deflection("hex8_incompatible", (4, 1, 1)) > 0.95 * exact


def test_mean_dilatation_does_not_lock_when_nearly_incompressible():
    size, counts = (10.0, 10.0, 10.0), (5, 5, 5)
    soft = _tip_deflection("hex8", counts, 0.3, size) / _tip_deflection("hex20_reduced", counts, 0.3, size)
    hard = _tip_deflection("hex8", counts, 0.4999, size) / _tip_deflection(
        "hex20_reduced", counts, 0.4999, size
    )
    locked = _tip_deflection("hex8_full", counts, 0.4999, size) / _tip_deflection(
        "hex20_reduced", counts, 0.4999, size
    )
    assert hard > 0.95 * soft
    assert locked < 0.9 * soft


def test_reduced_hexahedron_equals_the_incompatible_one_on_a_parallelepiped():
    shape = np.array([[2.0, 0.3, 0.1], [0.0, 1.5, 0.2], [0.1, 0.0, 1.0]])
    nodes = (undistorted_nodes("hex8_reduced") @ shape)[None]
    reduced, incompatible = (
        element_kinds[k].stiffness(nodes, STEEL, None) for k in ("hex8_reduced", "hex8_incompatible")
    )
    np.testing.assert_allclose(reduced, incompatible, atol=1e-12 * np.abs(incompatible).max())


@pytest.mark.parametrize("kind", SOLIDS)
def test_an_element_turned_inside_out_is_named_by_its_number(kind):
    model = box(kind, (2, 1, 1), (1.0, 1.0, 1.0))
    block = model.blocks[0]
    cells = block.connectivity.copy()
    # Exchanging two local coordinates mirrors the element.
    nodes = undistorted_nodes(kind)
    mirrored = [int(np.flatnonzero((nodes == image).all(axis=1))[0]) for image in nodes[:, [1, 0, 2]]]
    cells[1] = cells[1, mirrored]
    bad = dataclasses.replace(
        model, blocks=(dataclasses.replace(block, ids=block.ids + 100, connectivity=cells),)
    )
    with pytest.raises(ModelError, match=r"Element 102 \("):
        assemble(bad)


@pytest.mark.parametrize(
    ("counts", "size", "frequencies"),
    [
        ((100, 2, 2), (1.0, 0.01, 0.02), (64.0651, 112.9951, 176.5045, 310.5689, 345.7994, 571.1933)),
        ((30, 4, 4), (0.15, 0.025, 0.035), (5238.82, 6508.47, 9761.08)),
    ],
)
def test_clamped_bars_of_full_hexahedra_vibrate_as_in_another_code(counts, size, frequencies):
    """Reference kind: independent code, tests/references/flexible_beams.py (2 × 2 × 2 Gauss points, both ends held)."""
    steel = Material("STEEL", 210e9, 0.3, 7850.0)
    model = box("hex8_full", counts, size, steel)
    matrices = assemble(model)
    ends = np.concatenate([model.node_sets["XMIN"], model.node_sets["XMAX"]])
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), (3 * ends[:, None] + np.arange(3)).ravel())
    K, M = matrices.stiffness[free][:, free], matrices.mass[free][:, free]
    values, _ = lowest_modes(M, len(frequencies), factorize(K))
    np.testing.assert_allclose(np.sqrt(values) / (2 * np.pi), frequencies, rtol=1e-6)


def _chain(kind, direction, length, elements):
    per = element_kinds[kind].n_nodes - 1
    nodes = np.linspace(0.0, 1.0, per * elements + 1)[:, None] * length * np.asarray(direction)
    cells = per * np.arange(elements)[:, None] + np.arange(per + 1)
    block = ElementBlock(
        kind, element_kinds[kind].labels[0], np.arange(1, elements + 1), cells, "STEEL", SECTION
    )
    return FeModel("beam", np.arange(len(nodes)) + 1, nodes, (block,), materials={"STEEL": STEEL})


@pytest.mark.parametrize(
    ("kind", "elements", "tolerance"), [("beam2", 1, 1e-11), ("beam2", 3, 1e-10), ("beam3", 4, 2e-3)]
)
def test_beam_cantilever_has_the_closed_form_flexibility(kind, elements, tolerance):
    """Reference kind: analytical (Timoshenko beam; n1 = y, n2 = t × n1)."""
    length, tip_turn = 30.0, la.expm(np.cross(np.eye(3), [0.0, 0.4, 0.0]))
    t = tip_turn @ [1.0, 0.0, 0.0]
    n1 = np.array([0.0, 1.0, 0.0])
    n2 = np.cross(t, n1)
    model = _chain(kind, t, length, elements)
    matrices = assemble(model)
    clamped = matrices.dofs.node_rows(0)
    tip = matrices.dofs.node_rows(len(model.nodes) - 1)
    K = matrices.stiffness.toarray()
    free = np.setdiff1d(np.arange(len(K)), clamped)
    flexibility = np.zeros_like(K)
    flexibility[np.ix_(free, free)] = np.linalg.inv(K[np.ix_(free, free)])
    at_tip = flexibility[np.ix_(tip, tip)]
    E, G = 210000.0, 210000.0 / 2.6
    shear = length / (SECTION.shear_factor * G * SECTION.area)
    expected = {
        "stretch": (np.r_[t, 0, 0, 0], length / (E * SECTION.area)),
        "bend along n1": (np.r_[n1, 0, 0, 0], length**3 / (3 * E * SECTION.inertia_22) + shear),
        "bend along n2": (np.r_[n2, 0, 0, 0], length**3 / (3 * E * SECTION.inertia_11) + shear),
        "twist": (np.r_[0, 0, 0, t], length / (G * SECTION.torsion)),
        "turn about n1": (np.r_[0, 0, 0, n1], length / (E * SECTION.inertia_11)),
        "turn about n2": (np.r_[0, 0, 0, n2], length / (E * SECTION.inertia_22)),
    }
    for name, (direction, value) in expected.items():
        assert direction @ at_tip @ direction == pytest.approx(value, rel=tolerance), name


def test_beam_vibrates_at_the_closed_form_frequency():
    """Reference kind: analytical (slender cantilever, first bending root 1.8751)."""
    section = dataclasses.replace(SECTION, shear_factor=1e6)
    model = _chain("beam2", [1.0, 0.0, 0.0], 400.0, 10)
    model = dataclasses.replace(model, blocks=(dataclasses.replace(model.blocks[0], section=section),))
    matrices = assemble(model)
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), matrices.dofs.node_rows(0))
    K, M = (m.toarray()[np.ix_(free, free)] for m in (matrices.stiffness, matrices.mass))
    lowest = np.sqrt(la.eigh(K, M, eigvals_only=True)[0])
    smaller = min(SECTION.inertia_11, SECTION.inertia_22)
    exact = 1.8751040687**2 * np.sqrt(210000.0 * smaller / (STEEL.density * SECTION.area)) / 400.0**2
    assert lowest == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("kind", BEAMS)
def test_beams_refuse_missing_and_impossible_sections(kind):
    nodes = undistorted_nodes(kind)[None]
    for section, words in [
        (None, "has no section"),
        (dataclasses.replace(SECTION, area=0.0), "area of a beam section is 0"),
        (
            dataclasses.replace(SECTION, direction=tuple(nodes[0, -1] - nodes[0, 0])),
            "runs along the first axis",
        ),
    ]:
        if "runs" in words and kind == "beam3":
            continue
        with pytest.raises(ModelError, match=words):
            element_kinds[kind].stiffness(nodes, STEEL, section)
    with pytest.raises(ModelError, match="no length"):
        element_kinds[kind].stiffness(np.zeros_like(nodes), STEEL, SECTION)
