"""Steps and load cases of decks as analyses: loads, supports, displacements, bolts; closed forms and CalculiX 2.20."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import faying
from faying.cli import main
from faying.fem.model import FeModel, Material
from faying.fem.readers import read_model
from faying.fem.writers import write_model
from faying.project.study import read_study
from support.boxes import box

E, NU, DENSITY, EXPANSION = 210_000.0, 0.3, 7.85e-9, 1.2e-5
SIZE = np.array([40.0, 10.0, 10.0])
AREA, VOLUME = 100.0, 4000.0
PLANES = "*BOUNDARY\nXMIN, 1\nYMIN, 2\nZMIN, 3\n"
CLAMP = "*BOUNDARY\nXMIN, ENCASTRE\n"


def block(
    path: Path, text: str, *, density: str = f"*DENSITY\n{DENSITY}\n", turn: np.ndarray | None = None
) -> Path:
    """Write a block of 4 by 2 by 2 bricks with named faces, and cards behind."""
    model = box("hex20", (4, 2, 2), tuple(SIZE))
    nodes = model.nodes if turn is None else model.nodes @ turn.T
    rows = model.node_ids[model.blocks[0].connectivity].tolist()
    cards = "*NODE, NSET=ALL\n" + "".join(
        f"{n}, {x}, {y}, {z}\n" for n, (x, y, z) in zip(model.node_ids.tolist(), nodes.tolist(), strict=True)
    )
    cards += "*ELEMENT, TYPE=C3D20, ELSET=E\n" + "".join(
        f"{n}, {', '.join(map(str, row[:15]))},\n{', '.join(map(str, row[15:]))}\n"
        for n, row in zip(model.element_ids.tolist(), rows, strict=True)
    )
    for name, members in model.node_sets.items():
        cards += f"*NSET, NSET={name}\n" + "".join(f"{n},\n" for n in model.node_ids[members].tolist())
    own = model.nodes[model.blocks[0].connectivity]
    cards += "*ELSET, ELSET=TOP\n" + "".join(
        f"{n},\n" for n in model.element_ids[own[:, :, 2].max(axis=1) == 10.0]
    )
    cards += f"*SURFACE, NAME=LID\nTOP, S2\n*MATERIAL, NAME=STEEL\n*ELASTIC\n{E}, {NU}\n{density}"
    cards += f"*EXPANSION\n{EXPANSION}\n*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n"
    path.write_text(cards + text)
    return path


def step(text: str, more: str = "") -> str:
    return f"*STEP{more}\n*STATIC\n{text}*END STEP\n"


def solved(deck: Path, capsys: pytest.CaptureFixture[str]) -> faying.Session:
    """Return the study that `faying new` writes of a deck, which has to be without errors."""
    assert main(["new", str(deck), "--force"]) == 0
    capsys.readouterr()
    study = deck.with_suffix(".toml")
    assert main(["check", str(study)]) == 0, capsys.readouterr().out
    return faying.read(study)


def reaction(solution: faying.Solution, node: str = "supports", frame: int = -1) -> np.ndarray:
    return np.array([solution.curve(f"{node} reaction force {axis}")[frame] for axis in "xyz"])


def moved(solution: faying.Solution, model: FeModel, name: str, frame: int = -1) -> np.ndarray:
    """Return (n, 3) displacements of the nodes of a set."""
    numbers = solution.node_numbers().tolist()
    rows = [numbers.index(n) for n in model.node_ids[model.node_sets[name]].tolist() if n in numbers]
    return np.asarray(solution.field("displacement", frame=frame))[rows]


@pytest.mark.parametrize("weighs", [True, False])
def test_a_face_that_is_displaced_strains_the_block_evenly(tmp_path, capsys, weighs):
    """Analytical: σ = E Δ/L, on planes of symmetry; without a density the FE model is solved as it is."""
    text = (
        PLANES
        + "*AMPLITUDE, NAME=HALF\n0., 0., 1., 0.5\n"
        + step("*BOUNDARY, AMPLITUDE=HALF\nXMAX, 1, 1, 0.1\n")
    )
    deck = block(tmp_path / "pulled.inp", text, density="*DENSITY\n7.85E-9\n" if weighs else "")
    session, model = solved(deck, capsys), read_model(deck)
    (analysis,) = session.project.analyses
    assert analysis.kind == ("static" if weighs else "unreduced_static") and analysis.name == "step 1"
    solution, force = session.solve("step 1"), E * 0.05 / 40.0 * AREA
    np.testing.assert_allclose(solution.curve("displaced 1 reaction force x")[-1], force, rtol=1e-6)
    np.testing.assert_allclose(reaction(solution), [-force, 0.0, 0.0], atol=1e-6 * force)
    np.testing.assert_allclose(moved(solution, model, "YMAX")[:, 1], -NU * 0.05 / 40.0 * 10.0, rtol=1e-6)
    assert not model.unread


def test_loads_of_a_step_push_as_their_cards_say(tmp_path, capsys):
    """Statics and closed forms: pressure × area, ρ g V, ρ ω² V x, force per volume × V."""
    acts = {
        "*CLOAD\nXMAX, 2, -3.\nXMAX, 2, 1.\n": [0.0, -2.0, 0.0],  # times the nodes: given twice, it adds up
        "*DLOAD\nTOP, P2, 1.5\n": [0.0, 0.0, -1.5 * 400.0],
        "*DSLOAD\nLID, P, 2.\n": [0.0, 0.0, -2.0 * 400.0],
        "*DLOAD\nE, GRAV, 9810., 0., 0., -1.\n": [0.0, 0.0, -9810.0 * DENSITY * VOLUME],
        "*DLOAD\nTOP, GRAV, 9810., 1., 0., 0.\n": [9810.0 * DENSITY * VOLUME / 2, 0.0, 0.0],
        "*DLOAD\nE, CENTRIF, 1.E6, 0., 5., 5., 0., 0., 1.\n": [1e6 * DENSITY * VOLUME * 20.0, 0.0, 0.0],
        "*DLOAD\nTOP, BX, 0.25\n": [0.25 * VOLUME / 2, 0.0, 0.0],
    }
    text = CLAMP + "".join(
        step(f"*CLOAD, OP=NEW\n*DLOAD, OP=NEW\n*DSLOAD, OP=NEW\n{cards}") for cards in acts
    )
    deck = block(tmp_path / "pushed.inp", text)
    session = solved(deck, capsys)
    (analysis,) = session.project.analyses
    assert analysis.kind == "steps" and len(analysis.steps) == len(acts)
    solution = session.solve(analysis.name)
    at = solution.curve("step")
    n = len(read_model(deck).node_sets["XMAX"])
    for number, force in enumerate(acts.values(), 1):
        exact = -np.array(force) * (n if number == 1 else 1)
        frame = int(np.flatnonzero(at == number)[-1])
        np.testing.assert_allclose(reaction(solution, frame=frame), exact, atol=1e-6 * np.abs(exact).max())


def test_loads_go_on_from_step_to_step_unless_new_ones_take_their_place(tmp_path):
    text = CLAMP + "".join(
        step(cards)
        for cards in (
            "*CLOAD\nXMAX, 1, 2.\n*DLOAD\nTOP, P2, 1.\n", "*CLOAD\nXMAX, 1, 5.\n", "*DLOAD, OP=NEW\nTOP, P2, 3.\n",
            "*CLOAD, OP=NEW\n",
        )
    )  # fmt: skip
    model = read_model(block(tmp_path / "rows.inp", text))
    assert [case.loads for case in model.deck_cases] == [
        (("CLOAD 1", 1.0), ("PRESSURE 1", 1.0)), (("CLOAD 2", 1.0), ("PRESSURE 1", 1.0)),
        (("CLOAD 2", 1.0), ("PRESSURE 2", 1.0)), (("PRESSURE 2", 1.0),),
    ]  # fmt: skip
    assert [case.follows for case in model.deck_cases] == [False, True, True, True]
    assert {name: load.forces[0, 0] for name, load in model.deck_loads.items() if name[:5] == "CLOAD"} == {
        "CLOAD 1": 2.0, "CLOAD 2": 5.0,
    }  # fmt: skip
    assert [load.pressures[0][1] for name, load in model.deck_loads.items() if "PRESSURE" in name] == [
        1.0,
        3.0,
    ]


def test_a_warm_block_grows(tmp_path, capsys):
    """Analytical: α ΔT L, ΔT against the initial temperature."""
    text = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n" + PLANES + step("*TEMPERATURE\nALL, 120.\n")
    deck = block(tmp_path / "warm.inp", text)
    solution, model = solved(deck, capsys).solve("step 1"), read_model(deck)
    np.testing.assert_allclose(moved(solution, model, "XMAX")[:, 0], EXPANSION * 100.0 * 40.0, rtol=1e-6)
    np.testing.assert_allclose(reaction(solution), 0.0, atol=1e-6 * E * EXPANSION * 100.0 * AREA)


def test_directions_of_nodes_turn_supports_and_forces(tmp_path, capsys):
    """The block turned about z, held by planes in its own directions: the same stress as upright."""
    angle = np.radians(30.0)
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )
    a, b = turn[:, 0], turn[:, 1]
    system = f"*TRANSFORM, NSET=ALL\n{a[0]}, {a[1]}, 0., {b[0]}, {b[1]}, 0.\n"
    deck = block(
        tmp_path / "skew.inp", system + PLANES + step("*DLOAD\nE, BX, 0.\n*CLOAD\nXMAX, 1, 4.\n"), turn=turn
    )
    session, model = solved(deck, capsys), read_model(deck)
    solution = session.solve("step 1")
    force = 4.0 * len(model.node_sets["XMAX"])
    np.testing.assert_allclose(reaction(solution), -force * a, atol=1e-6 * force)
    upright = block(tmp_path / "upright.inp", PLANES + step("*CLOAD\nXMAX, 1, 4.\n"))
    same = moved(solved(upright, capsys).solve("step 1"), model, "XMAX")
    np.testing.assert_allclose(moved(solution, model, "XMAX"), same @ turn.T, atol=1e-6 * np.abs(same).max())


CALCULIX = PLANES + (
    "*STEP, NAME=Press\n*STATIC\n*DLOAD\nTOP, P2, 2.5\nE, GRAV, 9810., 0., 0., -1.\n*END STEP\n"
    "*STEP\n*STATIC\n*CLOAD\nXMAX, 1, 3.\n*DLOAD, OP=NEW\n*END STEP\n*STEP\n*FREQUENCY\n3\n*END STEP\n"
)


def test_steps_are_those_of_calculix(tmp_path, capsys):
    """CalculiX 2.20, C3D20: displacements of the face's corner after two static steps, and natural frequencies."""
    deck = block(tmp_path / "block.inp", CALCULIX)
    assert main(["new", str(deck)]) == 0
    said = capsys.readouterr().out
    assert "analyses: Press to step 2" in said and "natural frequencies: 3 of step 3" in said
    session, model = faying.read(deck.with_suffix(".toml")), read_model(deck)
    solution = session.solve("Press to step 2")
    frames = [int(np.flatnonzero(solution.curve("step") == k)[-1]) for k in (1, 2)]
    np.testing.assert_allclose(reaction(solution, frame=frames[0]), [0.0, 0.0, 1000.308034], atol=1e-3)
    np.testing.assert_allclose(reaction(solution, frame=frames[1]), [-63.0, 0.0, 0.0], atol=1e-6)
    edge = model.nodes[model.node_sets["XMAX"]]
    corner = int(np.flatnonzero((edge[:, 1] == 10.0) & (edge[:, 2] == 5.0))[0])
    found = [moved(solution, model, "XMAX", frame)[corner] for frame in frames]
    np.testing.assert_allclose(found[0], [1.428792e-4, 3.571966e-5, -5.953356e-5], rtol=1e-5)
    np.testing.assert_allclose(found[1], [1.267992e-4, -1.336613e-5, -6.333506e-6], rtol=1e-5)
    capsys.readouterr()
    assert main(["quality", str(deck.with_suffix(".toml")), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(told["held_frequencies"][:3], [32171.92, 91542.23, 104218.5], rtol=1e-5)


def test_a_bolt_is_tightened_and_locked_before_the_load_comes(tmp_path, capsys):
    """Analytical: a bar held at both ends carries a force in proportion to what is behind it, a locked bolt too."""
    column = box("hex8_incompatible", (1, 1, 4), (1.0, 1.0, 4.0), Material("STEEL", E, 0.0, DENSITY))
    deck = tmp_path / "bolt.inp"
    write_model(column, deck)
    layer = column.element_ids[column.nodes[column.blocks[0].connectivity][:, :, 2].max(axis=1) == 2.0]
    level = column.node_ids[column.nodes[:, 2] == 1.0]
    text = deck.read_text() + f"*SURFACE, NAME=CUT\n{layer[0]}, S2\n*NODE, NSET=PRE\n9001, 0., 0., 0.\n"
    text += "*PRE-TENSION SECTION, SURFACE=CUT, NODE=9001\n0., 0., 1.\n*NSET, NSET=LEVEL\n"
    text += "".join(f"{n},\n" for n in level) + "*BOUNDARY\nZMIN, 1, 3\nZMAX, 1, 3\n"
    text += step("*CLOAD\nPRE, 1, 500.\n") + step("*BOUNDARY, FIXED\nPRE, 1\n*CLOAD\nLEVEL, 3, 25.\n")
    deck.write_text(text)
    session = solved(deck, capsys)
    (analysis,) = session.project.analyses
    assert [each.kind for each in analysis.steps] == ["tighten", "load"]
    solution = session.solve(analysis.name)
    np.testing.assert_allclose(solution.curve("CUT axial force")[-1], 500.0 - 25.0, rtol=1e-6)
    np.testing.assert_allclose(reaction(solution), [0.0, 0.0, -100.0], atol=1e-6)
    free = text.replace("*BOUNDARY, FIXED\nPRE, 1\n", "")
    deck.write_text(free)
    assert any("here it is locked at its length" in told for _, told in read_model(deck).unread)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (step("*MODEL CHANGE, REMOVE\nE,\n*CLOAD\nXMAX, 1, 1.\n"), "*MODEL CHANGE"),
        ("*STEP\n*DYNAMIC\n*CLOAD\nXMAX, 1, 1.\n*END STEP\n", "*DYNAMIC"),
        ("*STEP\n*HEAT TRANSFER\n*END STEP\n", "*HEAT TRANSFER"),
        ("*STEP\n*CLOAD\nXMAX, 1, 1.\n*END STEP\n", "it has no *STATIC"),
        (step("*CLOAD\nNOWHERE, 1, 1.\n"), "there is no node set NOWHERE"),
        (step("*CLOAD\nXMAX, 1, one\n"), "expected a number"),
        (step("*CLOAD, AMPLITUDE=WAVE\nXMAX, 1, 1.\n"), "there is no *AMPLITUDE WAVE"),
        (step("*DLOAD\nTOP, HP, 1.\n"), "HP of *DLOAD"),
        (step("*DSLOAD\nLID, TRVEC, 1., 1., 0., 0.\n"), "TRVEC of *DSLOAD"),
        (step("*BOUNDARY, TYPE=VELOCITY\nXMAX, 1, 1, 3.\n"), "TYPE=VELOCITY"),
        (step("*CLOAD, LOAD CASE=2\nXMAX, 1, 1.\n"), "LOADCASE of *CLOAD"),
        (step(""), "nothing acts in it"),
        ("*STEP\n*FREQUENCY\n*END STEP\n", "*FREQUENCY without"),
    ],
)
def test_a_step_with_more_than_is_taken_over_is_no_analysis_and_says_why(tmp_path, cards, told):
    model = read_model(block(tmp_path / "odd.inp", CLAMP + cards))
    assert not model.deck_cases
    assert any(text.startswith("*STEP") and told in text for _, text in model.unread), model.unread


def test_temperatures_with_tables_over_temperature_make_no_analysis(tmp_path):
    text = PLANES + step("*TEMPERATURE\nALL, 120.\n")
    deck = block(tmp_path / "table.inp", text)
    deck.write_text(deck.read_text().replace(f"{EXPANSION}\n", f"{EXPANSION}, 0.\n2.E-5, 100.\n"))
    model = read_model(deck)
    assert not model.deck_cases and any("a table of *EXPANSION" in told for _, told in model.unread)


def test_new_tells_steps_that_are_left_out(tmp_path, capsys):
    deck = block(tmp_path / "odd.inp", CLAMP + step("*MODEL CHANGE, REMOVE\nE,\n*CLOAD\nXMAX, 1, 1.\n"))
    assert main(["new", str(deck)]) == 0
    said = capsys.readouterr().out
    assert "steps and load cases that are left out: line " in said and "*MODEL CHANGE" in said


def test_what_differs_is_listed_beside_the_analysis(tmp_path):
    wave = "*AMPLITUDE, NAME=WAVE\n0., 0., 0.5, 1., 1., 0.5\n"
    text = CLAMP + wave + step("*CLOAD, AMPLITUDE=WAVE\nXMAX, 1, 1.\n*NODE FILE\nU\n", ", NLGEOM")
    model = read_model(block(tmp_path / "far.inp", text))
    said = [told for _, told in model.unread]
    assert len(model.deck_cases) == 1 and model.deck_loads["CLOAD 1"].forces[0, 0] == 0.5
    for words in ("displacements are taken as small", "goes up and down within the step", "*NODE FILE"):
        assert any(words in told for told in said), said
    idle = read_model(block(tmp_path / "idle.inp", CLAMP + wave))
    assert any("no load that is taken over follows it" in told for _, told in idle.unread)


def test_supports_that_differ_from_case_to_case(tmp_path):
    """Single nodes may be set free; a face that some cases hold cannot, and those cases are told."""
    model = read_model(
        block(tmp_path / "one.inp", CLAMP + step("*BOUNDARY\n1, 1, 1, 0.\n*CLOAD\nXMAX, 1, 1.\n"))
    )
    assert len(model.deck_cases) == 1
    corner = int(read_model(tmp_path / "one.inp").node_ids[model.node_sets["XMAX"][0]])
    steps = step("*CLOAD\nXMAX, 1, 1.\n") + step(f"*BOUNDARY\n{corner}, 2, 2, 0.01\n")
    model = read_model(block(tmp_path / "freed.inp", CLAMP + steps))
    assert [case.displacements for case in model.deck_cases] == [(), (("displaced 1", 2, 0.01),)]
    steps = step("*CLOAD\nXMAX, 1, 1.\n") + step("*BOUNDARY\nYMIN, 2\n")
    model = read_model(block(tmp_path / "other.inp", CLAMP + steps))
    assert [case.name for case in model.deck_cases] == ["step 1"]
    assert any("other nodes are held" in text for _, text in model.unread)


def test_supports_that_other_constraints_move_are_told(tmp_path):
    rigid = "*NODE\n900, -5., 5., 5.\n*RIGID BODY, NSET=XMIN, REF NODE=900\n"
    model = read_model(block(tmp_path / "twice.inp", rigid + CLAMP + step("*CLOAD\nXMAX, 1, 1.\n")))
    assert model.deck_support is None and not model.deck_cases
    assert any("is moved by two couplings" in text for _, text in model.unread)


def test_steps_that_hang_on_what_was_left_out_are_told(tmp_path):
    lost = "*NODE, NSET=PILOT\n900, 50., 5., 5.\n*MPC\nMEANROT, 1, 2\n"
    steps = (
        step("*CLOAD\nPILOT, 1, 1.\n") + step("*CLOAD, OP=NEW\nXMAX, 1, 1.\n") + step("*CLOAD\nXMAX, 1, 2.\n")
    )
    model = read_model(block(tmp_path / "pilot.inp", lost + CLAMP + steps))
    assert [(case.name, case.follows) for case in model.deck_cases] == [("step 2", False), ("step 3", True)]
    assert any("step 1 is no analysis: it acts on nodes without elements" in text for _, text in model.unread)
    steps = step("*BOUNDARY\nPILOT, 1, 1, 0.1\n")
    assert not read_model(block(tmp_path / "moved.inp", lost + CLAMP + steps)).deck_cases


TOWER = [
    (x, y, z) for z in (0.0, 10.0, 20.0) for x, y in ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
]
BRICKS = (
    "".join(f"GRID,{1 + i},,{x},{y},{z}\n" for i, (x, y, z) in enumerate(TOWER))
    + "CHEXA,1,3,1,2,3,4,5,6,\n,7,8\nCHEXA,2,3,5,6,7,8,9,10,\n,11,12\nPSOLID,3,7\nMAT1,7,210000.,,.3,7.85-9\n"
)


def test_cases_of_nastran_displace_and_hold_in_some_directions(tmp_path, capsys):
    """Analytical: σ = E Δ/L on planes of symmetry, of two cases that hold the same nodes."""
    planes = "SPC1,1,1,1,4,5,8,9,12\nSPC1,2,2,1,2,5,6,9,10\nSPC1,3,3,1,2,3,4\nSPCADD,8,1,2,3\n"
    moved_by = "".join(f"SPC,5,{n},3,.02\n" for n in (9, 10, 11, 12)) + "SPCADD,9,1,2,3,5\n"
    cases = "SUBCASE 1\n SPC = 9\n LOAD = 4\nSUBCASE 2\n SPC = 9\n LOAD = 6\n"
    loads = "FORCE,4,7,,2.,1.,0.,0.\nPLOAD,6,3.,6,7,11,10\n"
    deck = tmp_path / "tower.bdf"
    deck.write_text(f"SOL 101\nCEND\n{cases}BEGIN BULK\n{BRICKS}{planes}{moved_by}{loads}ENDDATA\n")
    session = solved(deck, capsys)
    assert [each.name for each in session.project.analyses] == ["subcase 1", "subcase 2"]
    force = E * 0.02 / 20.0 * AREA
    first, second = (session.solve(name) for name in ("subcase 1", "subcase 2"))
    np.testing.assert_allclose(first.curve("displaced 1 reaction force z")[-1], force, rtol=1e-3)
    np.testing.assert_allclose(reaction(first)[0], -2.0, atol=1e-6)
    # Grid points 6, 7, 11, 10 go round the face x = 10 with the normal +x, along which they push.
    np.testing.assert_allclose(reaction(second)[0], -3.0 * 100.0, rtol=1e-6)
    assert not read_model(deck).unread


def test_pressures_on_shells_of_nastran(tmp_path, capsys):
    mesh = (
        "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,3.,0.\nGRID,4,,0.,3.,0.\nCQUAD4,1,3,1,2,3,4\n"
        "PSHELL,3,7,.1\nMAT1,7,210000.,,.3,7.85-9\nSPC1,1,123456,1,2\nPLOAD2,6,1.5,1\nPLOAD,7,1.5,1,4,3,2\n"
    )
    deck = tmp_path / "plate.bdf"
    deck.write_text(f"CEND\nSPC=1\nSUBCASE 1\nLOAD=6\nSUBCASE 2\nLOAD=7\nBEGIN BULK\n{mesh}ENDDATA\n")
    session = solved(deck, capsys)
    np.testing.assert_allclose(reaction(session.solve("subcase 1")), [0.0, 0.0, -9.0], atol=1e-9)
    np.testing.assert_allclose(reaction(session.solve("subcase 2")), [0.0, 0.0, 9.0], atol=1e-9)


def test_natural_frequencies_of_nastran(tmp_path, capsys):
    """Analytical: a slender cantilever of Euler and Bernoulli, f = λ² / (2π L²) √(E I / ρ A), about its weak axis."""
    count, length, width, height = 40, 200.0, 10.0, 2.0
    grid = "".join(
        f"GRID,{1 + 2 * i + j},,{length * i / count},{width * j},0.,,{'' if i else '123456'}\n"
        for i in range(count + 1)
        for j in (0, 1)
    )
    plates = "".join(
        f"CQUAD4,{i + 1},3,{2 * i + 1},{2 * i + 3},{2 * i + 4},{2 * i + 2}\n" for i in range(count)
    )
    section = f"PSHELL,3,7,{height},7,,7\nMAT1,7,210000.,,0.,7.85-9\nEIGRL,4,,,4\n"
    deck = tmp_path / "strip.bdf"
    deck.write_text(f"SOL 103\nCEND\nMETHOD = 4\nBEGIN BULK\n{grid}{plates}{section}ENDDATA\n")
    assert main(["new", str(deck)]) == 0
    assert "natural frequencies: 4 of subcase 1" in capsys.readouterr().out
    assert read_study(deck.with_suffix(".toml")).bodies[0].reduction.vibration_modes == 4
    assert main(["quality", str(deck.with_suffix(".toml")), "--json"]) == 0
    found = np.array(json.loads(capsys.readouterr().out)["held_frequencies"])[
        [0, 2]
    ]  # between them the strong axis
    roots = np.array([1.8751041, 4.6940911]) ** 2
    exact = roots / (2 * np.pi * length**2) * np.sqrt(E * height**2 / (12.0 * 7.85e-9))
    np.testing.assert_allclose(found, exact, rtol=0.01)


def test_displacements_of_an_ansys_database(tmp_path, capsys):
    """Analytical: σ = E Δ/L on planes of symmetry."""
    from core.test_ansys_loads import tower

    model = box("hex8", (1, 1, 2), (10.0, 10.0, 20.0))
    places = dict(zip(model.node_ids.tolist(), model.nodes.tolist(), strict=True))
    held = "".join(
        f"D,{n:7},U{axis}  ,  0.0    ,  0.0\n"
        for n, place in places.items()
        for axis, at in zip("XYZ", place, strict=True)
        if at == 0.0
    )
    held += "".join(f"D,{n:7},UZ  ,  -0.04    ,  0.0\n" for n, place in places.items() if place[2] == 20.0)
    deck = tower(tmp_path / "tower.cdb", "", held)
    session = solved(deck, capsys)
    solution = session.solve("loads of the database")
    np.testing.assert_allclose(
        solution.curve("displaced 1 reaction force z")[-1], -E * 0.04 / 20.0 * 100.0, rtol=1e-6
    )


@pytest.mark.slow
def test_steps_of_the_friction_bar_bend_it_as_independent_programs_say(tmp_path, capsys):
    """Independent code, unreduced: 28.4834 mm and −33.7682 mm; CalculiX 2.20, face to face: 28.4993 mm."""
    text = (files("faying_resources") / "examples" / "friction_bar_19k.inp").read_text()
    text += "*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n50000.\n"
    text += "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nJOINT_SLAVE, JOINT_MASTER\n"
    text += "*BOUNDARY\nREF_MOUNT, 1, 6\n" + step("*CLOAD\nREF_LOAD, 3, 100.\n", ", NAME=Up")
    deck = tmp_path / "bar.inp"
    deck.write_text(text + step("*CLOAD\nREF_LOAD, 3, -100.\n", ", NAME=Down"))
    solution = solved(deck, capsys).solve("Up to Down")
    at = solution.curve("step")
    up, down = (solution.curve("load uz")[int(np.flatnonzero(at == k)[-1])] for k in (1, 2))
    np.testing.assert_allclose([up, down], [28.4834, -33.7682], rtol=2e-3)
    np.testing.assert_allclose(reaction(solution, "mount")[2], 100.0, rtol=1e-6)
