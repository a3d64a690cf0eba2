"""Bolts that are beams: `*PRE-TENSION SECTION, ELEMENT=` and the tension that it takes."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.beam_bolts import with_cut_beam
from faying.fem.bolt_sections import find_bolts, overlap_row, section_rows
from faying.fem.model import BeamSection, ElementBlock, FeModel, Material
from faying.fem.readers import read_model
from faying.fem.skin import Skin
from faying.reduction.preload_loads import PreloadedBody
from faying.reduction.preload_loads.bolt_force import BoltForce

DECK = """*NODE
1,0.,0.,0.
2,0.,20.,0.
3,0.,40.,0.
99,0.,0.,0.
*ELEMENT, TYPE=B31, ELSET=SCREW
1,1,2
2,2,3
*BEAM SECTION, ELSET=SCREW, MATERIAL=STEEL, SECTION=RECT
2.,3.
1.,0.,0.
*MATERIAL, NAME=STEEL
*ELASTIC
200000.,.25
*DENSITY
7.85E-9
*PRE-TENSION SECTION, ELEMENT=2, NODE=99
0.,-1.,0.
*STEP
*STATIC
*CLOAD
99,1,600.
*END STEP
"""


def test_the_beam_elongates_by_force_over_stiffness_and_carries_the_force(tmp_path: Path) -> None:
    path = tmp_path / "screw.inp"
    path.write_text(DECK)
    model = read_model(path)
    (bolt,) = model.bolts
    assert (bolt.name, bolt.force, bolt.axis.tolist()) == ("BOLT 2", 600.0, [0.0, 1.0, 0.0])
    np.testing.assert_array_equal(model.nodes[list(bolt.centres)], [[0.0, 20.0, 0.0]] * 2)
    assert [model.node_sets[f"BOLT 2 {i}"].tolist() for i in (1, 2)] == [[c] for c in bolt.centres]
    matrices = assemble(model)
    # Nodes 1, 2, 3 with six dofs each, and the one elongation.
    assert matrices.dofs.n_dofs == 19
    load = BoltForce(bolt=bolt.name, force=600.0).act(_subject(model, matrices.dofs)).forces
    transformation = matrices.dofs.transformation
    held = np.unique(
        np.concatenate([transformation[matrices.dofs.node_rows(model.node_row(n))].indices for n in (1, 3)])
    )
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
    x = np.zeros(matrices.dofs.n_dofs)
    stiffness = matrices.stiffness.toarray()
    x[free] = np.linalg.solve(stiffness[np.ix_(free, free)], load[free])
    u = (transformation @ x)[: 3 * len(model.nodes)].reshape(-1, 3)
    rate = 200000.0 * 6.0 / 20.0
    # Both halves stretch by F / k, so their ends at the cut overlap by twice that.
    first, second = bolt.centres
    assert u[first, 1] == pytest.approx(600.0 / rate) and u[second, 1] == pytest.approx(-600.0 / rate)
    # The supports hold the force.
    reaction = stiffness[held] @ x
    assert abs(reaction).max() == pytest.approx(600.0)


def test_a_beam_hangs_on_a_node_without_rotations_as_on_a_hinge(tmp_path: Path) -> None:
    path = tmp_path / "end.inp"
    path.write_text(DECK.replace("ELEMENT=2", "ELEMENT=1"))
    model = read_model(path)
    matrices = assemble(model)
    # The copy follows node 1 across the axis; along it and in its rotations it moves alone, and nothing holds node 1.
    assert matrices.dofs.n_dofs == 2 + (1 + 3) + 6 + 6
    first, second = model.bolts[0].centres
    assert len(matrices.dofs.node_rows(first)) == 3 and len(matrices.dofs.node_rows(second)) == 6


def _subject(model, dofs):
    return PreloadedBody(model, _no_skin(), dofs, {}, ())


def _no_skin() -> Skin:
    from faying.fem.surface import Surface

    none = np.zeros(0)
    return Skin(Surface("", ()), none, none.reshape(0, 3), none.reshape(0, 3), np.zeros((0, 2), np.int64))


def test_what_cannot_be_cut_stays_whole_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "across.inp"
    path.write_text(DECK.replace("0.,-1.,0.\n*STEP", "1.,0.,0.\n*STEP"))
    model = read_model(path)
    assert model.bolts == () and len(model.nodes) == 4
    assert any("axis of bolt 'BOLT 2' is across its beam" in text for _, text in model.unread)
    path.write_text(DECK)
    cut = read_model(path)
    with pytest.raises(ModelError, match="there is a node set called 'BOLT 2 1'"):
        with_cut_beam(cut, "BOLT 2", 0)


@pytest.mark.parametrize(
    ("kind", "places", "beams", "cut"),
    [
        # A spider of four beams at the head; its ends are held, as the foot is.
        ("spider", [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 2), (-1, 0, 2), (0, 1, 2), (0, -1, 2)],
         [(0, 1), (1, 2), (2, 3), (2, 4), (2, 5), (2, 6)], 0),
        ("bent", [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 2)], [(0, 1), (1, 2), (2, 3)], 1),
    ],
)  # fmt: skip
def test_a_beam_that_is_cut_is_the_bolt_where_its_chain_branches_or_bends(kind, places, beams, cut):
    """Such a bolt had no element, and its body could not be computed. Theorem: both ends carry the tension."""
    section = BeamSection(1.0, 1.0, 1.0, 2.0, (0.0, 1.0, 0.3), 0.9)
    block = ElementBlock("beam2", "B31", np.arange(1, len(beams) + 1), np.array(beams), "S", section)
    material = Material("S", 210e3, 0.3, 7.8e-9)
    model = FeModel(
        kind, np.arange(1, len(places) + 1), np.array(places, float), (block,), materials={"S": material}
    )
    model = with_cut_beam(model, "B", cut)
    (place,) = find_bolts(model)
    assert place.name == "B" and place.elements[0] == cut
    matrices = assemble(model)
    dofs = matrices.dofs
    ends = [n for n, count in enumerate(np.bincount(np.ravel(beams))) if count == 1]
    held = np.unique(np.concatenate([dofs.transformation[dofs.node_rows(n)].indices for n in ends]))
    free = np.setdiff1d(np.arange(dofs.n_dofs), held)
    load = 600.0 * overlap_row(model.bolts[0], dofs).toarray()[0]
    x = np.zeros(dofs.n_dofs)
    x[free] = np.linalg.solve(matrices.stiffness.toarray()[np.ix_(free, free)], load[free])
    for each in place.sections:
        force = section_rows(model, each, dofs)[0][:3] @ x
        assert each.outward @ force == pytest.approx(600.0)
