"""Rods, springs, bushings, dampers and equations inside a body, against closed forms."""

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ReadError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.connectivity import connected_parts
from faying.fem.left_out import left_out
from faying.fem.mass_properties import mass_properties
from faying.fem.readers import read_model
from faying.fem.supports import with_supports
from faying.project.first_guess import with_guesses
from faying.project.specs import BodySpec, ModelSpec
from faying.session import read

E, NU, RHO = 210000.0, 0.3, 7.85e-9
G = E / (2.0 * (1.0 + NU))
AREA = 1000.0 * 500**0.5 / E  # of a rod with a stiffness of 1000 between corners √500 apart
# Two cubes of side 10, 20 apart along x, as numbers and places of their corners.
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
POINTS = {1 + i: (10.0 * x, 10.0 * y, 10.0 * z) for i, (x, y, z) in enumerate(CORNERS)} | {
    11 + i: (30.0 + 10.0 * x, 10.0 * y, 10.0 * z) for i, (x, y, z) in enumerate(CORNERS)
}


def abaqus(folder, cards, points=""):
    text = "*NODE\n" + "".join(f"{n}, {x}, {y}, {z}\n" for n, (x, y, z) in POINTS.items()) + points
    for number, first in ((1, 1), (2, 11)):
        text += f"*ELEMENT, TYPE=C3D8I, ELSET=BODY\n{number}, {', '.join(str(first + i) for i in range(8))}\n"
    text += f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{E}, {NU}\n*DENSITY\n{RHO}\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n"
    (folder / "deck.inp").write_text(text + cards)
    return read_model(folder / "deck.inp")


def nastran(folder, cards, case=""):
    text = case + "BEGIN BULK\n" + "".join(f"GRID,{n},,{x},{y},{z}\n" for n, (x, y, z) in POINTS.items())
    for number, first in ((1, 1), (2, 11)):
        nodes = [str(first + i) for i in range(8)]
        text += f"CHEXA,{number},3,{','.join(nodes[:6])},+\n+,{','.join(nodes[6:])}\n"
    text += f"PSOLID,3,7\nMAT1,7,{E},,{NU},7.85-9\n"
    (folder / "deck.bdf").write_text(text + cards + "ENDDATA\n")
    return read_model(folder / "deck.bdf")


def strain_energy(model, motions):
    """Return the energy when nodes move (by number: three displacements, or six), all others not at all."""
    matrices = assemble(model)
    full = np.zeros(matrices.dofs.transformation.shape[0])
    for number, motion in motions.items():
        rows = matrices.dofs.node_rows(model.node_row(number))
        full[rows[: len(motion)]] = motion[: len(rows)]
    rows = matrices.dofs.own_rows
    x = np.where(rows < 0, 0.0, full[rows])
    return 0.5 * x @ (matrices.stiffness @ x)


def apart(model, shift):
    """Return the energy when the second cube moves by a rigid shift."""
    return strain_energy(model, {11 + i: shift for i in range(8)})


def is_free(model):
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs, model.nodes.mean(axis=0))
    return np.abs(matrices.stiffness @ rigid).max() < 1e-9 * abs(matrices.stiffness).max()


@pytest.mark.parametrize(
    ("reader", "cards"),
    [
        (abaqus, "*ELEMENT, TYPE=SPRINGA, ELSET=S\n50, 2, 14\n*SPRING, ELSET=S\n\n1000.\n"),
        (abaqus, f"*ELEMENT, TYPE=T3D2, ELSET=S\n50, 2, 14\n*SOLID SECTION, ELSET=S, MATERIAL=STEEL\n{AREA}\n"),
        (nastran, f"CONROD,50,2,14,7,{AREA:.7f}\n"),
        (nastran, f"CROD,50,4,2,14\nPROD,4,7,{AREA:.7f}\n"),
        # A CBUSH along its line, the springs across it without stiffness.
        (nastran, "CBUSH,50,4,2,14,0.,0.,1.\nPBUSH,4,K,1000.\n"),
    ],
)  # fmt: skip
def test_what_lies_between_two_nodes_stretches(tmp_path, reader, cards):
    model = reader(tmp_path, cards)
    assert not left_out(model) and len(model.springs) == 1
    assert connected_parts(model)[1] == 1
    # From (10, 0, 0) to (30, 10, 0): k/2 (n · u)².
    along = np.array([20.0, 10.0, 0.0]) / 500**0.5
    for shift in ([0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.02, -0.04, 0.5], [0.0, 0.0, 1.0]):
        expected = 500.0 * (along @ shift) ** 2
        assert apart(model, shift) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert is_free(model)


def test_a_rod_weighs_half_at_either_end_and_twists(tmp_path):
    plain = nastran(tmp_path, "")
    rod = nastran(tmp_path, "PARAM,WTMASS,2.\nCONROD,50,2,12,7,3.,5.,0.,1.-9\n")
    length = 30.0
    added = mass_properties(rod).mass - 2.0 * mass_properties(plain).mass
    assert added == pytest.approx(2.0 * (RHO * 3.0 + 1e-9) * length, rel=1e-9)
    assert rod.springs[0].stiffness[3, 3] == pytest.approx(G * 5.0 / length)


@pytest.mark.parametrize(
    ("reader", "cards", "component"),
    [
        (abaqus, "*ELEMENT, TYPE=SPRING2, ELSET=S\n50, 2, 11\n*SPRING, ELSET=S\n1, 1\n1000.\n", 0),
        (nastran, "CELAS2,50,1000.,2,1,11,1\n", 0),
        (nastran, "CELAS1,50,4,2,1,11,1\nPELAS,3,1.,,,4,1000.\n", 0),
    ],
)  # fmt: skip
def test_springs_between_components(tmp_path, reader, cards, component):
    """From (10, 0, 0) to (30, 0, 0), along x: only that is strained, and no turn of both."""
    model = reader(tmp_path, cards)
    assert not left_out(model)
    for axis in range(3):
        shift = 0.1 * np.eye(3)[axis]
        assert apart(model, shift) == pytest.approx(5.0 if axis == component else 0.0, abs=1e-9)
    assert is_free(model)


@pytest.mark.parametrize(
    ("reader", "cards"),
    [
        (abaqus, "*ELEMENT, TYPE=SPRING2, ELSET=S\n50, 2, 11\n*SPRING, ELSET=S\n2, 2\n1000.\n"),
        (nastran, "CELAS2,50,1000.,2,2,11,2\n"),
    ],
)
def test_a_spring_that_would_resist_a_turn_of_the_body_is_left_out_loudly(tmp_path, reader, cards):
    model = reader(tmp_path, cards)
    assert not model.springs and is_free(model)
    assert "would resist a turn of the body" in left_out(model)[0][1]


@pytest.mark.parametrize(
    ("reader", "cards"),
    [
        (abaqus, "*ELEMENT, TYPE=SPRING1, ELSET=S\n50, 2\n*SPRING, ELSET=S\n3\n1000.\n"),
        (nastran, "CELAS2,50,1000.,2,3\n"),
        (nastran, "CELAS2,50,1000.,,,2,3\n"),
    ],
)
def test_a_spring_on_ground_stands_on_a_node_that_may_be_held(tmp_path, reader, cards):
    model = reader(tmp_path, cards)
    ground = int(model.node_ids.max())
    assert ground not in POINTS and model.node_sets[f"NODE {ground}"].tolist() == [len(POINTS)]
    assert is_free(model)
    assert strain_energy(model, {ground: [0.0, 0.0, 0.1]}) == pytest.approx(5.0)
    assert strain_energy(model, {ground: [0.1, 0.1, 0.0]}) == 0.0
    guessed = with_guesses(BodySpec(name="b", model=ModelSpec(path="b")), model)
    assert [each.node_set for each in guessed.interfaces] == [f"NODE {ground}"]


def test_a_bushing_acts_where_its_springs_are_and_turns_nothing_that_moves_as_one(tmp_path):
    # Between reference nodes of the cubes' faces, 20 apart; springs at a quarter, in a system turned about z.
    cards = (
        "GRID,61,,10.,5.,5.\nGRID,62,,30.,5.,5.\nRBE2,71,61,123456,2,3,6,7\nRBE2,72,62,123456,11,14,15,18\n"
    )
    cards += "CORD2R,9,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\nCBUSH,50,4,61,62,,,,9,+\n+,.25\n"
    cards += "PBUSH,4,K,1.,2.,3.,40.,50.,60.\n,,B,.1,.2,.3,4.,5.,6.\n"
    model = nastran(tmp_path, cards)
    assert not left_out(model)
    (bush,) = model.springs
    move = np.zeros(12)
    move[6:9] = [0.1, 0.2, 0.3]
    # The first axis is the global y, the second -x.
    assert 0.5 * move @ bush.stiffness @ move == pytest.approx(0.5 * (1.0 * 0.04 + 2.0 * 0.01 + 3.0 * 0.09))
    turn = np.zeros(12)
    turn[11] = 0.1  # of the second node about z, whose arm to the springs is -15 along x
    assert 0.5 * turn @ bush.stiffness @ turn == pytest.approx(0.5 * (60.0 * 0.01 + 1.0 * 1.5**2))
    np.testing.assert_allclose(bush.damping, 0.1 * bush.stiffness)
    assert is_free(model)
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    assert np.abs(matrices.damping @ rigid).max() < 1e-12


def test_dampers_damp_and_those_on_ground_are_left_out(tmp_path):
    cards = "*ELEMENT, TYPE=DASHPOTA, ELSET=D\n50, 2, 11\n*DASHPOT, ELSET=D\n\n0.5\n"
    model = abaqus(tmp_path, cards)
    matrices = assemble(model)
    v = np.zeros(matrices.dofs.transformation.shape[0])
    v[[3 * model.node_row(11 + i) for i in range(8)]] = 2.0
    v = np.where(matrices.dofs.own_rows < 0, 0.0, v[matrices.dofs.own_rows])
    assert v @ (matrices.damping @ v) == pytest.approx(0.5 * 4.0)
    ground = nastran(tmp_path, "CDAMP2,50,1.,2,1\n")
    assert not ground.springs and "a damper on ground" in left_out(ground)[0][1]
    assert assemble(ground).damping is None


def test_a_spring_between_held_and_pulled_bodies_has_its_closed_form(tmp_path):
    """Two stiff cubes with a spring between them, one held and one pulled: u = F / k, in the reduced body too."""
    cards = "*ELEMENT, TYPE=SPRINGA, ELSET=S\n" + "".join(
        f"{50 + i}, {a}, {b}\n" for i, (a, b) in enumerate([(2, 11), (3, 14), (6, 15), (7, 18)])
    )
    # Crossed ones hold it across.
    cards += "60, 2, 14\n61, 3, 11\n62, 6, 18\n63, 2, 15\n64, 6, 11\n65, 3, 18\n66, 7, 15\n67, 7, 14\n"
    cards += "*SPRING, ELSET=S\n\n10.\n*NSET, NSET=FOOT\n1, 4, 5, 8\n*NSET, NSET=TIP\n12, 13, 16, 17\n"
    abaqus(tmp_path, cards)
    (tmp_path / "s.toml").write_text(
        'name = "s"\nunits = "mm-t-s"\n[[bodies]]\nname = "b"\nmodel = { path = "deck.inp" }\n'
        'couplings = [{ name = "foot", surface = { kind = "deck_set", name = "FOOT" } }, '
        '{ name = "tip", surface = { kind = "deck_set", name = "TIP" } }]\n'
        'interfaces = [{ name = "foot", node_set = "foot" }, { name = "tip", node_set = "tip" }]\n'
        '[[analyses]]\nkind = "static"\nname = "pull"\nbody = "b"\nsupport = "foot"\n'
        'loads = [{ interface = "tip", force = [1.0, 0.0, 0.0] }]\n'
        '[[analyses]]\nkind = "unreduced_static"\nname = "whole"\nbody = "b"\nsupport = "foot"\n'
        'loads = [{ interface = "tip", force = [1.0, 0.0, 0.0] }]\n'
    )
    project = read(tmp_path / "s.toml")
    # Four along x, and eight across: k = 4 · 10 + 8 · 10 · 20² / (20² + 10²).
    stiffness = 40.0 + 80.0 * 400.0 / 500.0
    for name in ("pull", "whole"):
        assert project.solve(name).curve("tip ux")[-1] == pytest.approx(1.0 / stiffness, rel=2e-3)


def test_frequencies_are_those_of_calculix():
    """The lowest three of `springs_by_calculix.inp`: CalculiX 2.20 (calculix-ccx of Debian 12), independent code."""
    path = Path(__file__).parents[1] / "support" / "springs_by_calculix.inp"
    model = read_model(path)
    assert len(model.springs) == 10 and not left_out(model)
    matrices = assemble(model)
    held = np.concatenate([matrices.dofs.node_rows(row) for row in model.node_sets["FOOT"]])
    kept = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)  # the dofs are the displacements of all nodes
    K, M = (matrix.toarray()[np.ix_(kept, kept)] for matrix in (matrices.stiffness, matrices.mass))
    found = np.sqrt(la.eigh(K, M, eigvals_only=True)[:3]) / (2.0 * np.pi)
    np.testing.assert_allclose(found, [1515.741, 2146.688, 4575.284], rtol=3e-4)


def test_pinned_and_tied_nodes_move_alike(tmp_path):
    cards = "*NSET, NSET=A\n2, 3\n*NSET, NSET=B\n11, 14\n*MPC\nPIN, A, B\nTIE, 6, 15\n"
    model = abaqus(tmp_path, cards)
    assert not left_out(model) and connected_parts(model)[1] == 1
    matrices = assemble(model)
    u = matrices.dofs.transformation @ np.random.default_rng(3).standard_normal(matrices.dofs.n_dofs)
    for one, other in ((2, 11), (3, 14), (6, 15)):
        first, second = (3 * model.node_row(number) + np.arange(3) for number in (one, other))
        np.testing.assert_allclose(u[first], u[second])
    with pytest.raises(ReadError, match="found sets of 1 and 2 nodes"):
        abaqus(tmp_path, "*NSET, NSET=B\n11, 14\n*MPC\nPIN, 2, B\n")


@pytest.mark.parametrize("case", ["", "MPC = 9\n"])
def test_equations_of_nastran_are_those_of_the_only_or_chosen_set(tmp_path, case):
    cards = "MPC,8,2,1,1.,11,1,-1.\n" + "MPC,8,3,2,2.,14,2,1.,,+\n+,,15,2,-3.\n" + "MPCADD,9,8\n"
    model = nastran(tmp_path, cards, case)
    (equations,) = model.equations
    assert equations.starts.tolist() == [0, 2, 5]
    assert model.node_ids[equations.nodes].tolist() == [2, 11, 3, 14, 15]
    assert equations.coefficients.tolist() == [1.0, -1.0, 2.0, 1.0, -3.0]
    assert not left_out(model)
    matrices = assemble(model)
    u = matrices.dofs.transformation @ np.random.default_rng(4).standard_normal(matrices.dofs.n_dofs)
    at = {n: 3 * model.node_row(n) for n in (2, 3, 11, 14, 15)}
    assert u[at[2]] == pytest.approx(u[at[11]])
    assert 2.0 * u[at[3] + 1] + u[at[14] + 1] == pytest.approx(3.0 * u[at[15] + 1])


def test_equations_count_in_the_own_directions_of_grid_points(tmp_path):
    cards = "CORD2R,9,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\nGRID,61,,5.,5.,5.,9\nMPC,8,2,1,1.,61,1,-1.\n"
    cards += "RBE2,70,62,123456,61\nGRID,62,,5.,5.,5.\n"
    (equations,) = nastran(tmp_path, cards).equations
    # The first direction of system 9 is the global y.
    assert equations.components.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("CROD,50,4,2,14\n", "CROD 50 has the property 4, which is not there"),
        ("CONROD,50,2,14,9,1.\n", "CONROD 50 names the material 9, which has no MAT1 card"),
        ("CELAS1,50,4,2,1,11,1\n", "CELAS1 50 has the property 4, which is not there"),
        ("CELAS2,50,1.,2,1,99,1\n", "CELAS2 50 uses grid point 99, which does not exist"),
        ("MPC,8,2,7,1.,11,1,-1.\n", "found 7, expected a component 1 to 6"),
    ],
)
def test_mistakes_are_sentences(tmp_path, cards, words):
    with pytest.raises(ReadError, match=words):
        nastran(tmp_path, cards)


def test_of_several_sets_of_equations_none_is_taken(tmp_path):
    model = nastran(tmp_path, "MPC,8,2,1,1.,11,1,-1.\nMPC,9,3,1,1.,14,1,-1.\n")
    assert not model.equations and "MPC 8: 2 MPC cards" in left_out(model)[0][1]


def test_a_scalar_point_swings_on_its_grid_point(tmp_path):
    """A mass on a spring on a held cube, by scalar points, has the frequency of its spring."""
    cards = (
        "SPOINT,101,THRU,103\nCELAS2,50,400.,2,3,101,0\nCELAS4,51,800.,101,102\nCELAS3,52,4,102,103\nPELAS,4,200.\n"
        "CMASS4,60,2.,101\nCMASS3,61,5,0,102\nPMASS,5,3.\nCDAMP4,70,7.,101,102\nSPC1,1,0,103\n"
        "SPC1,1,123,1,THRU,8\nSPC1,1,123,11,THRU,18\n"
    )
    model = nastran(tmp_path, cards, case="SOL 103\nCEND\nSPC = 1\n")
    told = [text for _, text in left_out(model)]
    assert len(told) == 2 and len(model.springs) == 4
    assert all("counts in all directions, as part of grid point 2" in text for text in told)
    assert is_free(model) and sum(each.mass for each in model.point_masses) == 5.0
    held = with_supports(model, (), as_in_deck=True)
    matrices = assemble(held)
    own = matrices.dofs.own_rows.tolist()
    rows = [own.index(3 * held.node_row(number) + 2) for number in (101, 102)]
    stiffness, mass = (m.toarray()[np.ix_(rows, rows)] for m in (matrices.stiffness, matrices.mass))
    np.testing.assert_allclose(stiffness, [[1200.0, -800.0], [-800.0, 1000.0]])
    np.testing.assert_allclose(mass, np.diag([2.0, 3.0]))
    np.testing.assert_allclose(matrices.damping.toarray()[np.ix_(rows, rows)], [[7.0, -7.0], [-7.0, 7.0]])


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("SPOINT,101,102\nCELAS4,50,1.,101,102\n", "hang on no displacement of a grid point; left out"),
        (
            "SPOINT,101\nCELAS2,50,1.,2,3,101\nCELAS2,51,1.,2,1,101\n",
            "it joins scalar points that hang on different motions; left out",
        ),
        ("CMASS2,50,1.,2,1\n", "a mass in some directions of its grid point alone; left out"),
        ("CMASS2,50,1.,2,1,11,1\n", "a mass between two points; left out"),
    ],
)
def test_what_no_body_can_have_of_scalar_points_is_told(tmp_path, cards, words):
    assert any(words in text for _, text in left_out(nastran(tmp_path, cards)))


def test_masses_of_all_three_directions_are_a_mass(tmp_path):
    cards = "PARAM,WTMASS,2.\nPMASS,4,1.5,5,7.\nCMASS1,50,4,2,1\nCMASS1,51,4,2,2\n"
    cards += "CMASS2,52,1.5,0,,2,3\nCMASS1,53,5,2,5\n"
    (mass,) = nastran(tmp_path, cards).point_masses
    assert mass.mass == 3.0 and mass.inertia.tolist() == np.diag([0.0, 14.0, 0.0]).tolist()
