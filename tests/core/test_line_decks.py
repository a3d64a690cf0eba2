"""Decks of beams, rods and springs alone, from `faying new` to results, against closed forms."""

import json

import numpy as np
import pytest

import faying
from faying.cli import main
from faying.fem.left_out import left_out
from faying.fem.readers import read_model
from support.line_decks import LINE_DECKS


@pytest.mark.parametrize("deck", LINE_DECKS, ids=lambda deck: deck.name)
def test_a_deck_without_faces_makes_a_study_that_runs(tmp_path, deck, capsys):
    path = tmp_path / "deck.inp"
    path.write_text(deck.text)
    assert main(["new", str(path)]) == 0
    told = capsys.readouterr().out
    assert "left out" not in told and "next: nothing is missing" in told
    study = faying.read(tmp_path / "deck.toml")
    solution = study.solve("step 1")
    u = solution.field("displacement")
    row = study.read_model().node_row(deck.node)
    assert u[row] == pytest.approx(deck.displacement, rel=2e-3, abs=1e-6 * np.abs(u).max())
    assert main(["quality", str(tmp_path / "deck.toml"), "--json"]) == 0
    held = json.loads(capsys.readouterr().out)["held_frequencies"]
    assert held[: len(deck.frequencies)] == pytest.approx(deck.frequencies, rel=2e-3)
    assert main(["check", str(tmp_path / "deck.toml")]) == 0
    assert "left out" not in capsys.readouterr().out


_ON_GROUND = """SOL 101
CEND
SPC = 1
LOAD = 2
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,0.,1.,0.
GRID,4,,0.3,0.3,1.
CELAS2,1,1000.,4,1
CELAS2,2,2000.,4,2
CELAS2,3,3000.,4,3
CONROD,11,1,4,1,1.0E-14
CONROD,12,2,4,1,1.0E-14
CONROD,13,3,4,1,1.0E-14
CONM2,5,4,,2.0
MAT1,1,2.1E11,,0.3,7850.
SPC1,1,123,1,2,3
FORCE,2,4,,6.,1.,1.,-1.
ENDDATA
"""


def test_springs_on_ground_stand_on_the_ground_of_the_supports(tmp_path):
    path = tmp_path / "ground.bdf"
    path.write_text(_ON_GROUND)
    model = read_model(path)
    assert not left_out(model)
    assert main(["new", str(path)]) == 0
    u = faying.read(tmp_path / "ground.toml").solve("subcase 1").field("displacement")
    assert u[model.node_row(4)] == pytest.approx([6e-3, 3e-3, -2e-3], rel=1e-4)


def test_masses_and_couplings_alone_make_no_body(tmp_path):
    path = tmp_path / "masses.inp"
    path.write_text("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=MASS, ELSET=M\n1, 1\n*MASS, ELSET=M\n2.0\n")
    with pytest.raises(faying.FayingError, match="which make no body"):
        read_model(path)
