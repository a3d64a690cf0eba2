"""Fields over a run at nodes and elements, from stress modes of a patch: those of the whole body, at its places."""

import csv
import time
from dataclasses import replace

import numpy as np
import pytest

from faying.cli import main
from faying.errors import ModelError
from faying.fem.model import ElementBlock, Material
from faying.fem.stress import StressRecovery
from faying.fem.stress_measures import von_mises
from faying.fem.stress_modes import StressModes
from faying.progress import Silent
from faying.results.curves import Curve, curve_difference
from faying.results.formula import find_field
from faying.results.kept import Kept
from faying.results.over_run import time_history
from faying.results.places import PlaceCurve, Places, history_at
from faying.testing.plates import plates_session, solved
from support.boxes import STEEL, box

FIELDS = ("von_mises", "stress_xx", "signed_von_mises", "displacement", "von_mises + 0.1 * abs(stress_zz)")
SOFT = Material("SOFT", 0.1 * STEEL.youngs_modulus, 0.3, STEEL.density, expansion=2e-5)


def two_materials():
    """Return a box whose upper half is soft, and random displacements and temperatures."""
    plain = box("hex8_incompatible", (4, 3, 4), (4.0, 3.0, 4.0), STEEL, distortion=0.1)
    (block,) = plain.blocks
    above = plain.nodes[block.connectivity].mean(axis=1)[:, 2] > 2.0
    blocks = tuple(
        ElementBlock(block.element, block.label, block.ids[kept], block.connectivity[kept], name)
        for kept, name in ((~above, STEEL.name), (above, SOFT.name))
    )
    hot = replace(STEEL, expansion=1e-5)
    return replace(
        plain, blocks=blocks, materials={STEEL.name: hot, SOFT.name: SOFT}, node_sets={}, surfaces={}
    )


def test_stress_modes_are_those_of_the_whole_body():
    """At inner, outer and material-parting nodes, and as means of elements' points; with temperatures; kind: linear."""
    model, random = two_materials(), np.random.default_rng(3)
    n, r = len(model.nodes), 7
    shapes = random.normal(size=(3 * n, r)) * 1e-3
    temperatures = random.uniform(0.0, 50.0, sum(block.connectivity.size for block in model.blocks))
    nodes = [0, n // 2, n // 2 + 1, n - 1, 40]
    elements = [0, 17, len(model.element_ids) - 1]
    modes, whole = StressModes(model, shapes, nodes, elements), StressRecovery(model)
    for heat in (None, temperatures):
        q = random.normal(size=r)
        displacement = (shapes @ q).reshape(-1, 3)
        of_nodes = whole.at_nodes(displacement, heat)[nodes]
        points = whole.at_points(displacement, heat)
        of_elements = np.array([points[whole.point_elements == e].mean(axis=0) for e in elements])
        wanted = np.vstack([of_nodes, of_elements])
        size = np.abs(wanted).max()
        np.testing.assert_allclose(modes.at(q, heat), wanted, atol=1e-12 * size)
        np.testing.assert_allclose(modes.of_displacement(displacement, heat), wanted, atol=1e-12 * size)
    assert len(np.unique(whole.slot_nodes)) < len(whole.slot_nodes)  # some nodes lie between the materials


@pytest.mark.parametrize("analysis", ["press", "swing", "full"])
def test_histories_are_those_of_the_fields_at_all_frames(analysis):
    """Reduced and unreduced, statics and motion."""
    context = solved(analysis)._content.body_context
    rows = (3, 25, len(context.model.nodes) // 2)
    for text in FIELDS:
        field = find_field(text)
        whole = np.array([field.shown(context, "", i)[list(rows)] for i in range(context.frames.n_frames)])
        fresh = replace(context, kept=Kept())
        found = time_history(field, fresh, "", rows, Silent())
        np.testing.assert_allclose(found, whole, rtol=1e-9, atol=1e-12 * np.nanmax(np.abs(whole)))
        if field.reach == "stress":
            assert fresh.kept.recovery is None  # the stresses of the whole body were never asked for
    element = 5
    recovery = StressRecovery(context.model)
    points = recovery.at_points(context.displacement(context.frames.n_frames - 1))
    mean = points[recovery.point_elements == element].mean(axis=0, keepdims=True)
    found = history_at(find_field("von_mises"), context, Places((), (element,)), Silent())
    assert found[-1, 0] == pytest.approx(von_mises(mean)[0], rel=1e-9) and found[-1, 0] > 0.0


def test_a_frame_costs_six_numbers_per_place_and_mode():
    """Not what the size of the body says: ten times the elements, the same time a frame."""
    costs = []
    for count in (4, 16):
        model = box("hex8_incompatible", (count, 8, 8), (4.0, 4.0, 4.0), STEEL)
        shapes = np.ones((3 * len(model.nodes), 30))
        modes = StressModes(model, shapes, [len(model.nodes) // 2], [0])
        assert modes._modes.shape == (2, 6, 30)
        q, best = np.ones(30), np.inf
        for _ in range(5):
            began = time.perf_counter()
            for _ in range(200):
                modes.at(q)
            best = min(best, time.perf_counter() - began)
        costs.append(best / 200)
    assert costs[1] < 3.0 * costs[0] and costs[1] < 1e-3


def test_names_of_curves_at_places():
    assert PlaceCurve.read("gear.el 47823 von_mises") == PlaceCurve("gear", "el", 47823, "von_mises")
    assert PlaceCurve.read("node 7 larger(stress_xx, 0)") == PlaceCurve("", "node", 7, "larger(stress_xx, 0)")
    for other in ("tip uz", "el x von_mises", "gear.el 3", "work of friction"):
        assert PlaceCurve.read(other) is None
    assert PlaceCurve.read("a b.node 7 gap").name == "a b.node 7 gap"


def test_a_solution_has_them_and_their_differences():
    press, full = solved("press"), solved("full")
    row = 30
    number = int(press._content.model.node_ids[row])
    name = f"node {number} von_mises"
    values = press.curve(name)
    assert values[-1] == pytest.approx(press.field("von_mises", frame=-1)[row], rel=1e-9)
    assert press.curve(name, unit="Pa")[-1] == pytest.approx(1e6 * values[-1])
    assert name in press.curves(name)
    found = press.difference(name, "full")
    other = np.interp(press.values, full.values, full.curve(name))
    np.testing.assert_allclose(found.curve.values, values - other, rtol=1e-12)
    assert found.largest == pytest.approx(np.abs(values - other).max()) and found.mean <= found.largest


def test_the_difference_of_two_runs_is_taken_at_the_same_times():
    over, other_over = (Curve("Time", np.array(t), "time") for t in ([0.0, 1.0, 2.0, 3.0], [1.0, 3.0]))
    one, two = (
        Curve("s", np.array([5.0, 1.0, 4.0, 3.0]), "stress"),
        Curve("s", np.array([1.0, 3.0]), "stress"),
    )
    found = curve_difference(over, one, other_over, two, "other")
    np.testing.assert_array_equal(found.curve.values, [np.nan, 0.0, 2.0, 0.0])
    assert (found.mean, found.largest, found.curve.name) == (1.0, 2.0, "s less other")
    late = Curve("Time", np.array([7.0, 8.0]), "time")
    with pytest.raises(ModelError, match="no time in common"):
        curve_difference(over, one, late, two, "other")
    with pytest.raises(ModelError, match="not of one dimension"):
        curve_difference(over, one, other_over, replace(two, quantity="length"), "other")


def test_the_command_writes_them(tmp_path, capsys):
    session = plates_session()
    for name in ("press", "full"):
        solved(name)
    path = tmp_path / "plates.faying"
    session.save(path)
    names = "el 3 von_mises, node 12 larger(stress_xx, 0)"
    words = ["export", str(path), "--analysis", "press", "--curves", names, "--to", str(tmp_path / "s.csv")]
    assert main(words) == 0
    with (tmp_path / "s.csv").open(newline="") as stream:
        heads, *rows = csv.reader(stream)
    assert heads[1].startswith("el 3 von_mises: Stress [N/mm²]") and len(rows) == solved("press").n_frames
    np.testing.assert_allclose(
        np.array(rows, float)[:, 1], solved("press").curve("el 3 von_mises"), rtol=1e-7
    )
    assert main([*words, "--minus", "full", "--force"]) == 0
    said = capsys.readouterr().out
    wanted = solved("press").difference("el 3 von_mises", "full")
    assert f"{wanted.mean:.6g} N/mm² in the mean, {wanted.largest:.6g} N/mm² at most" in said
    for wrong, sentence in (
        ("rod.el 3 von_mises", "of a single body"), ("el 999999 von_mises", "no element 999999"),
        ("node 3 moon", "no field called 'moon'"), ("el 3 pressure", "does not follow from the stress"),
        ("el 3 stress_jump", "does not follow from the stress"),
    ):  # fmt: skip
        words[words.index("--curves") + 1] = wrong
        assert main([*words, "--force"]) == 1
        assert sentence in capsys.readouterr().err
