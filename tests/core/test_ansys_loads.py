"""Loads and supports of Ansys coded databases as loads of the body and a load case."""

from pathlib import Path

import numpy as np
import pytest

import faying
from core.test_ansys_reader import HEAD, STEEL, eblock, nblock
from faying.cli import main
from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.readers import read_model
from faying.project.study import read_study
from faying.reduction.body_loads import LoadedBody
from faying.reduction.body_loads.of_deck import LoadOfDeck
from support.boxes import box

# As CDWRITE writes them: the values of a pressure below its command.
LOADS = (
    "F,     12,FX  ,  3.00000000    ,  0.00000000    \nF,     12,FZ  , -4.00000000    ,  0.00000000    \n"
    "SFE,       1,   6,PRES,1,R5.0\n  1.50000000      1.50000000      1.50000000      1.50000000    \n"
    "SFE,       1,   6,PRES,2,R5.0\n  0.00000000      0.00000000      0.00000000      0.00000000    \n"
    "ACEL,  0.00000000    ,  0.00000000    ,  9810.00000    \n"
)
HELD = "".join(
    f"D,{n:7},{label}  ,  0.00000000    ,  0.00000000    \n"
    for n in (1, 4, 7, 10)
    for label in ("UX", "UY", "UZ")
)


def tower(path: Path, loads: str = LOADS, held: str = HELD) -> Path:
    """Write two bricks upon each other, 10 wide and long and 20 high; the upper one is element 1."""
    model = box("hex8", (1, 1, 2), (10.0, 10.0, 20.0))
    rows = [
        [1, 1, 1, 1, 2 - i, *model.node_ids[row].tolist()]
        for i, row in enumerate(model.blocks[0].connectivity)
    ]
    text = HEAD + "ET,       1,185\nKEYOPT,  1, 2, 2\n" + nblock(model) + eblock(rows) + STEEL
    path.write_text(text + "/SOLU\n" + held + loads + "FINISH\n")
    return path


def resultant(path: Path, name: str) -> np.ndarray:
    model = read_model(path)
    matrices = assemble(model)
    forces = LoadOfDeck(name="load", load=name).forces(LoadedBody(model, None, matrices))
    return np.asarray((matrices.dofs.displacement_rows @ forces).reshape(-1, 3).sum(axis=0))


def test_loads_have_the_resultants_of_their_commands(tmp_path):
    deck = tower(tmp_path / "tower.cdb")
    np.testing.assert_allclose(resultant(deck, "F"), [3.0, 0.0, -4.0], atol=1e-12)
    np.testing.assert_allclose(resultant(deck, "SFE"), [0.0, 0.0, -150.0], atol=1e-12)
    # The support is accelerated upwards: the body feels its weight.
    np.testing.assert_allclose(
        resultant(deck, "ACEL"), [0.0, 0.0, -9810.0 * 7.85e-9 * 2000.0], rtol=1e-9, atol=1e-12
    )
    model = read_model(deck)
    assert not model.unread and model.node_ids[model.node_sets["D"]].tolist() == [1, 4, 7, 10]
    (case,) = model.deck_cases
    assert case.loads == (("F", 1.0), ("SFE", 1.0), ("ACEL", 1.0)) and model.deck_support is not None


def test_every_face_of_bricks_tetrahedra_and_wedges_is_where_ansys_counts_it(tmp_path):
    outward = {1: (0, 0, -1), 2: (0, -1, 0), 3: (1, 0, 0), 4: (0, 1, 0), 5: (-1, 0, 0), 6: (0, 0, 1)}
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    head = (
        HEAD
        + "ET,1,185\n"
        + nblock(model)
        + eblock([[1, 1, 1, 1, 1, *model.node_ids[model.blocks[0].connectivity[0]]]])
    )
    for face, normal in outward.items():
        path = tmp_path / "brick.cdb"
        path.write_text(head + STEEL + f"SFE,1,{face},PRES,,2.0\n")
        np.testing.assert_allclose(resultant(path, "SFE"), -2.0 * np.array(normal), atol=1e-12)
    points = "NBLOCK,6,SOLID\n(3i9,6e21.13e3)\n" + "".join(
        f"{i:9}{0:9}{0:9}" + "".join(f"{x:21.13E}" for x in point) + "\n"
        for i, point in enumerate([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)], 1)
    ) + "N,R5.3,LOC,       -1,\n"  # fmt: skip
    slant = {1: (0, 0, -1), 2: (0, -1, 0), 3: (1, 1, 1), 4: (-1, 0, 0)}
    for face, normal in slant.items():
        path = tmp_path / "tet.cdb"
        path.write_text(HEAD + "ET,1,285\n" + points + eblock([[1, 1, 1, 1, 1, 1, 2, 3, 4]]) + STEEL
                        + f"SFE,1,{face},PRES,1,R5.0\n 3.0 3.0 3.0 0.0\n")  # fmt: skip
        np.testing.assert_allclose(resultant(path, "SFE"), -1.5 * np.array(normal), atol=1e-12)
    wedge = {1: (0, 0, -0.5), 2: (0, -1, 0), 3: (1, 1, 0), 5: (-1, 0, 0), 6: (0, 0, 0.5)}
    for face, normal in wedge.items():
        path = tmp_path / "wedge.cdb"
        path.write_text(HEAD + "ET,1,185\n" + points + eblock([[1, 1, 1, 1, 1, 1, 2, 3, 3, 4, 5, 6, 6]]) + STEEL
                        + f"SFE,1,{face},PRES,1,2.0\n")  # fmt: skip
        np.testing.assert_allclose(resultant(path, "SFE"), -2.0 * np.array(normal), atol=1e-12)


def test_shells_are_pressed_on_the_side_that_is_named(tmp_path):
    model = box("hex8", (1, 1, 1), (2.0, 3.0, 1.0))
    corners = model.node_ids[model.blocks[0].connectivity[0][:4]].tolist()
    head = (
        HEAD
        + "ET,1,181\nSECTYPE,1,SHELL\nSECDATA,0.1,1\n"
        + nblock(model)
        + eblock([[1, 1, 1, 1, 1, *corners]])
    )
    for face, sign in ((1, 1.0), (2, -1.0)):
        path = tmp_path / "shell.cdb"
        path.write_text(head + STEEL + f"SFE,1,{face},PRES,1,R5.0\n 1.5 1.5 1.5 1.5\n")
        np.testing.assert_allclose(resultant(path, "SFE"), [0.0, 0.0, sign * 9.0], atol=1e-12)


def test_a_study_of_a_database_has_its_load_case_as_an_analysis(tmp_path, capsys):
    deck = tower(tmp_path / "tower.cdb")
    assert main(["new", str(deck)]) == 0
    assert "analyses: loads of the database" in capsys.readouterr().out
    study = deck.with_suffix(".toml")
    assert [each.name for each in read_study(study).bodies[0].loads] == ["F", "SFE", "ACEL"]
    solution = faying.read(study).solve("loads of the database")
    reactions = [name for name in solution.curve_names if "reaction force z" in name]
    weight = 9810.0 * 7.85e-9 * 2000.0
    np.testing.assert_allclose(solution.curve(reactions[0])[-1], 154.0 + weight, rtol=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("1.50000000      1.50000000      1.50000000      1.50", "1.5 1.5 2.0 1.5", "varies over the face"),
        ("SFE,       1,   6,PRES,1", "SFE,       7,   6,PRES,1", "no face of a solid"),
        ("SFE,       1,   6,PRES,1", "SFE,       1,   6,CONV,1", "no pressure"),
        ("F,     12,FX", "F,     12,HEAT", "no force or moment"),
        ("D,      1,UX", "D,      1,TEMP", "no displacement"),
    ],
)
def test_what_is_not_taken_over_is_listed_and_makes_no_analysis(tmp_path, old, new, told):
    assert old in HELD + LOADS
    model = read_model(tower(tmp_path / "odd.cdb", LOADS.replace(old, new), HELD.replace(old, new)))
    assert any(told in text for _, text in model.unread), model.unread
    assert not model.deck_cases


@pytest.mark.parametrize(
    "line",
    ["BF,1,TEMP,100.0", "BFE,1,TEMP,1,100.0", "BFBLOCK,2,TEMP,12,1", "OMEGA,0.0,0.0,100.0", "CMOMEGA,ROTOR,0,0,100",
     "CMACEL,ROTOR,0.0,0.0,9810.0", "CE,R5.0,1,CONST,0.0", "CP,R5.0,UX,1,2", "SFEBLOCK,4,PRES,1,1", "FBLOCK,1",
     "DBLOCK,1", "SLOAD,1,PL01,TINY,FORC,100.0,1,2", "BFUNIF,TEMP,100.0", "TREF,22.0", "TREF,22.0\nBFUNIF,TEMP,20.0"],
)  # fmt: skip
def test_other_loads_and_constraints_make_no_case_of_the_database(tmp_path, line):
    end = "BFUNIF,TEMP,0.0\n" if line == "TREF,22.0" else ""
    model = read_model(tower(tmp_path / "more.cdb", LOADS + line + "\n" + end))
    assert not model.deck_cases and model.deck_loads
    assert len(model.unread) == 1 and model.unread[0][1].startswith(("BFUNIF", line.split(",")[0]))


@pytest.mark.parametrize(
    "lines",
    ["OMEGA,0.0,0.0,0.0\nDOMEGA,  0.00000000    ,,\nCMOMEGA,ROTOR,0,0,0\nIRLF,  0\nCGLOC,0.0,0.0,1.0\n",
     "TREF,22.0\nBFUNIF,TEMP,22.0\n", "TREF,22.0\nBFUNIF,TEMP,_TINY\n", "BFUNIF,TEMP,0.0\n"],
)  # fmt: skip
def test_loads_of_nothing_leave_the_case_whole(tmp_path, lines):
    model = read_model(tower(tmp_path / "zero.cdb", LOADS + lines))
    assert len(model.deck_cases) == 1


@pytest.mark.parametrize("line", ["F,99,FX,1.0", "F,x,FX,1.0", "F,1,FX,abc", "D,99,UX,0", "SFE,1", "SFE,1,6,PRES,1,x",
                                  "ACEL,nan,0,0", "F", "D,1", "SFE,1,6,PRES,1,R5.0"])  # fmt: skip
def test_broken_loads_end_in_a_sentence_or_a_remark(tmp_path, line):
    try:
        model = read_model(tower(tmp_path / "broken.cdb", line + "\n"))
    except ReadError as told:
        assert "line" in str(told)
    else:
        assert model.unread or not model.deck_loads


def test_forces_on_turned_nodes_are_not_taken_over(tmp_path):
    deck = tower(tmp_path / "turned.cdb")
    text = deck.read_text()
    line = next(each for each in text.splitlines() if each.startswith(f"{12:9}{0:9}"))
    whole = line + "".join(f"{0.0:21.13E}" for _ in range(3 - (len(line) - 27) // 21)) + f"{30.0:21.13E}"
    deck.write_text(text.replace(line, whole))
    model = read_model(deck)
    assert any("directions of its own" in text for _, text in model.unread) and not model.deck_cases
