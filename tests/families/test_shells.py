"""Shell elements: patch tests, plates and shells with known answers, offsets, and their two sides as skin."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.model import ElementBlock, FeModel, Material, ShellSection
from faying.fem.skin import find_skin, surface_area
from faying.linalg.factor import factorize
from faying.linalg.modes import lowest_modes

SHELLS = [kind for kind, member in element_kinds.items() if member.is_shell]
STEEL = Material("STEEL", 210000.0, 0.3, 7.85e-9)


def sheet(
    kind: str, counts, size, thickness=1.0, *, material=STEEL, offset=0.0, distortion=0.0, shape=None
) -> FeModel:
    """Return a rectangular sheet of one kind of shell; `shape` maps (n, 2) positions on it to (n, 3) points."""
    member = element_kinds[kind]
    quadratic = member.n_nodes in (6, 8)
    steps = [2 * c if quadratic else c for c in counts]
    grid = np.stack(
        np.meshgrid(*(np.linspace(0, s, k + 1) for s, k in zip(size, steps, strict=True)), indexing="ij"), -1
    )
    rows = np.arange(grid[..., 0].size).reshape(grid.shape[:2])
    step = 2 if quadratic else 1
    flat = grid.reshape(-1, 2).copy()
    if distortion and not quadratic:
        inner = ((flat > 1e-9) & (flat < np.array(size) - 1e-9)).all(axis=1)
        moves = np.random.default_rng(3).uniform(-1, 1, flat.shape) * np.array(size) / counts
        flat += distortion * moves * inner[:, None]
    cells = []
    for i in range(0, steps[0], step):
        for j in range(0, steps[1], step):
            a, b, c, d = rows[i, j], rows[i + step, j], rows[i + step, j + step], rows[i, j + step]
            if quadratic:
                ab, bc, cd, da = rows[i + 1, j], rows[i + 2, j + 1], rows[i + 1, j + 2], rows[i, j + 1]
                middle = rows[i + 1, j + 1]
            if member.n_nodes == 3:
                cells += [(a, b, c), (a, c, d)]
            elif member.n_nodes == 4:
                cells += [(a, b, c, d)]
            elif member.n_nodes == 6:
                cells += [(a, b, c, ab, bc, middle), (a, c, d, middle, cd, da)]
            else:
                cells += [(a, b, c, d, ab, bc, cd, da)]
    connectivity = np.array(cells)
    nodes = np.column_stack([flat, np.zeros(len(flat))]) if shape is None else shape(flat)
    used = np.unique(connectivity)
    connectivity, nodes, flat = np.searchsorted(used, connectivity), nodes[used], flat[used]
    ends = {
        f"{axis}{side}": np.flatnonzero(np.abs(flat[:, i] - at) < 1e-9 * size[i])
        for i, axis in enumerate("XY") for side, at in (("MIN", 0.0), ("MAX", size[i]))
    }  # fmt: skip
    section = ShellSection(thickness, offset)
    ids = np.arange(1, len(connectivity) + 1)
    block = ElementBlock(kind, member.labels[0], ids, connectivity, material.name, section)
    return FeModel(
        "sheet", np.arange(1, len(nodes) + 1), nodes, (block,), ends, {}, {}, {material.name: material}
    )


def solved(
    model: FeModel, held: np.ndarray, loads: np.ndarray, given: np.ndarray | None = None
) -> np.ndarray:
    """Return (n, 6) displacements and rotations; `held` are dofs of (n, 6), `given` their values."""
    n = len(model.nodes)
    # Our vector has all displacements first, then all rotations.
    order = np.concatenate(
        [(6 * np.arange(n)[:, None] + np.arange(3)).ravel(), (6 * np.arange(n)[:, None] + [3, 4, 5]).ravel()]
    )
    place = np.argsort(order)
    matrices = assemble(model)
    assert matrices.dofs.n_dofs == 6 * n
    K = sp.csr_matrix(matrices.stiffness)
    held = place[held]
    free = np.setdiff1d(np.arange(6 * n), held)
    x = np.zeros(6 * n)
    x[held] = 0.0 if given is None else given
    force = loads.ravel()[order] - K @ x
    x[free] = factorize(K[free][:, free]).solve(force[free])
    return x[place].reshape(n, 6)


def dofs(nodes: np.ndarray, components: list[int]) -> np.ndarray:
    return (6 * np.asarray(nodes)[:, None] + np.array(components)).ravel()


@pytest.mark.parametrize("kind", SHELLS)
@pytest.mark.parametrize("state", ["membrane", "bending"])
def test_patch_of_distorted_shells_holds_a_uniform_state(kind, state):
    model = sheet(kind, (3, 2), (3.0, 2.0), 0.1, distortion=0.2)
    x, y, _ = model.nodes.T
    exact = np.zeros((len(x), 6))
    if state == "membrane":
        exact[:, 0], exact[:, 1] = 1e-3 * x + 4e-4 * y, 2e-4 * x - 5e-4 * y
        exact[:, 5] = 0.5 * (2e-4 - 4e-4)
        strain = np.array([1e-3, -5e-4, 6e-4])
        factor = 0.1
    else:
        # w = a x²/2 + b x y + c y²/2; rotations follow the normal: θx = w,y and θy = -w,x.
        a, b, c = 1e-3, 3e-4, -7e-4
        exact[:, 2] = a * x**2 / 2 + b * x * y + c * y**2 / 2
        exact[:, 3], exact[:, 4] = b * x + c * y, -(a * x + b * y)
        strain = np.array([a, c, 2 * b])
        factor = 0.1**3 / 12
    edge = np.unique(np.concatenate(list(model.node_sets.values())))
    held = dofs(edge, [0, 1, 2, 3, 4, 5])
    found = solved(model, held, np.zeros_like(exact), exact[edge].ravel())
    np.testing.assert_allclose(found, exact, atol=1e-10 * np.abs(exact).max())
    E, nu = STEEL.youngs_modulus, STEEL.poisson_ratio
    D = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    matrices = assemble(model)
    vector = np.concatenate([exact[:, :3].ravel(), exact[:, 3:].ravel()])
    energy = vector @ (matrices.stiffness @ vector) / 2
    assert energy == pytest.approx(factor * 6.0 * strain @ D @ strain / 2, rel=1e-9)


# Clamped square plate under its middle: w = 0.00560 F a²/D (Timoshenko and Woinowsky-Krieger, table 37).
@pytest.mark.parametrize(
    ("kind", "count", "tolerance"),
    [("shell3", 24, 0.025), ("shell4", 16, 0.015), ("shell6", 8, 0.03), ("shell8", 8, 0.015)],
)
@pytest.mark.parametrize("ratio", [100.0, 1000.0])
def test_clamped_plate_bends_as_the_theory_of_thin_plates_says(kind, count, tolerance, ratio):
    side = 100.0
    model = sheet(kind, (count, count), (side, side), side / ratio)
    edge = np.unique(np.concatenate(list(model.node_sets.values())))
    middle = int(np.argmin(np.linalg.norm(model.nodes - [side / 2, side / 2, 0.0], axis=1)))
    loads = np.zeros((len(model.nodes), 6))
    loads[middle, 2] = 1.0
    found = solved(model, dofs(edge, [0, 1, 2, 3, 4, 5]), loads)
    rigidity = STEEL.youngs_modulus * (side / ratio) ** 3 / 12 / (1 - STEEL.poisson_ratio**2)
    assert found[middle, 2] == pytest.approx(0.00560 * side**2 / rigidity, rel=tolerance)


# Scordelis-Lo roof: the middle of the free edge sinks by 0.3024 (MacNeal and Harder 1985).
@pytest.mark.parametrize(
    ("kind", "count", "tolerance"),
    [("shell3", 24, 0.05), ("shell4", 16, 0.01), ("shell6", 8, 0.03), ("shell8", 8, 0.015)],
)
def test_scordelis_lo_roof(kind, count, tolerance):
    radius, half, angle = 25.0, 25.0, np.radians(40.0)
    roof = Material("ROOF", 4.32e8, 0.0, 1.0)

    def bent(flat: np.ndarray) -> np.ndarray:
        s, z = flat[:, 0] / radius, flat[:, 1]
        return np.column_stack([radius * np.sin(s), z, radius * np.cos(s)])

    model = sheet(kind, (count, count), (radius * angle, half), 0.25, material=roof, shape=bent)
    # A quarter: symmetric at the crown and half way along; the end rests on a stiff wall.
    crown, edge = model.node_sets["XMIN"], model.node_sets["XMAX"]
    middle, wall = model.node_sets["YMIN"], model.node_sets["YMAX"]
    held = np.unique(np.concatenate([dofs(crown, [0, 4, 5]), dofs(middle, [1, 3, 5]), dofs(wall, [0, 2])]))
    mass = assemble(model).mass
    weight = np.zeros(mass.shape[0])
    weight[2 : 3 * len(model.nodes) : 3] = -90.0 / 0.25  # a load of 90 per area
    loads = np.zeros((len(model.nodes), 6))
    loads[:, :3] = (mass @ weight)[: 3 * len(model.nodes)].reshape(-1, 3)
    loads[:, 3:] = (mass @ weight)[3 * len(model.nodes) :].reshape(-1, 3)
    corner = int(np.intersect1d(edge, middle)[0])
    found = solved(model, held, loads)
    assert found[corner, 2] == pytest.approx(-0.3024, rel=tolerance)


@pytest.mark.parametrize(("kind", "count"), [("shell3", 20), ("shell4", 14), ("shell6", 7), ("shell8", 7)])
def test_free_square_plate_vibrates_as_leissa_says(kind, count):
    side, thickness = 100.0, 1.0
    model = sheet(kind, (count, count), (side, side), thickness)
    matrices = assemble(model)
    # λ² of a free square plate with ν = 0.3: 13.468, 19.596, 24.270 (Leissa, Vibration of Plates, NASA SP-160).
    rigidity = STEEL.youngs_modulus * thickness**3 / 12 / (1 - 0.3**2)
    scale = np.sqrt(rigidity / (STEEL.density * thickness)) / side**2 / (2 * np.pi)
    # A spring too weak to matter holds the six free motions.
    stiffness = matrices.stiffness + 1e-3 * scale**2 * matrices.mass
    values, _ = lowest_modes(matrices.mass, 9, factorize(stiffness))
    frequencies = np.sqrt(values) / (2 * np.pi)
    np.testing.assert_allclose(frequencies[6:9], scale * np.array([13.468, 19.596, 24.270]), rtol=0.02)


@pytest.mark.parametrize("kind", SHELLS)
def test_an_offset_puts_the_middle_surface_beside_the_nodes(kind):
    model = sheet(kind, (8, 1), (80.0, 10.0), 2.0, offset=3.0, material=Material("M", 210000.0, 0.0, 1e-9))
    # Pulled at the nodes, the sheet bends: ε at the nodes = F/A (1/E) (1 + e²·12/h²).
    held = dofs(model.node_sets["XMIN"], [0, 1, 2, 3, 4, 5])
    end = model.node_sets["XMAX"]
    loads = np.zeros((len(model.nodes), 6))
    loads[end, 0] = {2: [0.5, 0.5], 3: [1 / 6, 2 / 3, 1 / 6]}[len(end)]
    found = solved(model, held, loads)
    assert found[end, 0].mean() == pytest.approx(
        80.0 / 20.0 / 210000.0 * (1 + 3.0**2 * 12 / 2.0**2), rel=0.01
    )
    np.testing.assert_allclose(mass_properties(model).centre, [40.0, 5.0, 3.0], atol=1e-9)


@pytest.mark.parametrize("kind", SHELLS)
def test_both_sides_of_a_shell_are_its_skin(kind):
    model = sheet(kind, (3, 2), (3.0, 2.0), 0.1)
    skin = find_skin(model)
    assert surface_area(skin.surface, model.nodes) == pytest.approx(12.0)
    up = skin.normals[:, 2] > 0
    assert up.sum() * 2 == len(up)
    faces = np.concatenate([b.faces for b in skin.surface.blocks])
    assert (up == (faces == 0)).all()
    # Growing over one side does not go round the edge to the other.
    assert len(skin.grow(int(np.flatnonzero(up)[0]), 20.0)) == up.sum()


def test_shells_without_thickness_and_folded_ones_are_named():
    model = sheet("shell4", (2, 1), (2.0, 1.0))
    (block,) = model.blocks
    for section, words in ((None, "no section"), (ShellSection(0.0), "thickness of a shell section is 0")):
        bare = ElementBlock(
            block.element, block.label, block.ids, block.connectivity, block.material, section
        )
        with pytest.raises(ModelError, match=words):
            assemble(FeModel("", model.node_ids, model.nodes, (bare,), materials=model.materials))
    folded = ElementBlock(
        "shell4", "S4", block.ids, block.connectivity[:, [0, 2, 1, 3]], "STEEL", block.section
    )
    with pytest.raises(ModelError, match=r"Element 1 \(S4\) has no area or is folded"):
        assemble(FeModel("", model.node_ids, model.nodes, (folded,), materials=model.materials))
