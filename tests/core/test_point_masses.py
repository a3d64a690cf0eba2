"""Point masses: read from decks, and in the assembled mass."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.model import Coupling, FeModel, PointMass
from faying.fem.point_masses import misplaced_masses
from faying.fem.readers import read_model
from support.boxes import STEEL, box

BRICK = """*NODE, NSET=ALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
9,0.5,0.5,2
*ELEMENT, TYPE=C3D8, ELSET=BODY
1,1,2,3,4,5,6,7,8
*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL
*MATERIAL, NAME=STEEL
*ELASTIC
210000.,.3
*DENSITY
7.85E-9
"""


def deck(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def inertia_of(model: FeModel, point: np.ndarray) -> np.ndarray:
    """Return (6, 6) the inertia of the whole body for its rigid motions about a point."""
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs, point)
    return rigid.T @ (matrices.mass @ rigid)


def test_mass_and_rotary_inertia_elements_of_an_abaqus_deck(tmp_path: Path) -> None:
    text = BRICK + (
        "*ELEMENT, TYPE=MASS, ELSET=HEAVY\n100,9\n101,7\n*ELEMENT, TYPE=ROTARYI, ELSET=TURNING\n102,9\n"
        "*ELSET, ELSET=EVERYTHING\nBODY,HEAVY\n*ELSET, ELSET=ONE, GENERATE\n101,101\n"
        "*MASS, ELSET=HEAVY\n2.5E-3\n*MASS, ELSET=ONE\n1.E-3\n*ROTARY INERTIA, ELSET=TURNING\n3.,4.,5.,.1,.2,.3\n"
        "*RIGID BODY, REF NODE=9, TIE NSET=TOP\n*NSET, NSET=TOP\n5,6,7,8\n"
    )
    model = read_model(deck(tmp_path / "masses.inp", text))
    at = {int(model.node_ids[m.node]): m for m in model.point_masses}
    assert sorted(at) == [7, 9]
    # Two cards for one element add up.
    assert at[7].mass == pytest.approx(3.5e-3) and at[9].mass == 2.5e-3
    assert at[9].inertia.tolist() == [[3.0, 0.1, 0.2], [0.1, 4.0, 0.3], [0.2, 0.3, 5.0]]
    assert model.unread == ()
    # Of elements the deck's sets hold solids only.
    assert model.element_sets["EVERYTHING"].tolist() == [0] and len(model.element_ids) == 1
    plain = dataclasses.replace(model, point_masses=())
    added = inertia_of(model, model.nodes[8]) - inertia_of(plain, model.nodes[8])
    assert np.trace(added[:3, :3]) / 3 == pytest.approx(6e-3)
    np.testing.assert_allclose(added[3:, 3:], at[9].inertia, atol=0.02)


def test_inertia_of_an_instance_turns_with_it(tmp_path: Path) -> None:
    text = (
        "*PART, NAME=P\n" + BRICK[: BRICK.index("*MATERIAL")] + "*ELEMENT, TYPE=ROTARYI, ELSET=R\n5,1\n"
        "*ROTARY INERTIA, ELSET=R\n1.,2.,3.\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n"
        "0.,0.,0.\n0.,0.,0.,0.,0.,1.,90.\n*END INSTANCE\n*END ASSEMBLY\n" + BRICK[BRICK.index("*MATERIAL") :]
    )
    (mass,) = read_model(deck(tmp_path / "turned.inp", text)).point_masses
    np.testing.assert_allclose(mass.inertia, np.diag([2.0, 1.0, 3.0]), atol=1e-12)


def test_connectors_are_left_out_with_their_line(tmp_path: Path) -> None:
    text = BRICK + "*ELEMENT, TYPE=CONN3D2, ELSET=LINKS\n50,1,9\n*CONNECTOR SECTION, ELSET=LINKS\nAXIAL,\n"
    model = read_model(deck(tmp_path / "spring.inp", text))
    assert [line for line, _ in model.unread] == [19, 21]
    assert "1 elements of a type that is not taken over" in model.unread[0][1]


def test_conm2_with_offset_and_products_of_inertia_in_a_turned_system(tmp_path: Path) -> None:
    text = (
        "BEGIN BULK\n"
        + "".join(
            f"GRID,{i + 1},,{x}.,{y}.,{z}.\n"
            for i, (x, y, z) in enumerate(
                [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
            )
        )
        + "GRID,9,,0.5,0.5,2.\nCHEXA,1,3,1,2,3,4,5,6\n,7,8\nPSOLID,3,7\nMAT1,7,210000.,,0.3,7.85-9\n"
        "RBE2,2,9,123456,5,6,7,8\n"
        # x of system 4 is the global y, its y the negative global x.
        "CORD2R,4,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\n"
        "CONM2,7,9,4,0.5,2.,0.,0.\n,1.,.1,2.,.2,.3,3.\nCONM2,8,1,-1,0.25,1.,2.,3.\nENDDATA\n"
    )
    model = read_model(deck(tmp_path / "conm2.bdf", text))
    first, second = model.point_masses
    assert (first.mass, first.name) == (0.5, "CONM2 7") and second.mass == 0.25
    np.testing.assert_allclose(first.offset, [0.0, 2.0, 0.0], atol=1e-12)
    # In system 4 the tensor is [[1, -.1, -.2], [-.1, 2, -.3], [-.2, -.3, 3]].
    np.testing.assert_allclose(
        first.inertia, [[2.0, 0.1, 0.3], [0.1, 1.0, -0.2], [0.3, -0.2, 3.0]], atol=1e-12
    )
    np.testing.assert_allclose(second.offset, [1.0, 2.0, 3.0], atol=1e-12)
    assert list(misplaced_masses(model)) == [
        "CONM2 8 at node 1: the node has no rotations, so its mass acts without moment of inertia and offset."
    ]


def test_inertia_about_any_point_is_steiners() -> None:
    arm, tensor = np.array([0.3, -0.2, 0.5]), np.array([[2.0, 0.1, 0.0], [0.1, 3.0, 0.2], [0.0, 0.2, 4.0]])
    reference = Coupling("top", "kinematic", 8, np.arange(4, 8), (1, 2, 3, 4, 5, 6), np.ones(4))
    plain = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0), couplings=(reference,), extra_nodes=((0.5, 0.5, 2.0),))
    mass = PointMass("flywheel", 8, 7.0, tensor, arm)
    heavy = dataclasses.replace(plain, point_masses=(mass,))
    about = np.array([1.0, 2.0, -1.0])
    added = inertia_of(heavy, about) - inertia_of(plain, about)
    r = plain.nodes[8] + arm - about
    np.testing.assert_allclose(added[:3, :3], 7.0 * np.eye(3), atol=1e-9)
    np.testing.assert_allclose(
        added[3:, 3:], tensor + 7.0 * (r @ r * np.eye(3) - np.outer(r, r)), rtol=1e-9, atol=1e-9
    )
    assert STEEL.density < 1e-6  # the solid does not hide the point mass


def test_a_mass_that_nothing_holds_is_named() -> None:
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0), extra_nodes=((5.0, 5.0, 5.0),))
    lost = PointMass("MASS element 4", 8, 1.0, np.zeros((3, 3)), np.zeros(3))
    (sentence,) = misplaced_masses(dataclasses.replace(model, point_masses=(lost,)))
    assert (
        sentence
        == "MASS element 4 at node 9: no element and no coupling holds the node, so the mass is left out."
    )
    assert assemble(dataclasses.replace(model, point_masses=(lost,))).dofs.n_dofs == 24
