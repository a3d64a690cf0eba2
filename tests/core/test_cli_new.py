"""From a deck to a study: `faying new`, and `faying info` of a deck."""

import json
import sys

import pytest

from faying.cli import main
from faying.cli.manual_page import manual_folder
from faying.project.serialization import project_to_dict
from faying.project.study import read_study
from support.plate_deck import write_plate_deck


@pytest.fixture
def deck(tmp_path):
    """Two plates whose deck defines contact between them."""
    contact = ("*SURFACE INTERACTION, NAME=ROUGH\n*FRICTION\n0.2\n"
               "*CONTACT PAIR, INTERACTION=ROUGH\nUPPER, LOWER")  # fmt: skip
    return write_plate_deck(tmp_path / "plates.inp", extra=contact)


def test_new_writes_what_the_deck_lets_guess_and_says_it(deck, capsys):
    assert main(["new", str(deck)]) == 0
    said = capsys.readouterr().out
    assert "units mm-t-s" in said and "interface nodes: hold, tip" in said and "joints: " in said
    project = read_study(deck.with_suffix(".toml"))
    (joint,) = project.bodies[0].joints
    assert (joint.slave.name, joint.master.name) == ("UPPER", "LOWER")
    law = joint.friction_law
    # Coulomb's law as the deck means it: it never exceeds μ p, and sticks as its contact does.
    assert (law.friction_coefficient, law.sliding_stiffness, law.sticking_stiffness) == (0.2, 0.0, None)
    assert main(["check", str(deck.with_suffix(".toml"))]) == 0


def test_comments_change_no_decision_and_tell_units_and_other_members(deck):
    assert main(["new", str(deck)]) == 0
    text = deck.with_suffix(".toml").read_text(encoding="utf-8")
    assert "# Expected mass [t]: " in text
    assert "# Craig-Bampton. Others: " in text and "guyan" in text
    assert text.count("# Node set: ") == 1  # told where it stands first
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    bare = deck.with_name("bare.toml")
    bare.write_text(plain, encoding="utf-8")
    assert project_to_dict(read_study(bare)) == project_to_dict(read_study(deck.with_suffix(".toml")))


@pytest.mark.parametrize("name", ["plates.inp", 'plates "old" \\ 2.inp'])
def test_the_analysis_to_come_runs_when_its_signs_are_taken_away(deck, name):
    if name != deck.name and sys.platform == "win32":
        pytest.skip("no file has such a name here")
    deck = deck.rename(deck.with_name(name))
    assert main(["new", str(deck)]) == 0
    study = deck.with_suffix(".toml")
    head, told, sample = study.read_text(encoding="utf-8").partition("# [[analyses]]")
    lines = [line.removeprefix("# ") for line in (told + sample).splitlines()]
    study.write_text(head + "\n".join(lines), encoding="utf-8")
    (analysis,) = read_study(study).analyses
    assert (analysis.support, analysis.loads[0].interface) == ("hold", "tip")
    assert analysis.loads[0].force == (0.0, 0.0, 100.0)
    assert main(["check", str(study)]) == 0


def test_new_replaces_nothing_that_it_did_not_write(deck, capsys):
    mine = deck.with_suffix(".toml")
    mine.write_text("# mine", encoding="utf-8")
    assert main(["new", str(deck)]) == 1
    assert mine.read_text(encoding="utf-8") == "# mine" and "--force" in capsys.readouterr().err
    assert main(["new", str(deck), "--out", str(deck), "--force"]) == 1
    assert main(["new", str(deck), "--force", "--units", "furlongs"]) == 1
    assert "'mm-t-s'" in capsys.readouterr().err and mine.read_text(encoding="utf-8") == "# mine"
    assert main(["new", str(deck), "--force"]) == 0


def test_info_of_a_deck_names_what_decisions_can_refer_to(deck, capsys):
    assert main(["info", str(deck)]) == 0
    said = capsys.readouterr().out.splitlines()
    for line in (
        "node set HOLD: 1 node", "element set LOW: 48 elements", "surface UPPER: 20 facets",
        "material STEEL: E = 210000, ν = 0.3, density 7.85e-09",
        "coupling C_HOLD: kinematic, node 301 with 30 nodes",
    ):  # fmt: skip
        assert line in said
    assert any("master LOWER, slave UPPER, friction 0.2" in line for line in said)
    assert main(["info", str(deck), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["materials"]["STEEL"]["youngs_modulus"] == 210000.0
    assert list(found["likely_units"]) == ["mm-t-s"]


def test_demo_without_a_name_lists_them(capsys):
    assert main(["demo"]) == 0
    assert "friction-bar " in capsys.readouterr().out


def test_what_a_bare_mesh_lacks_stands_there_as_comments(tmp_path, capsys):
    """Without their signs they make the study whole: a material, and nodes to hold and load it at."""
    mesh = tmp_path / "two_plates.msh"
    mesh.write_bytes((manual_folder() / "files" / mesh.name).read_bytes())
    assert main(["new", str(mesh)]) == 0
    study = mesh.with_suffix(".toml")
    text = study.read_text(encoding="utf-8")
    assert (
        "# 4014 elements have no material." in text
        and "surfaces end_held, end_loaded, shank_1, shank_2." in text
    )
    head, _, tail = text.partition("# [[bodies.materials]]")
    lines = [line.removeprefix("# ") for line in f"# [[bodies.materials]]{tail}".splitlines()]
    study.write_text(
        head + "\n".join(line for line in lines if line[:1] in "[" or " = " in line), encoding="utf-8"
    )
    assert main(["check", str(study)]) == 0, capsys.readouterr().out
    (analysis,) = read_study(study).analyses
    assert (analysis.support, analysis.loads[0].interface) == ("held", "loaded")
