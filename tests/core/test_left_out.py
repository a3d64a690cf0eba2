"""What readers leave out of a body is loud, apart from harmless cards; and what comes next is told."""

import json

import pytest

from faying.cli import main
from faying.fem.left_out import harmless, is_left_out, left_out
from faying.fem.readers import read_model
from support.plate_deck import STUDY, write_plate_deck, write_study

LOST = "*ELEMENT, TYPE=CONN3D2, ELSET=C\n900, 1, 2\n*CONNECTOR SECTION, ELSET=C\nBEAM,\n"
HARMLESS = "*DAMPING, ALPHA=1.\n*AMPLITUDE, NAME=A\n0., 0., 1., 1.\n"


@pytest.mark.parametrize(
    "text",
    [
        "CBUSH1D (3 cards)", "CGAP (1 card)", "NSM1 (2 cards)", "CONM1 (1 card)", "MPC (4 cards)", "CE (3 lines)",
        "*CONNECTOR SECTION, ELSET=C (1 line): connections between bodies belong to a system", "CP",
        "*Element, type=CONN3D2 (1 line): 1 elements of a type that is not taken over", "*MPC: PIN,1,2",
        "pins or offsets of CBAR 7", "3 elements of type 93", "12 cells of VTK's type 42",
        "CQUAD4 2: 2 elements: their property 2 is not there, so they are left out",
        "surplus numbers behind the 8 nodes of C3D8 elements (1 line): is the type right?",
        "*PART, NAME=LID: no instance uses it", "4 elements of descriptor 24",
    ],
)  # fmt: skip
def test_stiffness_mass_and_mesh_are_losses(text):
    assert is_left_out(text)


@pytest.mark.parametrize(
    "text",
    [
        "*STEP", "*BOUNDARY (1 line): supports are chosen in the analyses", "PARAM (3 cards)", "EIGRL (1 card)",
        "*NODE PRINT, NSET=A", "section $NodeData", "SLIPTOLERANCE=0.005 of *FRICTION, SLIP TOLERANCE=0.005",
        "PLOTEL (5 cards)", "CORD3G (1 card)", "ORIENTATION of *COUPLING, CONSTRAINT NAME=C", "CMGRP (2 lines)",
        "components 11 of *EQUATION: they move no node", "*DISTRIBUTING: the reference node is 3 away",
        "*DAMPING, ALPHA=1.", "*EQUATION,REMOVE", "*GAP CONDUCTANCE (1 line)", "*SUBSTRUCTURE GENERATE",
        "*ELEMENT,TYPE=D,ELSET=E (8 lines): 8 elements of a type that is not taken over",
    ],
)  # fmt: skip
def test_loads_steps_and_outputs_are_none(text):
    assert not is_left_out(text)


def test_losses_are_warnings_apart_from_the_note(tmp_path, capsys):
    study = write_study(tmp_path, STUDY, extra=LOST + HARMLESS)
    model = read_model(tmp_path / "plates.inp")
    assert len(left_out(model)) == 2 and len(harmless(model)) == 2
    assert main(["check", str(study)]) == 0
    said = capsys.readouterr().out.splitlines()
    (warning,) = [line for line in said if "left out" in line]
    assert warning.startswith("warning") and "CONN3D2" in warning and "AMPLITUDE" not in warning
    (note,) = [line for line in said if "not read from the deck" in line]
    assert note.startswith("note") and "AMPLITUDE" in note and "CONN3D2" not in note
    assert main(["info", str(tmp_path / "plates.inp")]) == 0
    said = capsys.readouterr().out
    assert said.count("warning: left out:") == 2 and said.count("not read:") == 2
    assert main(["info", str(tmp_path / "plates.inp"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["left_out"]) == 2 and len(found["unread"]) == 2


def test_new_tells_losses_on_the_terminal_and_in_the_study(tmp_path, capsys):
    deck = write_plate_deck(tmp_path / "plates.inp", extra=LOST + HARMLESS)
    assert main(["new", str(deck)]) == 0
    said = capsys.readouterr().out
    assert "warning: left out of the deck" in said and "CONN3D2" in said and "AMPLITUDE" not in said
    text = deck.with_suffix(".toml").read_text(encoding="utf-8")
    assert "# Left out of the deck: line " in text and "CONN3D2" in text


@pytest.mark.parametrize(
    ("deck", "wanted", "others"),
    [
        ({"hold_upper": False}, ["no joint between 2 parts: [[bodies.joints]]", "no analysis: [[analyses]]"],
         ["material", "support"]),
        ({"with_material": False}, ["elements have no material: [[bodies.materials]]"], ["support", "density"]),
        ({"density": None}, ["no density of STEEL, which all but unreduced statics needs: [[bodies.materials]]"],
         ["no material"]),
    ],
)  # fmt: skip
def test_new_ends_in_what_comes_next(tmp_path, capsys, deck, wanted, others):
    path = write_plate_deck(tmp_path / "plates.inp", **deck)
    assert main(["new", str(path)]) == 0
    *_, following, then = capsys.readouterr().out.splitlines()
    assert following.startswith("next: ") and all(words in following for words in wanted)
    assert not any(words in following for words in others)
    assert then == f"then: faying check {path.with_suffix('.toml')}; faying run {path.with_suffix('.toml')}"


def test_without_a_held_node_a_support_comes_next(tmp_path, capsys):
    deck = tmp_path / "cube.inp"
    nodes = "".join(
        f"{1 + i + 2 * j + 4 * k}, {i}., {j}., {k}.\n" for k in (0, 1) for j in (0, 1) for i in (0, 1)
    )
    deck.write_text(f"*NODE\n{nodes}*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 4, 3, 5, 6, 8, 7\n")
    assert main(["new", str(deck)]) == 0
    following = capsys.readouterr().out.splitlines()[-2]
    assert following == (
        "next: 1 element has no material: [[bodies.materials]]; no support: [[bodies.supports]]; no analysis: "
        "[[analyses]]"
    )
