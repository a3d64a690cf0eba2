"""The older distributing coupling of Abaqus and CalculiX decks: an element DCOUP3D, nodes and weights."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.readers import read_model

BRICK = """*NODE
1,0,0,0
2,2,0,0
3,2,2,0
4,0,2,0
5,0,0,2
6,2,0,2
7,2,2,2
8,0,2,2
50,1.,1.,3.
*ELEMENT, TYPE=C3D8, ELSET=BRICK
1,1,2,3,4,5,6,7,8
*MATERIAL, NAME=M
*ELASTIC
2.E5,.3
*DENSITY
7.85E-9
*SOLID SECTION, ELSET=BRICK, MATERIAL=M
*SOLID SECTION, ELSET=MEAN, MATERIAL=M
*NSET, NSET=TOP
5,6
*ELEMENT, TYPE=DCOUP3D, ELSET=MEAN
9,50
"""


def test_the_reference_node_follows_the_weighted_mean(tmp_path: Path) -> None:
    path = tmp_path / "mean.inp"
    path.write_text(BRICK + "*DISTRIBUTING COUPLING, ELSET=MEAN\nTop, 2.\n7, 1.\n8\n5, .5\n")
    model = read_model(path)
    (coupling,) = model.couplings
    assert (coupling.kind, model.node_ids[coupling.reference]) == ("distributing", 50)
    assert dict(zip(model.node_ids[coupling.nodes].tolist(), coupling.weights.tolist(), strict=True)) == {
        5: 2.5, 6: 2.0, 7: 1.0, 8: 1.0,
    }  # fmt: skip
    (note,) = [text for _, text in model.unread]
    assert "is 1.07 away from the middle of its nodes; its lever arm counts" in note
    matrices = assemble(model)
    # A linear field that turns the top about z passes the constraints: the mean turns alike.
    assert matrices.constraints.shape[0] == 6
    spin = np.zeros(matrices.dofs.transformation.shape[0])
    spin[: 3 * len(model.nodes)] = np.cross([0.0, 0.0, 1.0], model.nodes).ravel()
    spin[-1] = 1.0
    np.testing.assert_allclose(matrices.constraints @ spin[matrices.dofs.own_rows], 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("*DISTRIBUTING COUPLING, ELSET=BRICK\nTOP,1.\n", "ELSET=BRICK holds 0 elements of type DCOUP3D"),
        ("*DISTRIBUTING COUPLING, ELSET=MEAN\nTOP,-1.\n", "the weight -1, expected a positive one"),
        ("*DISTRIBUTING COUPLING, ELSET=MEAN\n", "couples no nodes"),
        ("*DISTRIBUTING COUPLING, ELSET=MEAN\nBOTTOM,1.\n", "no node set BOTTOM"),
        ("*DISTRIBUTING COUPLING\nTOP,1.\n", "lacks its parameter ELSET="),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, cards: str, words: str) -> None:
    path = tmp_path / "wrong.inp"
    path.write_text(BRICK + cards)
    with pytest.raises(ReadError, match=words):
        read_model(path)
