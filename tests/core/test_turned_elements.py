"""Elements that are numbered the left-handed way are turned by one decision; what is on their faces stays there."""

from dataclasses import replace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.mirrored_elements import inverted_elements, mirrored_order, with_turned_elements
from faying.fem.model import DeckSurface
from faying.fem.skin import find_skin, surface_from_deck
from faying.project import edits
from faying.session import read
from support.boxes import box
from support.plate_deck import write_study

SOLIDS = [
    name for name, kind in element_kinds.items() if kind.faces and not kind.is_shell and not kind.is_outline
]


def left_handed(model, every=2):
    """Return the model with every second element in the other order, and with its free faces as a surface."""
    surface = find_skin(model).surface
    faces = [(e, f) for block in surface.blocks for e, f in zip(block.elements, block.faces, strict=True)]
    elements, numbers = np.array(faces).T
    (block,) = model.blocks
    rows = np.array(block.connectivity)
    rows[::every] = rows[::every][:, list(mirrored_order(element_kinds[block.element]))]
    # The deck's face numbers count in the deck's order of nodes.
    kind = element_kinds[block.element]
    own = []
    for element, face in zip(elements, numbers, strict=True):
        nodes = set(block.connectivity[element][list(kind.faces[face])])
        own.append(next(k for k, f in enumerate(kind.faces) if set(rows[element][list(f)]) == nodes))
    skin = DeckSurface("SKIN", elements, np.array(own), np.zeros(0, np.int64))
    return replace(model, blocks=(replace(block, connectivity=rows),), surfaces={"SKIN": skin})


@pytest.mark.parametrize("name", SOLIDS)
def test_turned_elements_are_those_of_the_right_handed_mesh(name):
    right = box(name, (2, 2, 2), (1.0, 2.0, 3.0))
    left = left_handed(right)
    assert len(inverted_elements(left)) == -(-len(left.element_ids) // 2)
    with pytest.raises(ModelError, match=r"turned inside out.*turn_elements"):
        assemble(left)
    turned = with_turned_elements(left)
    assert not len(inverted_elements(turned))
    np.testing.assert_array_equal(turned.blocks[0].connectivity, right.blocks[0].connectivity)
    assert mass_properties(turned).volume == pytest.approx(6.0)
    skin = surface_from_deck(turned, "SKIN")
    assert set(skin.nodes.tolist()) == set(find_skin(right).surface.nodes.tolist())
    assert len(inverted_elements(right)) == 0 and with_turned_elements(right) is right


def test_the_check_offers_to_turn_them_and_a_study_may_say_so(tmp_path):
    study = write_study(tmp_path, turn_inside_out=True)
    project = read(study)
    (finding,) = [each for each in project.check() if "inside out" in each.sentence]
    assert finding.severity == "error" and "volume is negative" in finding.sentence
    assert finding.remedy.path == ("bodies", 0, "model", "turn_elements")
    project.apply(edits.set_value(finding.remedy.path, finding.remedy.value))
    assert not [each for each in project.check() if "inside out" in each.sentence]
    whole = tmp_path / "whole"
    whole.mkdir()
    wanted = read(write_study(whole)).solve("press").curve("tip uz")
    np.testing.assert_allclose(project.solve("press").curve("tip uz"), wanted, rtol=1e-9)
