"""Loads, supports and load cases of Nastran decks, as loads and analyses of a study; resultants by hand."""

from pathlib import Path

import numpy as np
import pytest

import faying
from faying.cli import main
from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.model import DeckLoad
from faying.fem.readers import read_model
from faying.project.study import read_study
from faying.reduction.body_loads import LoadedBody
from faying.reduction.body_loads.of_deck import LoadOfDeck

GRID = [(x, y, z) for z in (0.0, 10.0, 20.0) for x, y in ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))]
MESH = (
    "".join(f"GRID,{1 + i},,{x},{y},{z}\n" for i, (x, y, z) in enumerate(GRID))
    + "CHEXA,1,3,1,2,3,4,5,6,\n,7,8\nCHEXA,2,3,5,6,7,8,9,10,\n,11,12\n"
    + "PSOLID,3,7\nMAT1,7,210000.,,.3,7.85-9,12.-6,20.\n"
)
LOADS = (
    "SPC1,1,123,1,THRU,4\nCORD2C,4,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
    "FORCE,5,9,,2.,0.,0.,3.\nFORCE,5,11,4,1.,1.,0.,0.\nFORCE,5,9,,1.,1.,0.,0.\n"
    "PLOAD4,6,2,1.5,,,,9,11\nGRAV,7,,9810.,0.,0.,-1.\nLOAD,8,2.,1.,5,-.5,6\nTEMPD,9,70.\n"
)
CASES = (
    "SPC = 1\nSUBCASE 1\n SUBTITLE = Pulled\n LOAD = 5\nSUBCASE 2\n LOAD = 8\n TEMPERATURE(LOAD) = 9\n"
    "SUBCASE 3\n LABEL = Weight\n LOAD = 7\n"
)


def written(path: Path, cases: str = CASES, loads: str = LOADS, mesh: str = MESH) -> Path:
    path.write_text(f"SOL 101\nCEND\n{cases}BEGIN BULK\n{mesh}{loads}ENDDATA\n")
    return path


def resultant(path: Path, name: str) -> np.ndarray:
    model = read_model(path)
    matrices = assemble(model)
    forces = LoadOfDeck(name="load", load=name).forces(LoadedBody(model, None, matrices))
    return np.asarray(forces.reshape(-1, 3).sum(axis=0))


def test_loads_of_load_sets_have_the_resultants_of_their_cards(tmp_path):
    deck = written(tmp_path / "tower.bdf")
    # Grid point 11 is at (10, 10): radially outward there.
    np.testing.assert_allclose(resultant(deck, "LOAD 5"), [1.0 + 0.5**0.5, 0.5**0.5, 6.0], atol=1e-12)
    np.testing.assert_allclose(resultant(deck, "load 6"), [0.0, 0.0, -150.0], atol=1e-12)
    np.testing.assert_allclose(
        resultant(deck, "LOAD 7"), [0.0, 0.0, -9810.0 * 7.85e-9 * 2000.0], rtol=1e-9, atol=1e-12
    )
    model = read_model(deck)
    drawn = LoadOfDeck(name="load", load="LOAD 5").arrows(model, None)
    assert [(model.node_ids[each.node], each.turns) for each in drawn] == [(9, False), (11, False)]
    np.testing.assert_array_equal(drawn[0].vector, [1.0, 0.0, 6.0])
    np.testing.assert_array_equal(model.deck_loads["TEMP 9"].temperatures, np.full(12, 50.0))
    assert model.node_sets["SPC 1"].tolist() == [0, 1, 2, 3]
    assert [(case.name, case.loads) for case in model.deck_cases] == [
        ("subcase 1: Pulled", (("LOAD 5", 1.0),)),
        ("subcase 2", (("LOAD 5", 2.0), ("LOAD 6", -1.0), ("TEMP 9", 1.0))),
        ("subcase 3: Weight", (("LOAD 7", 1.0),)),
    ]
    support = model.deck_support
    assert support is not None and set(support.nodes.tolist()) == {0, 1, 2, 3}
    assert not model.unread


def test_temperatures_are_a_load_of_their_own():
    """They have no resultant and turn with the body, so forces beside them would lose theirs."""
    force, none = np.array([[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]), np.zeros((1, 6))
    node, rest, warm = np.zeros(1, np.int64), ((), np.zeros(3)), np.full(12, 50.0)
    assert not DeckLoad("LOAD 1", node, force, *rest, np.zeros(12)).is_empty
    assert not DeckLoad("TEMP 1", node, none, *rest, warm).is_empty
    assert DeckLoad("LOAD 1", node, none, *rest, np.zeros(12)).is_empty
    with pytest.raises(ValueError, match="LOAD 1 has temperatures and forces"):
        DeckLoad("LOAD 1", node, force, *rest, warm)


def test_a_study_of_a_deck_has_its_load_cases_as_analyses(tmp_path, capsys):
    deck = written(tmp_path / "tower.bdf")
    assert main(["new", str(deck)]) == 0
    assert "analyses: subcase 1: Pulled, subcase 2, subcase 3: Weight" in capsys.readouterr().out
    study = deck.with_suffix(".toml")
    assert [each.name for each in read_study(study).bodies[0].loads] == [
        "LOAD 5",
        "LOAD 6",
        "TEMP 9",
        "LOAD 7",
    ]
    solution = faying.read(study).solve("subcase 2")
    # The support bears all of it: 2 LOAD 5 less LOAD 6.
    names = [name for name in solution.curve_names if "reaction" in name and "force" in name]
    found = [solution.curve(name)[-1] for name in sorted(names)]
    np.testing.assert_allclose(found, [-2.0 - 2.0**0.5, -(2.0**0.5), -162.0], rtol=1e-6)


def test_a_deck_without_case_control_has_a_case_for_each_load_set_and_sum(tmp_path):
    (tmp_path / "bare.bdf").write_text(MESH + LOADS)
    assert [case.name for case in read_model(tmp_path / "bare.bdf").deck_cases] == [
        "load 5",
        "load 6",
        "load 7",
        "load 8",
    ]


def test_shells_are_pressed_along_their_normal(tmp_path):
    mesh = (
        "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,3.,0.\nGRID,4,,0.,3.,0.\nCQUAD4,1,3,1,2,3,4\n"
        "PSHELL,3,7,.1\nMAT1,7,210000.,,.3,7.85-9\n"
    )
    deck = written(tmp_path / "plate.bdf", "", "PLOAD4,6,1,1.5,,,,THRU,1\n", mesh)
    model = read_model(deck)
    matrices = assemble(model)
    forces = LoadOfDeck(name="load", load="LOAD 6").forces(LoadedBody(model, None, matrices))
    of_nodes = matrices.dofs.displacement_rows @ forces
    np.testing.assert_allclose(of_nodes.reshape(-1, 3).sum(axis=0), [0.0, 0.0, 9.0], atol=1e-12)


def test_the_corner_off_the_face_names_that_of_a_tetrahedron(tmp_path):
    mesh = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,0.,1.,0.\nGRID,4,,0.,0.,1.\nCTETRA,1,3,1,2,3,4\n"
        "PSOLID,3,7\nMAT1,7,210000.,,.3,7.85-9\n"
    )
    deck = written(tmp_path / "tet.bdf", "", "PLOAD4,6,1,2.,,,,1,4\n", mesh)
    np.testing.assert_allclose(resultant(deck, "LOAD 6"), [0.0, 0.0, 1.0], atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "told", "left"),
    [
        ("PLOAD4,6,2,1.5,,,,9,11", "PLOAD4,6,2,1.5,2.,,,9,11", "a pressure that varies", (1, 3)),
        ("TEMPD,9,70.", "TEMP,9,1,70.", "not all grid points have a temperature", (1, 3)),
        ("SPC1,1,123,1,THRU,4", "SPC,1,9,3,.1", "nothing is held at rest", ()),
    ],
)
def test_what_is_not_taken_over_is_listed_and_makes_no_analysis(tmp_path, old, new, told, left):
    assert old in LOADS
    model = read_model(written(tmp_path / "odd.bdf", loads=LOADS.replace(old, new)))
    assert any(told in text for _, text in model.unread)
    assert tuple(int(case.name.split()[1][0]) for case in model.deck_cases) == left


@pytest.mark.parametrize(
    ("cases", "card", "left"),
    [
        ("", "PLOAD2,5,1.,2", (3,)),  # LOAD 8 sums it up, too
        ("", "PLOAD1,6,2,FZE,FR,0.,1.,1.", (1, 3)),
        ("", "RFORCE,8,1,,10.,0.,0.,1.", (1, 3)),
        ("", "SPCD,7,9,3,.1", (1, 2)),
        ("", "ACCEL1,07,,9.81,0.,0.,1.\n,1", (1, 2)),
        ("", "TEMPP1,9,2,50.", (1, 3)),
        ("", "SPC2,1,5,3", ()),
        ("", "GRID,13,,0.,0.,30.,,123", (1, 2, 3)),
        ("", "GRDSET,,,,,,,23", (1, 2, 3)),
        ("TEMPERATURE = 9\n", "", ()),
        ("MPC = 4\n", "", ()),
        ("BGSET = 4\n", "", ()),  # glue
        (CASES + " DLOAD = 4\n", "", (1, 2)),
        (CASES + "SUBCOM 4\n LABEL = Sum\n SUBSEQ = 1., 1., 1.\n", "", (1, 2, 3)),
        (CASES.replace("LOAD = 5", "LOAD = 05").replace("SPC = 1", "SPC = 01"), "", (1, 2, 3)),
    ],
)
def test_cases_that_act_with_more_than_is_taken_over_are_none(tmp_path, cases, card, left):
    deck = written(tmp_path / "more.bdf", cases if "SUBCASE" in cases else cases + CASES, LOADS + card + "\n")
    model = read_model(deck)
    assert tuple(int(case.name.split()[1][0]) for case in model.deck_cases) == left
    assert "Sum" not in " ".join(case.name for case in model.deck_cases)
    assert model.unread or left == (1, 2, 3)


def test_supports_of_a_range_leave_out_grid_points_that_are_not_there(tmp_path):
    range_ = LOADS.replace("SPC1,1,123,1,THRU,4", "SPC1,1,123,9,THRU,99")
    assert read_model(written(tmp_path / "range.bdf", loads=range_)).node_sets["SPC 1"].tolist() == [
        8,
        9,
        10,
        11,
    ]
    one = LOADS.replace("SPC1,1,123,1,THRU,4", "SPC1,1,123,1,99")
    with pytest.raises(ReadError, match="uses grid point 99, which does not exist"):
        read_model(written(tmp_path / "one.bdf", loads=one))


def test_numbers_of_sets_may_begin_with_zeros(tmp_path):
    model = read_model(written(tmp_path / "zeros.bdf", loads=LOADS.replace("TEMPD,9,70.", "TEMP,09,1,70.")))
    assert [text for _, text in model.unread] == [
        "SUBCASE 2: no analysis: TEMP 9 is not there, or not all of it is taken over",
        "TEMP 09: not all grid points have a temperature",
    ]
    model = read_model(written(tmp_path / "zeros.bdf", loads=LOADS.replace("SPC1,1,123,", "SPC1,01,13,")))
    assert len(model.deck_cases) == 3


def test_a_set_of_the_case_control_that_lists_frequencies_is_passed_over(tmp_path):
    model = read_model(written(tmp_path / "sets.bdf", "SET 5 = 0.5, 1.0\nSET 6 = 1 THRU 4\n" + CASES))
    assert [name for name in model.node_sets if name[:3] == "SET"] == ["SET 6"]
    assert model.unread == ((3, "SET 5: it lists more than whole numbers, so it is no set of the mesh"),)
    assert len(model.deck_cases) == 3


def test_cases_that_other_solutions_solve_in_another_way_are_told(tmp_path):
    deck = written(tmp_path / "far.bdf")
    deck.write_text(deck.read_text().replace("SOL 101", "SOL 106"))
    model = read_model(deck)
    assert len(model.deck_cases) == 3
    assert any("SOL 106: each case is taken by itself" in text for _, text in model.unread)
    deck.write_text(deck.read_text().replace("SOL 106", "SOL 105").replace("LOAD = 7", "METHOD = 4"))
    model = read_model(deck)
    assert len(model.deck_cases) == 2 and any("METHOD in SOL 105" in text for _, text in model.unread)
