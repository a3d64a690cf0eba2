"""Stresses against states that a textbook knows, solved with every solid element kind."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse.linalg as sla

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.model import ElementBlock, FeModel, Material
from faying.fem.pressure import pressure_forces
from faying.fem.skin import find_skin
from faying.fem.stress import StressRecovery
from faying.fem.stress_measures import largest_shear, principal_stresses, von_mises
from faying.fem.surface import FacetBlock, Surface
from support.boxes import STEEL, box

QUADRATIC = ("hex20", "hex20_reduced", "tet10")
# Elements across the wall of the ring. Errors of linear elements fall as 1/n at its surface, where stresses are
# carried on from the points inside; for the largest stress to be met to 1 % they need so many.
LINEAR = {"hex8": 48, "hex8_full": 104, "hex8_incompatible": 64, "hex8_reduced": 64, "tet4": 104}
EXACT_IN_BENDING = (*QUADRATIC, "hex8_incompatible", "hex8_reduced")
KINDS = [*QUADRATIC, *LINEAR]


def solved(model: FeModel, held: dict[int, float], forces: np.ndarray | None = None) -> np.ndarray:
    """Return displacements (n, 3) under prescribed components (by 3 node + direction) and nodal forces."""
    stiffness = assemble(model).stiffness.tocsc()
    u = np.zeros(3 * len(model.nodes))
    rows = np.array(list(held))
    u[rows] = list(held.values())
    free = np.setdiff1d(np.arange(len(u)), rows)
    load = (np.zeros(len(u)) if forces is None else forces.ravel()) - stiffness @ u
    u[free] = sla.spsolve(stiffness[free][:, free], load[free])
    return u.reshape(-1, 3)


def on(model: FeModel, name: str, displacements: np.ndarray, *directions: int) -> dict[int, float]:
    """Return prescribed components of a node set."""
    return {3 * n + i: displacements[n, i] for n in model.node_sets[name].tolist() for i in directions}


@pytest.mark.parametrize("kind", KINDS)
def test_bar_in_tension(kind):
    """100 N/mm² along x whatever the shape of the elements; the sides are free."""
    model = box(kind, (5, 3, 3), (10.0, 3.0, 3.0), distortion=0.1)
    exact = model.nodes * [1.0, -0.3, -0.3] * (100.0 / STEEL.youngs_modulus)
    held = on(model, "XMIN", exact, 0) | on(model, "XMAX", exact, 0)
    held |= on(model, "YMIN", exact, 1) | on(model, "ZMIN", exact, 2)
    recovery, u = StressRecovery(model), solved(model, held)
    for stresses in (recovery.at_points(u), recovery.at_nodes(u), recovery.at_element_nodes(u)):
        np.testing.assert_allclose(stresses, np.tile([100.0, 0, 0, 0, 0, 0], (len(stresses), 1)), atol=1e-8)


def bending(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return displacements (n, 3) of a beam with σ_xx = 100 y and no other stress."""
    curvature = 100.0 / STEEL.youngs_modulus
    return curvature * np.stack([x * y, -0.5 * x**2 - 0.15 * (y**2 - z**2), -0.3 * y * z], axis=1)


@pytest.mark.parametrize("kind", EXACT_IN_BENDING)
def test_beam_in_bending(kind):
    """Two elements across a beam meet the state exactly; its ends turn as a beam's do, its sides are free."""
    model = box(kind, (6, 2, 1), (6.0, 2.0, 1.0))
    x, y, z = (model.nodes - [0.0, 1.0, 0.5]).T
    exact = bending(x, y, z)
    held = on(model, "XMIN", exact, 0, 1, 2) | on(model, "XMAX", exact, 0, 1, 2)
    recovery, u = StressRecovery(model), solved(model, held)
    inside = np.abs(x - 3.0) < 2.0
    expected = np.zeros((inside.sum(), 6))
    expected[:, 0] = 100.0 * y[inside]
    assert np.abs(recovery.at_nodes(u)[inside] - expected).max() <= 1e-8


def error_in_bending(kind: str, counts: tuple[int, int, int]) -> float:
    """Return the largest error of any stress in per cent of the largest one, on an eighth of a beam by symmetry."""
    model = box(kind, counts, (0.75, 1.0, 0.5))
    x, y, z = model.nodes.T
    exact = bending(x, y, z)
    held = on(model, "XMIN", exact, 0) | on(model, "YMIN", exact, 0, 2) | on(model, "ZMIN", exact, 2)
    stresses = StressRecovery(model).at_nodes(solved(model, held | on(model, "XMAX", exact, 0, 1, 2)))
    # At planes of symmetry the mean over the elements lacks those of the other side.
    counted = (x > 0.0) & (x < 0.55) & (y > 0.0) & (z > 0.0)
    stresses[:, 0] -= 100.0 * y
    return float(np.abs(stresses[counted]).max())


@pytest.mark.parametrize(
    ("kind", "counts"), [("hex8", (6, 24, 4)), ("hex8_full", (6, 24, 4)), ("tet4", (8, 96, 6))]
)
def test_linear_elements_without_more_modes_meet_bending_on_fine_meshes(kind, counts):
    """Their stresses are constant or nearly so along y: to 1 % at the free surfaces they need so many elements."""
    coarse, fine = error_in_bending(kind, tuple(n // 2 for n in counts)), error_in_bending(kind, counts)
    assert fine <= 1.0
    assert fine <= 0.75 * coarse, "the error falls with the size of the elements"


@pytest.mark.parametrize("kind", KINDS)
def test_thick_ring_under_pressure(kind):
    """Lamé's ring from r = 10 to 20 under 60 N/mm² inside, long: σ = A ∓ B/r²; elements grow with the radius."""
    counts = (8, 10, 1) if kind in QUADRATIC else (LINEAR[kind], 48, 1)
    model = box(kind, counts, (10.0, 0.5 * np.pi, 10.0 / counts[0]))
    r, angle, z = model.nodes.T
    r = 10.0 * 2.0 ** (r / 10.0)
    model = replace(model, nodes=np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1))
    held = on(model, "YMIN", 0 * model.nodes, 1) | on(model, "YMAX", 0 * model.nodes, 0)
    held |= on(model, "ZMIN", 0 * model.nodes, 2) | on(model, "ZMAX", 0 * model.nodes, 2)
    blocks = []
    for block in find_skin(model).surface.blocks:
        chosen = np.isin(block.connectivity, model.node_sets["XMIN"]).all(axis=1)
        kept = (a[chosen] for a in (block.connectivity, block.elements, block.faces))
        blocks.append(FacetBlock(block.facet, *kept))
    u = solved(model, held, 60.0 * pressure_forces(Surface("bore", tuple(blocks)), model.nodes))
    stresses = StressRecovery(model).at_nodes(u)
    xx, yy, _, xy, _, _ = stresses.T
    cos, sin = np.cos(angle), np.sin(angle)
    radial = xx * cos**2 + yy * sin**2 + 2 * xy * cos * sin
    hoop = xx * sin**2 + yy * cos**2 - 2 * xy * cos * sin
    a = 60.0 * 100 / 300
    errors = np.abs(radial - (a - a * 400 / r**2)).max(), np.abs(hoop - (a + a * 400 / r**2)).max()
    assert max(errors) <= 1.0  # per cent of the hoop stress at the bore


def two_materials() -> tuple[FeModel, np.ndarray]:
    """Return a bar of steel and aluminium that share a face, and its displacement under 100 N/mm² along x."""
    model = box("hex8_incompatible", (4, 1, 1), (4.0, 1.0, 1.0))
    block, light = model.blocks[0], Material("LIGHT", 70000.0, 0.0, 2.7e-9)
    steel = replace(STEEL, poisson_ratio=0.0)
    halves = tuple(
        ElementBlock(block.element, block.label, block.ids[part], block.connectivity[part], name)
        for part, name in ((slice(0, 2), "STEEL"), (slice(2, 4), "LIGHT"))
    )
    model = replace(model, blocks=halves, materials={"STEEL": steel, "LIGHT": light})
    x = model.nodes[:, 0]
    u = np.zeros((len(x), 3))
    u[:, 0] = 1e-3 * x  # the same strain in both: 210 and 70 N/mm²
    return model, u


def test_nothing_is_averaged_between_materials():
    model, u = two_materials()
    stresses = StressRecovery(model).at_nodes(u)
    x = model.nodes[:, 0]
    np.testing.assert_allclose(stresses[x < 2.5, 0], 210.0)
    np.testing.assert_allclose(stresses[x > 2.5, 0], 70.0)


def test_nodes_without_solid_elements_have_no_stress():
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0), extra_nodes=((5.0, 5.0, 5.0),))
    stresses = StressRecovery(model).at_nodes(np.zeros((9, 3)))
    assert np.isnan(stresses[-1]).all()
    assert not stresses[:-1].any()


def test_a_body_without_solids_or_material_says_so():
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match="no solid elements"):
        StressRecovery(replace(model, blocks=()))
    with pytest.raises(ModelError, match="no material called 'STEEL'"):
        StressRecovery(replace(model, materials={}))


def test_measures_are_those_of_the_eigenvalues():
    rng = np.random.default_rng(3)
    rows = np.concatenate(
        [rng.normal(size=(200, 6)), np.zeros((1, 6)), [[5, 5, 5, 0, 0, 0]], [[0, 0, 0, 7, 0, 0]]]
    )
    tensors = np.empty((len(rows), 3, 3))
    for column, (i, j) in enumerate([(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]):
        tensors[:, i, j] = tensors[:, j, i] = rows[:, column]
    exact = np.linalg.eigvalsh(tensors)[:, ::-1]
    np.testing.assert_allclose(principal_stresses(rows), exact, atol=1e-7)
    np.testing.assert_allclose(largest_shear(rows), 0.5 * (exact[:, 0] - exact[:, 2]), atol=1e-7)
    a, b, c = exact.T
    expected = np.sqrt(0.5 * ((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2))
    np.testing.assert_allclose(von_mises(rows), expected, atol=1e-12)


@pytest.mark.parametrize("kind", ("hex20", "tet10", "hex8", "hex8_incompatible", "hex8_reduced", "tet4"))
def test_strains_and_rotations_of_a_linear_motion(kind):
    """u = G x: strains are its symmetric part with γ = 2 ε, rotations the axial vector of its skew part."""
    model = box(kind, (2, 2, 2), (3.0, 2.0, 1.0), distortion=0.1)
    gradient = 1e-4 * np.array([[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0], [7.0, -8.0, 9.0]])  # ∂u_i/∂x_j
    recovery, u = StressRecovery(model), model.nodes @ gradient.T
    g = gradient
    strains = [g[0, 0], g[1, 1], g[2, 2], g[0, 1] + g[1, 0], g[1, 2] + g[2, 1], g[2, 0] + g[0, 2]]
    rotations = 0.5 * np.array([g[2, 1] - g[1, 2], g[0, 2] - g[2, 0], g[1, 0] - g[0, 1]])
    n = len(model.nodes)
    np.testing.assert_allclose(recovery.strains_at_nodes(u), np.tile(strains, (n, 1)), atol=1e-14)
    np.testing.assert_allclose(recovery.rotations_at_nodes(u), np.tile(rotations, (n, 1)), atol=1e-14)
    # A small turn about z by 1 mrad strains nothing.
    turn = 1e-3 * np.stack([-model.nodes[:, 1], model.nodes[:, 0], np.zeros(n)], axis=1)
    np.testing.assert_allclose(recovery.strains_at_nodes(turn), 0.0, atol=1e-15)
    np.testing.assert_allclose(recovery.rotations_at_nodes(turn), np.tile([0, 0, 1e-3], (n, 1)), atol=1e-15)
