"""Couplings added to a deck's model: the same equations as when the deck had them, from a study to a result."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.added_couplings import CouplingSpec, with_couplings
from faying.fem.assembly import assemble
from faying.fem.model import Coupling
from faying.progress import Silent
from faying.project import edits
from faying.project.specs import Project
from support.boxes import box
from support.plate_deck import write_plate_deck

SIZE = (2.0, 1.0, 1.0)
END = {"kind": "box", "corner": (2.0, 0.0, 0.0), "opposite": (2.0, 1.0, 1.0), "whole": True}
EVERY = (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(("behaviour", "kind"), [("rigid", "kinematic"), ("distributing", "distributing")])
def test_an_added_coupling_equals_one_of_the_deck(behaviour: str, kind: str) -> None:
    plain = box("hex8", (2, 2, 2), SIZE)
    spec = CouplingSpec(name="end", surface=END, behaviour=behaviour)
    added = with_couplings(plain, [spec])
    nodes = np.flatnonzero(np.isclose(plain.nodes[:, 0], 2.0))
    # On a 3 × 3 grid corners have a quarter and edges a half of the middle's area.
    weights = np.prod(np.where(np.isclose(plain.nodes[nodes, 1:], 0.5), 0.5, 0.25), axis=1)
    own = Coupling("end", kind, len(plain.nodes), nodes, EVERY, weights)
    deck = box("hex8", (2, 2, 2), SIZE, couplings=(own,), extra_nodes=((2.0, 0.5, 0.5),))
    assert added.nodes[-1] == pytest.approx([2.0, 0.5, 0.5])
    assert added.node_sets["end"].tolist() == [len(plain.nodes)]
    assert added.node_ids[-1] == plain.node_ids.max() + 1
    if kind == "distributing":
        assert added.couplings[0].weights == pytest.approx(weights)
    one, other = assemble(added, Silent()), assemble(deck, Silent())
    assert abs(one.stiffness - other.stiffness).max() < 1e-9 * abs(other.stiffness).max()
    assert abs(one.mass - other.mass).max() < 1e-9 * abs(other.mass).max()


def test_places_names_and_trouble() -> None:
    plain = box("hex8", (2, 2, 2), SIZE)
    aside = CouplingSpec(name="aside", surface=END, node=(5.0, 0.0, 0.0))
    end = CouplingSpec(name="end", surface=END | {"corner": (0.0, 0.0, 0.0), "opposite": (0.0, 1.0, 1.0)})
    both = with_couplings(plain, [aside, end])
    assert both.nodes[-2:].tolist() == [[5.0, 0.0, 0.0], pytest.approx([0.0, 0.5, 0.5])]
    assert [c.reference for c in both.couplings] == [len(plain.nodes), len(plain.nodes) + 1]
    assert with_couplings(plain, []) is plain
    with pytest.raises(ModelError, match="node set of that name already"):
        with_couplings(plain, [CouplingSpec(name="XMAX", surface=END)])
    with pytest.raises(ModelError, match=r"Coupling 'far': .* holds no facet"):
        with_couplings(
            plain, [CouplingSpec(name="far", surface=END | {"corner": (9, 9, 9), "opposite": (10, 10, 10)})]
        )


def test_an_interface_node_follows_its_coupling_when_that_is_renamed(tmp_path) -> None:
    write_plate_deck(tmp_path / "plates.inp")
    words = {"bodies": [{"name": "plates", "model": {"path": "plates.inp"}}]}
    project = edits.replace_project(words)(Project())
    coupling = {"name": "end", "surface": END}
    project = edits.add_coupling("plates", coupling, "tip")(project)
    assert project.bodies[0].interfaces[0].node_set == "end"
    renamed = edits.rename(("bodies", 0, "couplings", 0), "far end")(project)
    assert renamed.bodies[0].interfaces[0].node_set == "far end"
