"""A new mesh of the same part: surfaces by names that it has again, and a report of what is kept, changed and lost."""

import json

import pytest

from faying.cli import main
from faying.fem.readers import read_model
from faying.project.deck_changes import deck_changes
from faying.project.serialization import project_from_dict
from faying.project.study import write_study
from faying.testing.plates import write_plate_deck

FACING = {"kind": "facing_sets", "element_set": "PLATE1", "other_set": "PLATE2"}
JOINT = {"name": "lap", "master": FACING, "slave": {**FACING, "element_set": "PLATE2", "other_set": "PLATE1"}}
WORDS = {
    "name": "plates", "model": {"path": "plates.inp"},
    "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"}],
    "joints": [JOINT], "supports": [],
    "contact_surfaces": [{"name": "top", "surface": {"kind": "grown", "element": 9, "face": 2}}],
    "materials": [{"kind": "library", "name": "steel", "element_set": "PLATE1"}],
}  # fmt: skip


@pytest.fixture
def decks(tmp_path):
    coarse = write_plate_deck(tmp_path / "plates.inp")
    fine = write_plate_deck(tmp_path / "fine.inp", divisions=7)
    return coarse, fine


def states(found):
    return {change.what: change.state for change in found}


def test_names_carry_joints_over_to_a_finer_mesh_and_numbers_do_not(decks):
    body = project_from_dict({"bodies": [WORDS]}).bodies[0]
    found = deck_changes(body, *(read_model(deck) for deck in decks), "mm-t-s")
    assert states(found) == {
        "interface node 'hold'": "kept", "interface node 'tip'": "kept", "Joints 'lap': master surface": "kept",
        "Joints 'lap': slave surface": "kept", "Contact surfaces 'top': surface": "changed",
    }  # fmt: skip
    joint = next(change for change in found if "master" in change.what)
    assert joint.told == "14 facets of 400 mm², so far 8 of 400 mm²"
    assert next(change for change in found if "'tip'" in change.what).told.endswith(" mm)")
    # Element 9 of the finer mesh is of the lower plate: the surface is another one.
    assert "elsewhere" in next(change for change in found if "top" in change.what).told


def test_a_node_that_the_body_makes_for_itself_is_not_lost(decks):
    """No deck has it: what a new mesh does to it is told of the surface that it is coupled to."""
    coupling = {"name": "pull", "surface": {"kind": "deck_surface", "name": "UPPER"}}
    words = {**WORDS, "couplings": [coupling], "interfaces": [{"name": "pull", "node_set": "pull"}]}
    found = deck_changes(
        project_from_dict({"bodies": [words]}).bodies[0], *(read_model(deck) for deck in decks), "mm-t-s"
    )
    assert states(found)["Couplings 'pull': surface"] == "kept"
    assert "lost" not in states(found).values()


def test_what_a_new_mesh_lacks_is_lost(decks):
    text = (
        decks[1]
        .read_text()
        .replace("PLATE1", "LOW")
        .replace("NSET=TIP\n", "NSET=END\n")
        .replace("=STEEL", "=IRON")
    )
    decks[1].write_text(text)
    body = project_from_dict({"bodies": [WORDS]}).bodies[0]
    found = deck_changes(body, *(read_model(deck) for deck in decks), "mm-t-s")
    lost = {change.what for change in found if change.state == "lost"}
    assert lost == {
        "interface node 'tip'", "Joints 'lap': master surface", "Joints 'lap': slave surface",
        "Materials 'steel': element set", "material 'STEEL'",
    }  # fmt: skip
    assert all(change.told for change in found)


def test_the_command_tells_it(decks, tmp_path, capsys):
    run = {
        "kind": "static", "name": "press", "body": "plates", "support": "hold",
        "loads": [{"interface": "tip", "force": (0, 0, -5)}],
    }  # fmt: skip
    project = project_from_dict({"bodies": [{**WORDS, "model": {"path": str(decks[0])}}], "analyses": [run]})
    write_study(project, tmp_path / "study.toml")
    assert main(["remesh", str(tmp_path / "study.toml"), "--deck", str(decks[1])]) == 0
    told = capsys.readouterr().out
    assert "kept: Joints 'lap': master surface: 14 facets of 400 mm², so far 8 of 400 mm²" in told
    assert "to be computed again: press" in told
    decks[1].write_text(decks[1].read_text().replace("PLATE2", "UP"))
    assert main(["remesh", str(tmp_path / "study.toml"), "--deck", str(decks[1]), "--json"]) == 1
    assert {each["state"] for each in json.loads(capsys.readouterr().out)} == {"kept", "changed", "lost"}
