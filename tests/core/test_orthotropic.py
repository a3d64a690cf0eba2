"""Orthotropic and anisotropic materials and laminates against closed forms, and turned with their directions."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.elasticity import (
    anisotropic_material,
    engineering_constants,
    engineering_stiffness,
    lamina_stiffness,
    material_stiffness,
    plane_stress_stiffness,
)
from faying.fem.elements import element_kinds
from faying.fem.laminates import held_stresses, laminate_material, laminate_stiffness, strain_turn
from faying.fem.model import ElementBlock, FeModel, Material, Ply, ShellSection
from faying.fem.ply_stresses import ply_stresses
from faying.fem.stress import StressRecovery
from faying.fem.thermal import thermal_forces
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing.contracts.elements import undistorted_nodes

STEEL = Material("STEEL", 210000.0, 0.3, 7.85e-9)
E1, E2, NU12, G12, G13, G23, RHO = 140e3, 10e3, 0.3, 5e3, 5e3, 3.5e3, 1.6e-9
CARBON = anisotropic_material("CARBON", "lamina", lamina_stiffness((E1, E2), NU12, (G12, G13, G23)), RHO)
WOOD = anisotropic_material(
    "WOOD", "orthotropic",
    engineering_stiffness((12e3, 900.0, 500.0), (0.4, 0.35, 0.3), (800.0, 700.0, 60.0)), 5e-10,
)  # fmt: skip
SOLIDS = [name for name, kind in element_kinds.items() if not kind.rotations and not kind.is_outline]
SHELLS = [name for name, kind in element_kinds.items() if kind.is_shell]


def like_steel() -> Material:
    """Return steel by nine constants."""
    nu, modulus = STEEL.poisson_ratio, STEEL.youngs_modulus
    shear = modulus / (2.0 * (1.0 + nu))
    stiffness = engineering_stiffness((modulus,) * 3, (nu,) * 3, (shear,) * 3)
    return anisotropic_material("STEEL", "orthotropic", stiffness, STEEL.density)


def plate(
    lengths: tuple[float, float],
    counts: tuple[int, int],
    section: ShellSection,
    material: Material,
    directions: np.ndarray | None = None,
) -> FeModel:
    """Return a flat plate of four-node shells from the origin along x and y."""
    x, y = (np.linspace(0.0, length, count + 1) for length, count in zip(lengths, counts, strict=True))
    nodes = np.array([(a, b, 0.0) for b in y for a in x])
    n, columns = len(nodes), counts[0] + 1
    first = np.array([j * columns + i for j in range(counts[1]) for i in range(counts[0])])
    rows = np.stack([first, first + 1, first + columns + 1, first + columns], axis=1)
    axes = None if directions is None else np.broadcast_to(directions, (len(rows), 3, 3)).copy()
    block = ElementBlock("shell4", "S4", np.arange(1, len(rows) + 1), rows, material.name, section, axes)
    return FeModel("plate", np.arange(1, n + 1), nodes, (block,), materials={material.name: material})


def lowest(model: FeModel, held: np.ndarray, count: int) -> np.ndarray:
    """Return natural frequencies (Hz) with dofs held: `held` (n, 6) of the nodes' displacements and rotations."""
    matrices = assemble(model)
    free = np.flatnonzero(~np.concatenate([held[:, :3].ravel(), held[:, 3:].ravel()])[_full_rows(matrices)])
    K, M = (each[free][:, free].toarray() for each in (matrices.stiffness, matrices.mass))
    return np.sqrt(la.eigh(K, M, eigvals_only=True, subset_by_index=(0, count - 1))) / (2.0 * np.pi)


def _full_rows(matrices) -> np.ndarray:
    """Return the row in the full vector of each dof, of bodies without couplings."""
    transformation = matrices.dofs.transformation.tocsc()
    return transformation.indices


def angles(degrees: float) -> np.ndarray:
    """Return (3, 3) axes turned about z."""
    return rotation_matrix(rotation_about(np.array([0.0, 0.0, np.radians(degrees)]))).T


@pytest.mark.parametrize("kind", [*SOLIDS, *SHELLS])
def test_isotropic_constants_by_direction_are_the_isotropic_material(kind: str) -> None:
    member = element_kinds[kind]
    nodes = undistorted_nodes(kind) + np.random.default_rng(2).uniform(-0.08, 0.08, (3, member.n_nodes, 3))
    section = ShellSection(0.2, 0.05) if member.is_shell else None
    turned = np.broadcast_to(rotation_matrix(rotation_about(np.array([0.3, 0.5, -0.2]))), (3, 3, 3))
    expected = member.stiffness(nodes, STEEL, section)
    for directions in (None, turned):
        found = member.stiffness(nodes, like_steel(), section, directions)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    if member.is_shell:
        plies = tuple(Ply(like_steel(), thickness, angle) for thickness, angle in ((0.05, 0.4), (0.15, -1.0)))
        found = member.stiffness(nodes, STEEL, replace(section, plies=plies), turned)
        # The thickness is integrated by other points, which tells on these crooked shells alone.
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3 * np.abs(expected).max())
        flat = nodes * [1.0, 1.0, 0.0]
        found, expected = (member.stiffness(flat, STEEL, s) for s in (replace(section, plies=plies), section))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
        found, expected = (member.mass(flat, STEEL, s) for s in (replace(section, plies=plies), section))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_turned_solid_strained_evenly_has_the_stresses_of_its_directions(kind: str) -> None:
    """Linear displacements give the same strain everywhere; stresses are D ε in the material's axes."""
    member = element_kinds[kind]
    turn = rotation_matrix(rotation_about(np.array([0.4, -0.3, 0.8])))
    nodes = undistorted_nodes(kind) + np.random.default_rng(3).uniform(-0.08, 0.08, (member.n_nodes, 3))
    gradient = np.array([[1.0, 0.4, -0.3], [0.2, -0.5, 0.6], [0.1, 0.3, 0.7]]) * 1e-3
    block = ElementBlock(
        kind,
        member.labels[0],
        np.array([1]),
        np.arange(member.n_nodes)[None],
        "WOOD",
        None,
        turn.T[None].copy(),
    )
    model = FeModel("one", np.arange(1, len(nodes) + 1), nodes, (block,), materials={"WOOD": WOOD})
    found = StressRecovery(model).at_points(nodes @ gradient.T)
    strain = 0.5 * (gradient + gradient.T)
    own = turn.T @ strain @ turn
    components = np.array([own[0, 0], own[1, 1], own[2, 2], 2 * own[0, 1], 2 * own[1, 2], 2 * own[2, 0]])
    s = material_stiffness(WOOD) @ components
    tensor = turn @ np.array([[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]]) @ turn.T
    expected = tensor[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]
    np.testing.assert_allclose(
        found, np.broadcast_to(expected, found.shape), rtol=0, atol=1e-9 * np.abs(s).max()
    )


@pytest.mark.parametrize("degrees", [0.0, 30.0, 45.0, 75.0, 90.0])
def test_an_off_axis_lamina_is_as_stiff_as_the_formula_says(degrees: float) -> None:
    """E_x(θ) of a strip in tension (Jones 1999, chapter 2), pulled by even forces: a plane state of stress."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    modulus = 1.0 / (c**4 / E1 + (1.0 / G12 - 2.0 * NU12 / E1) * (s * c) ** 2 + s**4 / E2)
    model = plate((4.0, 1.0), (4, 2), ShellSection(0.1), CARBON, angles(degrees))
    matrices = assemble(model)
    rows = _full_rows(matrices)
    right, left = (np.flatnonzero(model.nodes[:, 0] == x) for x in (4.0, 0.0))
    force = np.zeros(6 * len(model.nodes))
    for side, sign in ((right, 1.0), (left, -1.0)):
        force[3 * side] = sign * np.where(np.isin(model.nodes[side, 1], (0.0, 1.0)), 0.25, 0.5)
    corner, other = left[0], right[0]
    held = [3 * corner, 3 * corner + 1, 3 * corner + 2, 3 * other + 1, 3 * other + 2, 3 * left[-1] + 2]
    free = ~np.isin(rows, held)
    moved = np.zeros(6 * len(model.nodes))
    moved[rows[free]] = la.solve(matrices.stiffness.toarray()[np.ix_(free, free)], force[rows[free]])
    stretch = (moved[3 * right] - moved[3 * left]) / 4.0
    np.testing.assert_allclose(stretch.mean(), 1.0 / (0.1 * modulus), rtol=1e-6)


def test_an_unsymmetric_laminate_couples_stretching_and_bending() -> None:
    """[0/90]: A and D have the mean of both plies, B11 = -B22 = (Q22 - Q11) t²/8 with t the whole thickness."""
    thickness = 0.5
    plies = (Ply(CARBON, thickness / 2, 0.0), Ply(CARBON, thickness / 2, np.pi / 2))
    found = laminate_stiffness(plies)
    minor = NU12 * E2 / E1
    q11, q22, q12 = (each / (1.0 - NU12 * minor) for each in (E1, E2, minor * E1))
    mean = np.array([[(q11 + q22) / 2, q12, 0.0], [q12, (q11 + q22) / 2, 0.0], [0.0, 0.0, G12]])
    coupling = (q22 - q11) * thickness**2 / 8.0 * np.diag([1.0, -1.0, 0.0])
    np.testing.assert_allclose(found.membrane, mean * thickness, atol=1e-9 * q11)
    np.testing.assert_allclose(found.bending, mean * thickness**3 / 12.0, atol=1e-9 * q11)
    np.testing.assert_allclose(found.coupling, coupling, atol=1e-9 * q11)


def test_transverse_shear_of_a_single_ply_is_that_of_five_sixths() -> None:
    for angle in (0.0, 0.7):
        found = laminate_stiffness((Ply(CARBON, 2.0, angle),))
        parts = laminate_stiffness((Ply(CARBON, 0.5, angle), Ply(CARBON, 1.5, angle)))
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, s], [-s, c]])
        expected = 5.0 / 6.0 * 2.0 * turn.T @ np.diag([G13, G23]) @ turn
        np.testing.assert_allclose(found.shear, expected, rtol=1e-12)
        np.testing.assert_allclose(parts.shear, expected, rtol=1e-12)


def test_transverse_shear_of_a_sandwich_is_that_of_its_core() -> None:
    """Thin, stiff faces on a soft core: H = G_core d²/c with d between the faces' middles (Allen 1969)."""
    face, core = 0.01, 2.0
    soft = anisotropic_material(
        "FOAM", "lamina", lamina_stiffness((1.0, 1.0), 0.0, (30.0, 30.0, 40.0)), 1e-10
    )
    found = laminate_stiffness((Ply(STEEL, face, 0.0), Ply(soft, core, 0.0), Ply(STEEL, face, 0.0)))
    expected = np.diag([30.0, 40.0]) * (core + face) ** 2 / core
    np.testing.assert_allclose(found.shear, expected, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("layup", ["orthotropic", "cross-ply"])
def test_a_simply_supported_plate_vibrates_as_navier_says(layup: str) -> None:
    """ω² = π⁴/(ρh) (D11 (m/a)⁴ + 2 (D12 + 2 D66) (m n/a b)² + D22 (n/b)⁴) (Jones 1999, chapter 5); thin: a/h = 300."""
    a, b, h = 300.0, 200.0, 1.0
    degrees = (0.0,) if layup == "orthotropic" else (0.0, 90.0, 90.0, 0.0)
    plies = tuple(Ply(CARBON, h / len(degrees), np.radians(each)) for each in degrees)
    D = laminate_stiffness(plies).bending
    modes = [(m, n) for m in range(1, 4) for n in range(1, 5)]
    squares = [
        np.pi**4 / (RHO * h)
        * (D[0, 0] * (m / a) ** 4 + 2 * (D[0, 1] + 2 * D[2, 2]) * (m * n / a / b) ** 2 + D[1, 1] * (n / b) ** 4)
        for m, n in modes
    ]  # fmt: skip
    expected = np.sort(np.sqrt(squares))[:4] / (2.0 * np.pi)
    section = ShellSection(h, 0.0, 0.0, plies if len(plies) > 1 else ())
    stuff = replace(CARBON, name="PLIES", kind="laminate", stiffness=()) if len(plies) > 1 else CARBON
    model = plate((a, b), (24, 20), section, stuff, angles(0.0))
    x, y = model.nodes[:, 0], model.nodes[:, 1]
    ends, sides = (x == 0.0) | (x == a), (y == 0.0) | (y == b)
    held = np.zeros((len(x), 6), bool)
    held[:, [0, 1, 5]] = True  # bending alone
    held[ends | sides, 2] = True
    held[ends, 3], held[sides, 4] = True, True
    found = lowest(model, held, 4)
    np.testing.assert_allclose(found, expected, rtol=0.012)


def test_outer_plies_have_the_stresses_of_classical_lamination() -> None:
    """[30/90] strained and bent evenly, by displacements of ε and κ: σ = Q (ε ± h/2 κ) at the sides of the laminate."""
    plies, h = (Ply(CARBON, 0.1, np.radians(30.0)), Ply(CARBON, 0.3, np.radians(90.0))), 0.4
    stuff = replace(CARBON, name="PLIES", kind="laminate", stiffness=())
    model = plate((3.0, 2.0), (3, 2), ShellSection(h, 0.15, 0.0, plies), stuff, angles(20.0))
    matrices = assemble(model)
    middle, bent = np.array([1e-3, -4e-4, 6e-4]), np.array([2e-3, 5e-4, -8e-4])  # 11, 22, 2·12 along x and y
    x, y = model.nodes[:, 0], model.nodes[:, 1]
    # Curvatures κ = -∂²w, and strains of the nodes, which lie 0.15 below the middle.
    slope_x, slope_y = bent[0] * x + 0.5 * bent[2] * y, bent[1] * y + 0.5 * bent[2] * x
    stretch = middle - 0.15 * bent
    moved = np.zeros((2, len(x), 3))
    moved[0, :, 0] = stretch[0] * x + 0.5 * stretch[2] * y
    moved[0, :, 1] = stretch[1] * y + 0.5 * stretch[2] * x
    moved[0, :, 2] = -0.5 * (bent[0] * x**2 + bent[1] * y**2 + bent[2] * x * y)
    moved[1, :, 0], moved[1, :, 1] = -slope_y, slope_x
    found = ply_stresses(model, matrices.dofs, moved.ravel()[_full_rows(matrices)])
    plane, _ = plane_stress_stiffness(CARBON)
    for ply, side, stresses in ((plies[0], -1.0, found.bottom), (plies[1], 1.0, found.top)):
        strains = strain_turn(np.radians(20.0) + ply.angle) @ (middle + side * 0.5 * h * bent)
        np.testing.assert_allclose(stresses, np.broadcast_to(plane @ strains, (6, 3)), rtol=1e-9)


@pytest.mark.parametrize("layup", [(30.0,), (0.0, 90.0), (20.0, -50.0, 70.0)])
def test_a_warm_laminate_grows_and_bends_as_lamination_theory_says(layup: tuple[float, ...]) -> None:
    """Free of forces, ε and κ are [A B; B D]⁻¹ of the held forces; a single ply grows by its own coefficients."""
    grows = replace(CARBON, expansion=-1e-6, expansions=(-1e-6, 3e-5, 0.0, 0.0, 0.0, 0.0))
    plies = tuple(Ply(grows, 0.2, np.radians(each)) for each in layup)
    h, change = 0.2 * len(plies), 60.0
    stuff = laminate_material("PLIES", plies)
    model = plate((3.0, 2.0), (3, 2), ShellSection(h, 0.1, 0.0, plies), stuff, angles(0.0))
    matrices = assemble(model)
    found = laminate_stiffness(plies)
    whole = np.block([[found.membrane, found.coupling], [found.coupling, found.bending]])
    force, moment, _ = held_stresses(plies)
    expected = change * np.linalg.solve(whole, np.concatenate([force, moment]))
    if len(layup) == 1:
        c, s = np.cos(plies[0].angle), np.sin(plies[0].angle)
        a, b = -1e-6, 3e-5
        single = [a * c * c + b * s * s, a * s * s + b * c * c, 2.0 * (a - b) * c * s]
        np.testing.assert_allclose(expected, change * np.array([*single, 0.0, 0.0, 0.0]), atol=1e-12)
    loads = thermal_forces(model, matrices.dofs, np.full(model.blocks[0].connectivity.size, change))
    moved = np.linalg.lstsq(matrices.stiffness.toarray(), loads, rcond=None)[0]
    rows = model.blocks[0].connectivity
    full = matrices.dofs.transformation @ moved
    motion = np.hstack(
        [full[: 3 * len(model.nodes)].reshape(-1, 3), full[3 * len(model.nodes) :].reshape(-1, 3)]
    )
    for t, height in ((-1.0, -0.5 * h), (1.0, 0.5 * h)):
        strains = element_kinds["shell4"].plane_strains(
            model.nodes[rows], model.blocks[0].section, model.blocks[0].directions, t
        ) @ motion[rows].reshape(len(rows), -1, 1)
        wanted = expected[:3] + height * expected[3:]
        np.testing.assert_allclose(strains[:, :, 0], np.tile(wanted, (len(rows), 1)), atol=1e-10)


@pytest.mark.parametrize("degrees", [0.0, 90.0])
def test_a_cantilever_strip_bends_by_the_modulus_along_it(degrees: float) -> None:
    """f = 1.8751²/(2π) √(E I/(ρ A L⁴)) with E along the strip; shear softens by 0.1 % at L/h = 100."""
    model = plate((100.0, 5.0), (20, 2), ShellSection(1.0), CARBON, angles(degrees))
    held = np.zeros((len(model.nodes), 6), bool)
    held[model.nodes[:, 0] == 0.0] = True
    modulus = E1 if degrees == 0.0 else E2
    expected = 1.875104**2 / (2.0 * np.pi) * np.sqrt(modulus / 12.0 / (RHO * 100.0**4))
    np.testing.assert_allclose(lowest(model, held, 1)[0], expected, rtol=0.006)


@pytest.mark.parametrize("kind", ["hex8", "hex8_incompatible", "hex20", "shell4"])
def test_a_body_turned_with_its_directions_has_the_same_frequencies(kind: str) -> None:
    turn = rotation_matrix(rotation_about(np.array([0.4, -1.3, 0.8])))
    member = element_kinds[kind]
    local = undistorted_nodes(kind) * [3.0, 1.0, 0.5]
    axes = rotation_matrix(rotation_about(np.array([0.1, 0.2, 0.6])))
    shell = ShellSection(0.2, 0.03, 0.0, (Ply(CARBON, 0.1, 0.3), Ply(CARBON, 0.1, -0.9)))
    found = []
    for rotation in (np.eye(3), turn):
        block = ElementBlock(
            kind, member.labels[0], np.array([1]), np.arange(member.n_nodes)[None],
            "PLIES" if member.is_shell else "WOOD", shell if member.is_shell else None, (axes @ rotation.T)[None],
        )  # fmt: skip
        model = FeModel(
            "one", np.arange(1, member.n_nodes + 1), local @ rotation.T, (block,),
            materials={"WOOD": WOOD, "PLIES": replace(CARBON, name="PLIES", kind="laminate", stiffness=())},
        )  # fmt: skip
        matrices = assemble(model)
        found.append(la.eigh(matrices.stiffness.toarray(), matrices.mass.toarray(), eigvals_only=True)[6:])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8)
    assert found[0][0] > 0.0


def test_constants_that_no_material_has_are_sentences() -> None:
    with pytest.raises(ValueError, match=r"ν12 is 1.2, expected one smaller than √\(E1/E2\) = 1"):
        engineering_stiffness((1e3, 1e3, 1e3), (1.2, 0.3, 0.3), (400.0,) * 3)
    with pytest.raises(ValueError, match="together make a stiffness that is not positive definite"):
        engineering_stiffness((1e3, 1e3, 1e3), (0.6, 0.6, 0.6), (400.0,) * 3)
    with pytest.raises(ValueError, match="G23 is 0, expected a positive modulus"):
        engineering_stiffness((1e3, 1e3, 1e3), (0.3, 0.3, 0.3), (400.0, 400.0, 0.0))
    wrong = material_stiffness(STEEL)
    wrong[0, 1] = wrong[1, 0] = 2.0 * wrong[0, 0]
    with pytest.raises(ValueError, match="not positive definite"):
        anisotropic_material("A", "anisotropic", wrong, 1.0)


def test_engineering_constants_come_back() -> None:
    given = {
        "E1": 12e3,
        "E2": 900.0,
        "E3": 500.0,
        "ν12": 0.4,
        "ν13": 0.35,
        "ν23": 0.3,
        "G12": 800.0,
        "G13": 700.0,
    }
    found = engineering_constants(WOOD)
    assert {name: pytest.approx(found[name], rel=1e-12) for name in given} == given
    assert set(engineering_constants(CARBON)) == {"E1", "E2", "ν12", "G12", "G13", "G23"}
    plane, shear = plane_stress_stiffness(CARBON)
    np.testing.assert_allclose(1.0 / np.diag(np.linalg.inv(plane)), [E1, E2, G12], rtol=1e-12)
    np.testing.assert_allclose(shear, np.diag([G13, G23]), rtol=1e-12)


def test_the_mean_of_steel_by_nine_constants_is_steel() -> None:
    found = like_steel()
    assert found.youngs_modulus == pytest.approx(STEEL.youngs_modulus, rel=1e-12)
    assert found.poisson_ratio == pytest.approx(STEEL.poisson_ratio, rel=1e-12)


def test_the_mean_of_a_lamina_is_that_of_its_quasi_isotropic_laminate() -> None:
    """Plies at 0, 60 and 120° are alike in all directions; transverse shear, which MAT8 may leave rigid, is no part."""
    plies = tuple(Ply(CARBON, 1.0, np.radians(angle)) for angle in (0.0, 60.0, 120.0))
    membrane = laminate_stiffness(plies).membrane / 3.0
    assert CARBON.youngs_modulus == pytest.approx(
        membrane[0, 0] - membrane[0, 1] ** 2 / membrane[0, 0], rel=1e-12
    )
    assert CARBON.poisson_ratio == pytest.approx(membrane[0, 1] / membrane[0, 0], rel=1e-12)
    rigid = anisotropic_material("R", "lamina", lamina_stiffness((E1, E2), NU12, (G12, 1e9, 1e9)), RHO)
    assert rigid.youngs_modulus == pytest.approx(CARBON.youngs_modulus, rel=1e-12)


def test_solids_of_a_lamina_are_refused() -> None:
    nodes = undistorted_nodes("hex8")
    block = ElementBlock("hex8", "C3D8", np.array([7]), np.arange(8)[None], "CARBON")
    model = FeModel("one", np.arange(1, 9), nodes, (block,), materials={"CARBON": CARBON})
    with pytest.raises(ModelError, match=r"'CARBON' of 1 solids of type C3D8 .*element 7.* is a lamina"):
        assemble(model)
