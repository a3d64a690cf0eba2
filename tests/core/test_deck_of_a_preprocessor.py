"""A bolted joint in the layout that PrePoMax writes: headings of comments, mixed case, bolts, contact, rigid bodies."""

from pathlib import Path

import numpy as np
import pytest

from faying.fem.assembly import assemble
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from support.boxes import box


def cards(model: FeModel, name: str, first: int, shift: tuple[float, float, float]) -> tuple[str, str]:
    """Return the lines of a box's nodes and of its elements."""
    nodes = "".join(
        f"{n + first}, {x:.9E}, {y:.9E}, {z:.9E}\n"
        for n, (x, y, z) in zip(model.node_ids.tolist(), (model.nodes + shift).tolist(), strict=True)
    )
    rows = (model.node_ids[model.blocks[0].connectivity] + first).tolist()
    elements = "".join(
        f"{n + first}, {', '.join(map(str, row))}\n"
        for n, row in zip(model.element_ids.tolist(), rows, strict=True)
    )
    return nodes, f"*Element, Type=C3D8I, Elset={name}\n{elements}"


def faces(model: FeModel, nodes: str, corners: tuple[int, ...]) -> list[int]:
    inside = np.isin(model.blocks[0].connectivity[:, list(corners)], model.node_sets[nodes]).all(axis=1)
    return model.element_ids[inside].tolist()


def deck() -> str:
    plate, bolt = (
        box("hex8_incompatible", (3, 3, 1), (9.0, 9.0, 2.0)),
        box("hex8_incompatible", (1, 1, 4), (2.0, 2.0, 8.0)),
    )
    parts = [cards(plate, "Solid_part-1", 0, (0, 0, 0)), cards(plate, "Solid_part-2", 100, (0, 0, 2.0)),
             cards(bolt, "Bolt", 200, (20.0, 0, 0))]  # fmt: skip
    lower = "".join(f"{n}, S2\n" for n in faces(plate, "ZMAX", (4, 5, 6, 7)))
    upper = "".join(f"{n + 100}, S1\n" for n in faces(plate, "ZMIN", (0, 1, 2, 3)))
    top = plate.node_ids[plate.node_sets["ZMAX"]] + 100
    foot = plate.node_ids[plate.node_sets["ZMIN"]]
    return f"""************************************************************
**
** Heading +++++++++++++++++++++++++++++++++++++++++++++++++
**
*Heading
Hash: a1B2c3, Date: 03.02.2025, Unit system: MM_TON_S_C
**
** Nodes +++++++++++++++++++++++++++++++++++++++++++++++++++
**
*Node
{"".join(nodes for nodes, _ in parts)}901, 4.5E+00, 4.5E+00, 6E+00
902, 4.5E+00, 4.5E+00, 6E+00
903, 0E+00, 0E+00, 0E+00
**
** Elements ++++++++++++++++++++++++++++++++++++++++++++++++
**
{"".join(elements for _, elements in parts)}**
** Node sets +++++++++++++++++++++++++++++++++++++++++++++++
**
*Nset, Nset=Internal_Selection-1_Rigid_body-1
{"".join(f"{n},{chr(10)}" for n in top)}*Nset, Nset=Foot
{", ".join(map(str, foot))}
**
** Element sets ++++++++++++++++++++++++++++++++++++++++++++
**
*Elset, Elset=Internal_Selection-1_Solid_Section-1
Solid_part-1,
Solid_part-2,
Bolt,
**
** Surfaces ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Surface, Name=Lower, Type=Element
{lower}*Surface, Name=Upper, Type=Element
{upper}*Surface, Name=Cut, Type=Element
202, S2
**
** Physical constants ++++++++++++++++++++++++++++++++++++++
**
*Physical constants, Absolute zero=-273.15
**
** Coordinate systems ++++++++++++++++++++++++++++++++++++++
**
*Orientation, Name=System-1, System=Cylindrical
0, 0, 0, 0, 0, 1
**
** Materials +++++++++++++++++++++++++++++++++++++++++++++++
**
*Material, Name=S235
*Density
7.8E-09
*Elastic
210000, 0.28
**
** Sections ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Solid section, Elset=Internal_Selection-1_Solid_Section-1, Material=S235, Orientation=System-1
**
** Pre-tension sections ++++++++++++++++++++++++++++++++++++
**
** Name: Pretension-1
*Pre-tension section, Surface=Cut, Node=903
0, 0, 1
**
** Constraints +++++++++++++++++++++++++++++++++++++++++++++
**
** Name: Rigid_body-1
*Rigid body, Nset=Internal_Selection-1_Rigid_body-1, Ref node=901, Rot node=902
**
** Surface interactions ++++++++++++++++++++++++++++++++++++
**
*Surface interaction, Name=Interaction-1
*Surface behavior, Pressure-overclosure=Linear
50000
*Friction
0.2, 5000
**
** Contact pairs +++++++++++++++++++++++++++++++++++++++++++
**
** Name: Contact-1
*Contact pair, Interaction=Interaction-1, Type=Surface to surface
Upper, Lower
**
** Steps +++++++++++++++++++++++++++++++++++++++++++++++++++
**
*Step, Nlgeom, Inc=1000
*Static, Solver=Pardiso
1, 1, 1E-05, 1E+30
**
** Output frequency ++++++++++++++++++++++++++++++++++++++++
**
*Output, Frequency=1
**
*Boundary, op=New
** Name: Fixed-1
*Boundary
Foot, 1, 3, 0
*Cload, op=New
** Name: Pretension
*Cload
903, 1, 750
*Node file
RF, U
*End step
"""


def test_everything_of_the_joint_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "Analysis-1.inp"
    path.write_text(deck())
    model = read_model(path)
    assert [(b.element, b.material) for b in model.blocks] == [("hex8_incompatible", "S235")]
    (contact,), (bolt,) = model.contacts, model.bolts
    assert (contact.slave, contact.master, contact.friction_coefficient, contact.stiffness) == (
        "UPPER", "LOWER", 0.2, 50000.0,
    )  # fmt: skip
    assert (bolt.name, bolt.force, bolt.axis.tolist()) == ("CUT", 750.0, [0.0, 0.0, 1.0])
    assert model.deck_support is not None
    assert set(model.deck_support.nodes.tolist()) == set(model.node_sets["FOOT"].tolist())
    (case,) = model.deck_cases
    assert case.bolts == (("CUT", 750.0),)
    rigid = model.couplings[0]
    assert (model.node_ids[rigid.reference], len(rigid.nodes), rigid.components) == (
        901,
        16,
        (1, 2, 3, 4, 5, 6),
    )
    said = [text for _, text in model.unread]
    assert not any("Orientation" in text or "ORIENTATION" in text for text in said)
    assert not any("ROTNODE" in text for text in said)  # its displacements are the reference node's rotations
    matrices = assemble(model)
    volume = 2 * 9.0 * 9.0 * 2.0 + 2.0 * 2.0 * 8.0
    ones = np.zeros(matrices.dofs.transformation.shape[0])
    ones[: 3 * len(model.nodes) : 3] = 1.0
    x = ones[matrices.dofs.own_rows]
    assert x @ matrices.mass @ x == pytest.approx(7.8e-9 * volume, rel=1e-9)
