"""Temperatures: expansion of all elements, stresses of hindered growth, closed forms, sets, files, sentences."""

from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from faying.analyses.static import Static
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.model import BeamSection, Coupling, ElementBlock, FeModel, ShellSection
from faying.fem.readers import read_model
from faying.fem.stress import StressRecovery
from faying.fem.thermal import element_nodes, thermal_forces
from faying.fem.writers import write_model
from faying.params import build
from faying.progress import Silent
from faying.results.field import FieldContext
from faying.results.fields import fields
from faying.results.results import Results
from faying.units import read_quantity
from support.boxes import STEEL, box
from support.loaded_bodies import EVERY, difference, held_box, loaded_body, solved, unreduced

ALPHA = 12e-6
HOT = replace(STEEL, expansion=ALPHA)
WARM = {"kind": "temperature", "name": "warm", "change": 100.0}
SOLIDS = [kind for kind, cls in element_kinds.items() if not cls.rotations and not cls.is_outline]


def free_box(element, counts=(2, 2, 2), size=(10.0, 8.0, 6.0), material=HOT, distortion=0.15) -> FeModel:
    """Return a distorted box whose mean motion alone is held."""
    plain = box(element, counts, size, material, distortion=distortion)
    n = len(plain.nodes)
    nodes = np.vstack([plain.nodes, plain.nodes.mean(axis=0)])
    rows = np.arange(n)
    mean = Coupling("C", "distributing", n, rows, EVERY, np.ones(n))
    return replace(plain, nodes=nodes, node_ids=np.arange(1, n + 2), couplings=(mean,))


@pytest.mark.parametrize("element", SOLIDS)
def test_a_free_body_grows_without_stress(element, tmp_path):
    model = free_box(element)
    if element == "hex20_reduced":  # its patterns without stiffness are those of the coupling's mean, too
        model = free_box("hex20")
    body = loaded_body(model, [WARM])
    found, _ = solved(body, tmp_path, "warm")
    exact = 100.0 * ALPHA * (model.nodes - model.nodes[-1])
    np.testing.assert_allclose(found[:-1], exact[:-1], atol=1e-9 * np.abs(exact).max())
    recovery, temperatures = StressRecovery(model), body.loads.temperatures[0]
    held = np.abs(recovery.at_points(found))[:, :3].mean()
    assert np.abs(recovery.at_points(found, temperatures)).max() < 1e-8 * held
    assert held == pytest.approx(
        100.0 * ALPHA * STEEL.youngs_modulus / (1 - 2 * STEEL.poisson_ratio), rel=1e-6
    )


@pytest.mark.parametrize("element", ["hex20", "tet10", "wedge15"])
def test_a_linear_temperature_makes_no_stress_in_quadratic_elements(element, tmp_path):
    model = free_box(element, distortion=0.0)
    file = tmp_path / "temperatures.csv"
    values = 20.0 + 3.0 * model.nodes[:, 0] - 2.0 * model.nodes[:, 2]
    lines = [f"{number}, {value}" for number, value in zip(model.node_ids, values, strict=True)]
    file.write_text("# node, temperature\n" + "\n".join(lines) + "\n")
    words = {"kind": "temperature", "name": "gradient", "file": str(file), "reference": 20.0}
    body = loaded_body(model, [words])
    (tmp_path / "runs").mkdir()
    found, _ = solved(body, tmp_path / "runs", "gradient")
    recovery, temperatures = StressRecovery(model), body.loads.temperatures[0]
    assert np.abs(recovery.at_points(found)).max() > 10.0
    assert (
        np.abs(recovery.at_points(found, temperatures)).max() < 1e-7 * np.abs(recovery.at_points(found)).max()
    )


@pytest.mark.parametrize("element", ["hex20", "hex20_reduced"])
def test_temperatures_of_midside_nodes_count_in_hexahedra(element):
    """ΔT = T x² along a bar makes it longer by α T L³ / 3, with one element as with many."""
    material = replace(HOT, poisson_ratio=0.0)
    model = box(element, (1, 1, 1), (10.0, 8.0, 6.0), material)
    x = model.nodes[:, 0]
    length, size = float(np.ptp(x)), 50.0
    matrices = assemble(model)
    changes = size * ((x - x.min()) / length) ** 2
    forces = thermal_forces(model, matrices.dofs, changes[element_nodes(model)])
    motion = np.linalg.lstsq(matrices.stiffness.toarray(), forces, rcond=1e-12)[0]
    u = (matrices.dofs.transformation @ motion).reshape(-1, 3)[:, 0]
    assert u[x == x.max()].mean() - u[x == x.min()].mean() == pytest.approx(ALPHA * size * length / 3.0)


def test_beams_and_shells_grow_too(tmp_path):
    nodes = np.array([[0.0, 0, 0], [50.0, 0, 0], [100.0, 0, 0]])
    section = BeamSection(10.0, 8.0, 8.0, 16.0, (0.0, 0.0, -1.0), 0.85)
    beams = ElementBlock("beam2", "B31", np.array([1, 2]), np.array([[0, 1], [1, 2]]), "STEEL", section)
    body = loaded_body(FeModel("beam", np.array([1, 2, 3]), nodes, (beams,), materials={"STEEL": HOT}), [WARM],
                       interfaces={"HOLD": 0})  # fmt: skip
    found, _ = solved(body, tmp_path, "warm")
    assert found[2] == pytest.approx([0.12, 0, 0], abs=1e-12)
    flat = np.array([[0.0, 0, 0], [10.0, 0, 0], [20.0, 0, 0], [0.0, 6, 0], [10.0, 6, 0], [20.0, 6, 0]])
    block = ElementBlock("shell4", "S4", np.array([1, 2]), np.array([[0, 1, 4, 3], [1, 2, 5, 4]]), "STEEL",
                         ShellSection(0.5))  # fmt: skip
    body = loaded_body(FeModel("plate", np.arange(1, 7), flat, (block,), materials={"STEEL": HOT}), [WARM],
                       interfaces={"HOLD": 0})  # fmt: skip
    found, _ = solved(body, tmp_path, "warm")
    # Held at a corner with its rotations, which a plate that grows in its plane does not need.
    np.testing.assert_allclose(found, 100.0 * ALPHA * flat, atol=1e-9)


def bimetal(length=100.0, width=2.0, below=1.0, above=0.5):
    """Return a strip of two layers of hex20 without lateral contraction, held in the mean at its start."""
    counts = (20, 1, 3)
    plain = held_box("hex20", counts, (length, width, below + above), kind="distributing")
    (block,) = plain.blocks
    height = plain.nodes[block.connectivity].mean(axis=1)[:, 2]
    lower = height < below
    assert lower.sum() == 40
    one = replace(STEEL, name="ONE", poisson_ratio=0.0, youngs_modulus=2e5, expansion=5e-6)
    two = replace(STEEL, name="TWO", poisson_ratio=0.0, youngs_modulus=1e5, expansion=20e-6)
    blocks = tuple(
        replace(block, ids=block.ids[at], connectivity=block.connectivity[at], material=material.name)
        for at, material in ((lower, one), (~lower, two))
    )
    return replace(plain, blocks=blocks, materials={"ONE": one, "TWO": two})


def test_a_bimetal_strip_bends_as_timoshenko_says(tmp_path):
    body = loaded_body(bimetal(), [WARM])
    found, _ = solved(body, tmp_path, "warm")
    # Analytical (Timoshenko 1925, eq. 4): curvature of two bonded strips.
    m, n, h = 0.5 / 1.0, 1e5 / 2e5, 1.5
    curvature = (
        6.0 * 15e-6 * 100.0 * (1 + m) ** 2 / (h * (3 * (1 + m) ** 2 + (1 + m * n) * (m**2 + 1 / (m * n))))
    )
    middle = np.flatnonzero(
        (np.abs(body.model.nodes[:-1, 2] - 1.0) < 1e-9) & (np.abs(body.model.nodes[:-1, 1]) < 1e-9)
    )
    inner = middle[np.abs(body.model.nodes[middle, 0] - 50.0) < 31.0]
    second = np.polyfit(body.model.nodes[inner, 0], found[inner, 2], 2)[0]
    assert -2.0 * second == pytest.approx(
        curvature, rel=1e-3
    )  # the warmer-growing layer is above: the ends go down
    assert difference(found, unreduced(body, tmp_path, "warm")) < 1e-6
    # Without load modes a basis of the strip held at one end knows nothing of it, and says so.
    rough = loaded_body(bimetal(), [WARM], with_modes=False)
    assert solved(rough, tmp_path, "warm")[1]["load_error"] > 0.5


def cooling_bolt():
    """Return a bolt of 2 × 2 beside a sleeve of 10 × 4, both of 20, joined at both ends by rigid couplings."""
    cold, stiff = (replace(HOT, name=name, poisson_ratio=0.0) for name in ("BOLT", "SLEEVE"))
    bolt, sleeve = (
        box("hex8", (4, 1, 1), (20.0, 2.0, 2.0), cold),
        box("hex20", (2, 1, 1), (20.0, 10.0, 4.0), stiff),
    )
    sleeve_nodes = sleeve.nodes + np.array([0.0, -4.0, 10.0])
    mirror = sleeve.nodes + np.array([0.0, -4.0, -12.0])  # two sleeves, so that nothing bends
    parts = (bolt.nodes, sleeve_nodes, mirror)
    starts = np.cumsum([0, *(len(p) for p in parts)])
    nodes = np.vstack([*parts, [[20.0, 1.0, 1.0], [0.0, 1.0, 1.0]]])
    blocks = []
    for i, (model, material, start) in enumerate(
        ((bolt, "BOLT", 0), (sleeve, "SLEEVE", starts[1]), (sleeve, "SLEEVE", starts[2]))
    ):
        (block,) = model.blocks
        blocks.append(
            replace(
                block, ids=block.ids + 100 * i, connectivity=block.connectivity + start, material=material
            )
        )
    tip, hold = len(nodes) - 2, len(nodes) - 1
    ends = [np.flatnonzero(np.abs(nodes[:tip, 0] - x) < 1e-9) for x in (20.0, 0.0)]
    # Only along the bolt: all parts are free to grow across it, each from a corner that does not turn.
    at_start = [ends[1][(ends[1] >= a) & (ends[1] < b)] for a, b in pairwise(starts)]
    corners = np.array([rows[np.lexsort(nodes[rows].T)[0]] for rows in at_start])
    beside = np.array(
        [
            next(r for r in rows if nodes[r, 2] == nodes[c, 2] and r != c)
            for rows, c in zip(at_start, corners, strict=True)
        ]
    )
    couplings = tuple(
        Coupling(name, "kinematic", node, rows, components, np.ones(len(rows)))
        for name, node, rows, components in (
            ("T", tip, ends[0], (1,)), ("H", hold, ends[1], (1,)),
            ("A", hold, corners, (2, 3)), ("B", hold, beside, (3,)),
        )
    )  # fmt: skip
    sets = {"COLD": np.arange(len(blocks[0].ids))}
    return FeModel("bolt", np.arange(1, len(nodes) + 1), nodes, tuple(blocks), {}, sets, {},
                   {"BOLT": cold, "SLEEVE": stiff}, couplings)  # fmt: skip


COOL = {"kind": "temperature", "name": "cool", "of_sets": [{"element_set": "cold", "change": -150.0}]}


@pytest.mark.parametrize("kind", [Static, UnreducedStatic])
def test_a_bolt_that_cools_between_stiff_blocks(tmp_path, kind):
    model = cooling_bolt()
    body = loaded_body(model, [COOL])
    words = {"name": "it", "body": "it", "support": "HOLD", "load_steps": 2, "body_loads": [{"load": "cool"}]}
    build(kind, words).run(body, tmp_path / "cool.h5", Silent())
    # Analytical: bolt and sleeves in a row, F = α ΔT L / (1/k_b + 1/k_s).
    bolt, sleeves = (STEEL.youngs_modulus * area / 20.0 for area in (4.0, 80.0))
    force = ALPHA * 150.0 * 20.0 / (1.0 / bolt + 1.0 / sleeves)
    with closing(Results(tmp_path / "cool.h5")) as results:
        assert results.curve("cool factor") == pytest.approx(
            [0.5, 1.0] if results.n_frames == 2 else [0.0, 0.5, 1.0]
        )
        context = FieldContext(results, body.reduced.clamped_to("HOLD"), {}, {}, {}, model)
        for frame, share in ((-2 % results.n_frames, 0.5), (-1 % results.n_frames, 1.0)):
            stress = fields["stress_xx"]().evaluate(context, "", frame)
            in_bolt = np.unique(model.blocks[0].connectivity)
            np.testing.assert_allclose(stress[in_bolt], share * force / 4.0, rtol=1e-6)
            in_sleeves = np.unique(model.blocks[1].connectivity)
            np.testing.assert_allclose(stress[in_sleeves], -share * force / 80.0, rtol=1e-6)
        for name in ("von_mises_points", "von_mises"):
            values = fields[name]().evaluate(context, "", results.n_frames - 1)
            np.testing.assert_allclose(values[in_bolt], force / 4.0, rtol=1e-6)
        assert np.nanmax(fields["stress_jump"]().evaluate(context, "", results.n_frames - 1)) < 1e-6 * force


def test_what_temperatures_lack_is_a_sentence(tmp_path):
    cold = free_box("hex8", material=STEEL)
    with pytest.raises(
        ModelError, match="'warm': The material 'STEEL' has no coefficient of thermal expansion"
    ):
        loaded_body(cold, [WARM])
    with pytest.raises(ModelError, match="no element set 'LID' for a temperature"):
        loaded_body(free_box("hex8"), [{**COOL, "of_sets": [{"element_set": "LID", "change": 1.0}]}])
    file = tmp_path / "t.txt"
    for text, sentence in (
        ("1 20\n2, warm\n", "Load 'it': t.txt, line 2: this line has no node number and temperature"),
        ("1 20\n4711 20\n", "t.txt, line 2: there is no node 4711 in the deck"),
        ("1 nan\n", "t.txt, line 1: the temperature is no number"),
    ):
        file.write_text(text)
        with pytest.raises(ModelError, match=sentence):
            loaded_body(free_box("hex8"), [{"kind": "temperature", "name": "it", "file": str(file)}])
    with pytest.raises(ModelError, match="cannot be read"):
        loaded_body(free_box("hex8"), [{"kind": "temperature", "name": "it", "file": str(tmp_path / "none")}])


def test_coefficients_come_from_decks_and_go_back(tmp_path):
    write_model(free_box("hex8"), tmp_path / "box.inp")
    assert read_model(tmp_path / "box.inp").materials["STEEL"].expansion == ALPHA
    text = (tmp_path / "box.inp").read_text()
    (tmp_path / "ortho.inp").write_text(text.replace("*EXPANSION", "*EXPANSION, TYPE=ANISO"))
    model = read_model(tmp_path / "ortho.inp")
    assert model.materials["STEEL"].expansion is None
    assert any("this kind of expansion is not read" in note for _, note in model.unread)
    grid = "".join(
        f"GRID,{i + 1},,{x}.,{y}.,{z}.\n"
        for i, (x, y, z) in enumerate([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    )
    mat = "MAT1,1,210000.,,0.3,7.85-9,1.2-5\nPSOLID,1,1\nCTETRA,1,1,1,2,3,4\nENDDATA\n"
    (tmp_path / "tet.bdf").write_text(f"BEGIN BULK\n{grid}{mat}")
    assert read_model(tmp_path / "tet.bdf").materials["MAT1 1"].expansion == pytest.approx(1.2e-5)


def test_degrees_are_changes_of_temperature():
    assert read_quantity("100 °C", "temperature_change", "mm-t-s") == pytest.approx(100.0)
    assert read_quantity("100 K", "temperature_change", "mm-t-s") == pytest.approx(100.0)
    assert read_quantity("18 °F", "temperature_change", "mm-t-s") == pytest.approx(10.0)
    assert read_quantity("12e-6 1/K", "thermal_expansion", "m-kg-s") == pytest.approx(12e-6)
    assert read_quantity("12 um/m/°C", "thermal_expansion", "m-kg-s") == pytest.approx(12e-6)
    with pytest.raises(ModelError, match="is not a temperature change"):
        read_quantity("3 mm", "temperature_change", "mm-t-s")
