"""Local directions in Abaqus decks: equations of nodes with *TRANSFORM, couplings with *ORIENTATION."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.writers import write_model
from support.boxes import box

MATERIAL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000.,.3\n*DENSITY\n7.85E-9\n"
TIP = "*NODE\n901,3.,1.,0.5\n"


def plate(extra: str) -> str:
    """Return a plate beside the z axis as cards, with the set XMAX and the reference node 901."""
    model = box("hex8_incompatible", (2, 2, 1), (2.0, 2.0, 1.0))
    text = "*NODE\n" + "".join(
        f"{n},{x + 0.5:.9g},{y:.9g},{z:.9g}\n"
        for n, (x, y, z) in zip(model.node_ids, model.nodes, strict=True)
    )
    text += "*ELEMENT, TYPE=C3D8I, ELSET=ALL\n"
    for number, row in zip(model.element_ids, model.node_ids[model.blocks[0].connectivity], strict=True):
        text += f"{number},{','.join(map(str, row))}\n"
    text += "*NSET, NSET=XMAX\n" + "".join(f"{n}\n" for n in model.node_ids[model.node_sets["XMAX"]])
    return text + "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n" + MATERIAL + TIP + extra


def read(path: Path, extra: str) -> FeModel:
    path.write_text(plate(extra))
    return read_model(path)


def motion(model: FeModel, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 3) displacements and (k, 3) rotations that the constraints allow, otherwise at random."""
    dofs = assemble(model).dofs
    u = dofs.transformation @ np.random.default_rng(seed).standard_normal(dofs.n_dofs)
    n = 3 * dofs.n_nodes
    return u[:n].reshape(-1, 3), u[n:].reshape(-1, 3)


def radial(model: FeModel, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, 3) unit vectors away from the z axis and round it."""
    away = model.nodes[rows] * [1.0, 1.0, 0.0]
    away = away / np.linalg.norm(away, axis=1)[:, None]
    return away, np.cross([0.0, 0.0, 1.0], away)


def test_equations_in_cylindrical_directions(tmp_path: Path) -> None:
    # Two first terms at node 13 (one at 45 degrees would have no larger component), one in a common direction.
    cards = (
        "*TRANSFORM, NSET=XMAX, TYPE=C\n0.,0.,0.,0.,0.,1.\n"
        "*EQUATION\n2\n13,1,1.,1,1,-2.\n3\n13,2,1.,14,2,-1.,2,3,.5\n2\n3,1,1.,4,2,1.\n"
    )
    model = read(tmp_path / "turned.inp", cards)
    assert model.unread == () and model.node_ids[model.node_sets["XMAX"]].tolist() == [13, 14, 15, 16, 17, 18]
    u, _ = motion(model)
    at = {int(n): row for row, n in enumerate(model.node_ids)}
    (away, _), (_, around) = radial(model, np.array([at[13]])), radial(model, np.array([at[13], at[14]]))
    assert u[at[13]] @ away[0] == pytest.approx(2.0 * u[at[1], 0])
    assert u[at[13]] @ around[0] == pytest.approx(u[at[14]] @ around[1] - 0.5 * u[at[2], 2])
    assert u[at[3], 0] == pytest.approx(-u[at[4], 1])


@pytest.mark.parametrize("between", ["", "*EQUATION\n"])
def test_equations_of_rectangular_directions_at_45_degrees_have_pivots_of_their_own(
    tmp_path: Path, between: str
) -> None:
    # Also those of two cards, each of which alone would take the same component.
    cards = (
        "*TRANSFORM, NSET=XMAX\n1.,1.,0.,-1.,1.,0.\n"
        f"*EQUATION\n2\nXMAX,1,1.,1,1,-1.\n{between}2\nXMAX,2,1.,1,2,-1.\n"
    )
    model = read(tmp_path / "both.inp", cards)
    u, _ = motion(model)
    own = u[model.node_sets["XMAX"]]
    np.testing.assert_allclose((own[:, 0] + own[:, 1]) / np.sqrt(2), u[0, 0], atol=1e-12)
    np.testing.assert_allclose((own[:, 1] - own[:, 0]) / np.sqrt(2), u[0, 1], atol=1e-12)


@pytest.mark.parametrize("card", ["coupling", "kinematic coupling"])
def test_a_coupling_holds_the_radial_direction_alone(tmp_path: Path, card: str) -> None:
    orientation = "*ORIENTATION, NAME=Round, SYSTEM=CYLINDRICAL\n0.,0.,-1.,0.,0.,5.\n"
    if card == "coupling":
        cards = (
            "*SURFACE, NAME=S, TYPE=NODE\nXMAX,\n"
            "*COUPLING, CONSTRAINT NAME=PIN, REF NODE=901, SURFACE=S, ORIENTATION=ROUND\n*KINEMATIC\n1,1\n3,3\n"
        )
    else:
        cards = "*KINEMATIC COUPLING, REF NODE=901, ORIENTATION=Round\nXMAX,1,1\n"
    model = read(tmp_path / "pin.inp", cards + orientation)
    (coupling,) = model.couplings
    assert model.unread == () and coupling.directions is not None
    u, theta = motion(model)
    rows, reference = model.node_sets["XMAX"], coupling.reference
    away, around = radial(model, rows)
    np.testing.assert_allclose(coupling.directions[:, 0], away, atol=1e-12)
    np.testing.assert_allclose(coupling.directions[:, 1], around, atol=1e-12)
    rigid = u[reference] + np.cross(theta[0], model.nodes[rows] - model.nodes[reference])
    slip = u[rows] - rigid
    np.testing.assert_allclose(np.einsum("ij,ij->i", slip, away), 0.0, atol=1e-12)
    assert abs(np.einsum("ij,ij->i", slip, around)).min() > 1e-3
    assert (abs(slip[:, 2]).max() < 1e-12) == (card == "coupling")
    left_out = write_model(model, tmp_path / "again.inp")
    assert any("directions of their own" in sentence for sentence in left_out)


def test_directions_do_not_matter_where_all_are_coupled(tmp_path: Path) -> None:
    cards = (
        "*ORIENTATION, NAME=O\n0.,1.,0.,0.,0.,1.\n3,30.\n*SURFACE, NAME=S, TYPE=NODE\nXMAX,\n"
        "*COUPLING, CONSTRAINT NAME=A, REF NODE=901, SURFACE=S, ORIENTATION=O\n*KINEMATIC\n1,3\n"
        "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL, ORIENTATION=O\n"
    )
    model = read(tmp_path / "all.inp", cards)
    assert model.couplings[0].directions is None
    assert [text for _, text in model.unread if "ORIENTATION" in text] == []


@pytest.mark.parametrize(("turn", "turned"), [(",30.", True), ("1,30.", True), (",", False), ("3,", False)])
def test_directions_turn_about_their_first_axis_unless_another_is_named(
    tmp_path: Path, turn: str, turned: bool
) -> None:
    cards = (
        f"*SURFACE, NAME=S, TYPE=NODE\nXMAX,\n*ORIENTATION, NAME=O\n0.,1.,0.,0.,0.,1.\n{turn}\n"
        "*COUPLING, CONSTRAINT NAME=A, REF NODE=901, SURFACE=S, ORIENTATION=O\n*KINEMATIC\n2\n"
    )
    (coupling,) = read(tmp_path / "turned.inp", cards).couplings
    angle = np.radians(30.0 if turned else 0.0)
    np.testing.assert_allclose(coupling.directions[0, 0], [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(coupling.directions[0, 1], [np.sin(angle), 0.0, np.cos(angle)], atol=1e-12)


def test_a_system_that_is_not_taken_over_is_listed(tmp_path: Path) -> None:
    cards = (
        "*SURFACE, NAME=S, TYPE=NODE\nXMAX,\n*ORIENTATION, NAME=O, SYSTEM=USER\n"
        "*COUPLING, CONSTRAINT NAME=A, REF NODE=901, SURFACE=S, ORIENTATION=O\n*KINEMATIC\n1\n"
    )
    model = read(tmp_path / "other.inp", cards)
    assert [text.split(" of ")[0] for _, text in model.unread] == ["ORIENTATION=O"]


def test_directions_turn_by_an_angle_and_with_their_instance(tmp_path: Path) -> None:
    plain = plate("")
    cards = (
        "*SURFACE, NAME=S, TYPE=NODE\nXMAX,\n*ORIENTATION, NAME=O\n0.,1.,0.,-1.,0.,0.\n3, -30.\n"
        "*COUPLING, CONSTRAINT NAME=A, REF NODE=901, SURFACE=S, ORIENTATION=O\n*KINEMATIC\n1\n"
    )
    mesh, material = plain.split("*MATERIAL")
    path = tmp_path / "parts.inp"
    path.write_text(
        f"*PART, NAME=P\n{mesh}{TIP}{cards}*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n5.,0.,0.\n"
        f"5.,0.,0.,5.,0.,1.,90.\n*END INSTANCE\n*END ASSEMBLY\n*MATERIAL{material.removesuffix(TIP)}"
    )
    (coupling,) = read_model(path).couplings
    assert coupling.directions is not None
    # The first direction is y, turned back to 60 degrees; the instance turns it on to 150.
    angle = np.radians(150.0)
    np.testing.assert_allclose(coupling.directions[0, 0], [np.cos(angle), np.sin(angle), 0.0], atol=1e-12)


def test_spherical_directions(tmp_path: Path) -> None:
    cards = "*TRANSFORM, NSET=XMAX, TYPE=S\n0.,0.,0.,0.,0.,1.\n*EQUATION\n2\n14,1,1.,1,1,-1.\n"
    model = read(tmp_path / "sphere.inp", cards)
    u, _ = motion(model)
    row = model.node_row(14)
    outward = model.nodes[row] / np.linalg.norm(model.nodes[row])
    assert u[row] @ outward == pytest.approx(u[0, 0])


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("*TRANSFORM, NSET=XMAX, TYPE=T\n1.,0.,0.,0.,1.,0.\n", "found the system T, expected R, C or S"),
        ("*TRANSFORM, NSET=XMAX\n1.,0.,0.,2.,0.,0.\n", "do not span directions"),
        ("*TRANSFORM, NSET=XMAX\n", "coordinates of two points"),
        ("*TRANSFORM, NSET=NONE\n1.,0.,0.,0.,1.,0.\n", "no node set NONE"),
        (
            "*KINEMATIC COUPLING, REF NODE=901, ORIENTATION=O\nXMAX,1\n",
            "no orientation O. Known are: none",
        ),
        (
            "*TRANSFORM, NSET=XMAX\n1.,1.,0.,-1.,1.,0.\n*EQUATION\n2\n13,1,1.,1,1,-1.\n2\n13,2,1.,13,1,2.\n"
            "3\n13,3,1.,13,1,1.,13,2,.5\n*EQUATION\n4\n13,1,1.,13,1,-1.,13,2,0.,1,1,1.\n",
            "contradict each other",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_sentences(tmp_path: Path, cards: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read(tmp_path / "wrong.inp", cards)
