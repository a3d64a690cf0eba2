"""Joints from geometry on the command line: `faying search`, and what `faying new` proposes and offers."""

import json
import re
import tomllib

import numpy as np
import pytest

from faying.cli import main
from faying.fem.readers import read_model
from faying.fem.skin import find_skin
from faying.project.joint_proposals import proposed_joints, touched_surfaces
from faying.project.study import read_study
from faying.session import read
from support.boxes import box

NAMES = {"LOWZMIN": "foot_disk", "LOWZMAX": "flanks_disk", "UPZMIN": "flanks_blade", "UPZMAX": "tip_blade"}


def block(model, first, name, shift, named):
    """Return a box as cards, its ends as surfaces."""
    text = "*NODE\n" + "".join(
        f"{n + first},{x:.9g},{y:.9g},{z:.9g}\n"
        for n, (x, y, z) in zip(model.node_ids, model.nodes + shift, strict=True)
    )
    (own,) = model.blocks
    text += f"*ELEMENT, TYPE=C3D8I, ELSET={name}\n"
    for n, row in zip(own.ids, model.node_ids[own.connectivity] + first, strict=True):
        text += f"{n + first},{','.join(map(str, row))}\n"
    for side in ("ZMIN", "ZMAX") if named else ():
        rows = model.node_sets[side]
        faces = [
            f"{n + first},S{f}\n"
            for n, row in zip(own.ids, own.connectivity, strict=True)
            for f, corners in enumerate(((0, 1, 2, 3), (4, 5, 6, 7)), 1)
            if np.isin(row[list(corners)], rows).all()
        ]
        text += f"*SURFACE, NAME={NAMES[name + side]}\n" + "".join(faces)
    return text + f"*SOLID SECTION, ELSET={name}, MATERIAL=M\n"


@pytest.fixture
def deck(tmp_path):
    """A small block on a larger one, with names as in a dovetail."""
    return written(tmp_path / "flanks.inp")


def written(path, *, named=True, gap=0.0):
    lower = box("hex8_incompatible", (6, 4, 2), (30.0, 20.0, 10.0))
    upper = box("hex8_incompatible", (3, 4, 2), (12.0, 20.0, 8.0))
    path.write_text(
        block(lower, 0, "LOW", np.zeros(3), named)
        + block(upper, 1000, "UP", np.array([8.0, 0.0, 10.0 + gap]), named)
        + "*MATERIAL, NAME=M\n*ELASTIC\n210000.,.3\n*DENSITY\n7.85E-9\n"
    )
    return path


def test_a_search_names_joints_by_the_surfaces_of_the_deck(deck, capsys):
    assert main(["search", str(deck)]) == 0
    said = capsys.readouterr().out
    assert "# flanks: areas 600 and 240 mm², 100% of the slave's nodes paired, gaps 0 to 0 mm" in said
    (joint,) = tomllib.loads(said.replace("[[bodies.joints]]", "[[joints]]"))["joints"]
    assert joint["master"] == {"kind": "deck_surface", "name": "FLANKS_DISK"}
    assert joint["slave"] == {"kind": "deck_surface", "name": "FLANKS_BLADE"}
    assert main(["search", str(deck), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["areas"] == pytest.approx([600.0, 240.0]) and found["paired"] == 1.0


def test_without_names_the_faces_are_those_that_face_each_other(tmp_path, capsys):
    deck = written(tmp_path / "plain.inp", named=False, gap=0.01)
    model = read_model(deck)
    skin = find_skin(model)
    (found,) = proposed_joints(model, skin)
    assert found.joint.master.kind == found.joint.slave.kind == "facing"
    assert found.measure.gaps == pytest.approx((0.01, 0.01)) and found.measure.penetration == 0.0
    assert found.joint.slave.select(model, skin).n_facets == 12
    # Beyond the usual distance, a farther search alone finds it.
    apart = written(tmp_path / "apart.inp", named=False, gap=1.0)
    assert main(["search", str(apart)]) == 0
    assert "no two parts face each other" in capsys.readouterr().out
    assert main(["search", str(apart), "--distance", "1.5"]) == 0
    assert "gaps 1 to 1 mm" in capsys.readouterr().out


def test_surfaces_that_touch_are_not_offered_to_hold_or_load(deck):
    model = read_model(deck)
    skin = find_skin(model)
    assert touched_surfaces(model, skin, proposed_joints(model, skin)) == {"FLANKS_DISK", "FLANKS_BLADE"}


def test_new_proposes_joints_and_the_basis_holds_the_parts(deck, capsys):
    """The study without its comment signs runs, and reduced it deforms as the FE model does."""
    assert main(["new", str(deck)]) == 0
    said = capsys.readouterr().out
    assert "proposed joint flanks: areas 600 and 240 mm²" in said
    study = deck.with_suffix(".toml")
    head, told, tail = study.read_text(encoding="utf-8").partition("\n# The deck has no node at which")
    assert "FLANKS" not in told + tail.partition("[[bodies.joints]]")[0]
    lines = [re.sub(r"^# (?=\[|\w+ = )", "", line) for line in tail.splitlines()[2:]]
    study.write_text(head + "\n" + "\n".join(lines).replace('"100 N"', "-4000.0"), encoding="utf-8")
    project = read_study(study)
    (body,) = project.bodies
    assert [joint.name for joint in body.joints] == ["flanks"]
    assert [each.surface.name for each in body.couplings] == ["FOOT_DISK", "TIP_BLADE"]
    tilted = study.read_text(encoding="utf-8").replace("[0.0, 0.0, -4000.0]", "[900.0, 0.0, -4000.0]")
    tilted = tilted.replace(
        "[[bodies.joints]]",
        '[[bodies.joints]]\nfriction_law = { kind = "coulomb", friction_coefficient = 0.3 }',
    )
    unreduced = (
        tilted.partition("[[analyses]]")[2].replace('"static"', '"unreduced_static"').replace("first", "full")
    )
    study.write_text(f"{tilted}\n[[analyses]]{unreduced}", encoding="utf-8")
    solved = read(study)
    wanted, found = (solved.solve(name).field("displacement") for name in ("full load", "first load"))
    assert np.linalg.norm(found - wanted) < 0.01 * np.linalg.norm(wanted)


def test_one_part_has_nothing_to_propose(tmp_path, capsys):
    lower = box("hex8_incompatible", (3, 2, 2), (30.0, 20.0, 10.0))
    deck = tmp_path / "one.inp"
    deck.write_text(block(lower, 0, "LOW", np.zeros(3), False) + "*MATERIAL, NAME=M\n*ELASTIC\n2.1E5,.3\n")
    assert main(["new", str(deck)]) == 0
    assert "proposed joint" not in capsys.readouterr().out
    assert "bodies.joints" not in deck.with_suffix(".toml").read_text(encoding="utf-8")
