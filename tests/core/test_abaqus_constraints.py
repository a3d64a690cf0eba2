"""Ties, equations and contact of Abaqus and CalculiX decks."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError, ReadError
from faying.fem.assembly import assemble
from faying.fem.connectivity import connected_parts
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.ties import TiedSurfaces, with_ties
from faying.fem.writers import write_model
from faying.project.first_guess import with_guesses
from faying.project.specs import BodySpec, ModelSpec
from support.boxes import box

MATERIAL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000.,.3\n*DENSITY\n7.85E-9\n"


def mesh(model: FeModel, first: int, name: str, shift: np.ndarray) -> str:
    """Return a box as cards, its numbers beginning behind `first`."""
    text = "*NODE\n"
    text += "".join(
        f"{n + first},{x:.9g},{y:.9g},{z:.9g}\n"
        for n, (x, y, z) in zip(model.node_ids, model.nodes + shift, strict=True)
    )
    block = model.blocks[0]
    text += f"*ELEMENT, TYPE={block.label}, ELSET={name}\n"
    for number, row in zip(block.ids, model.node_ids[block.connectivity] + first, strict=True):
        text += f"{number + first},{','.join(map(str, row))}\n"
    text += f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL\n"
    for side in ("ZMIN", "ZMAX"):
        rows = model.node_sets[side]
        text += f"*NSET, NSET={name}_{side}\n" + "".join(f"{n + first}\n" for n in model.node_ids[rows])
        elements = [
            (n, f) for n, row in zip(block.ids, block.connectivity, strict=True)
            for f, corners in enumerate(((0, 1, 2, 3), (4, 5, 6, 7)), 1) if np.isin(row[list(corners)], rows).all()
        ]  # fmt: skip
        text += f"*SURFACE, NAME={name}_{side}\n" + "".join(f"{n + first},S{f}\n" for n, f in elements)
    return text


def two_boxes(tie: str, gap: float = 0.0) -> str:
    """Return a coarse box under a finer one; their meshes do not match."""
    lower, upper = (
        box("hex8_incompatible", (2, 2, 1), (2.0, 2.0, 1.0)),
        box("hex8_incompatible", (3, 3, 1), (2.0, 2.0, 1.0)),
    )
    return (
        mesh(lower, 0, "LOW", np.zeros(3))
        + mesh(upper, 1000, "UP", np.array([0, 0, 1.0 + gap]))
        + MATERIAL
        + tie
    )


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("adjust", ["", ", ADJUST=NO"])
def test_tied_boxes_move_as_one(tmp_path: Path, adjust: str) -> None:
    tie = f"*TIE, NAME=Glue, POSITION TOLERANCE=0.05{adjust}\nup_zmin, LOW_ZMAX\n"
    model = read_model(written(tmp_path / "tied.inp", two_boxes(tie, 0.01)))
    assert model.unread == () and connected_parts(model)[1] == 1
    slave = model.nodes[model.node_sets["UP_ZMIN"], 2]
    np.testing.assert_allclose(slave, 1.01 if adjust else 1.0, atol=1e-12)
    (tied,) = model.equations
    assert tied.name == "TIE GLUE" and len(tied.starts) - 1 == 3 * 16
    matrices = assemble(model)
    if not adjust:
        # Any linear field of displacements passes the tie, so rigid motions and uniform strain do.
        linear = model.nodes @ np.random.default_rng(4).standard_normal((3, 3))
        free = linear.ravel()[matrices.dofs.own_rows]
        np.testing.assert_allclose(matrices.dofs.transformation @ free, linear.ravel(), atol=1e-12)
        # And the tied boxes know no other motion without energy than the six rigid ones.
        values = np.linalg.eigvalsh(matrices.stiffness.toarray())
        assert (np.abs(values) < 1e-9 * values[-1]).sum() == 6
    assert matrices.mass.sum() / 3 == pytest.approx(8.0 * 7.85e-9, rel=0.01)


def test_nodes_too_far_from_the_master_are_told(tmp_path: Path) -> None:
    model = read_model(written(tmp_path / "far.inp", two_boxes("*TIE\nUP_ZMIN,LOW_ZMAX\n", 0.2)))
    assert "16 of 16 nodes of UP_ZMIN are farther than 0.05 from LOW_ZMAX" in model.unread[0][1]
    assert connected_parts(model)[1] == 2


def test_equations_of_nodes_and_of_sets(tmp_path: Path) -> None:
    text = two_boxes(
        "*EQUATION\n2\n1001,1,1.,1002,1,-2.\n** a comment\n3\nUP_ZMAX,3,1.,LOW_ZMAX,3,-0.5\n1,3,-.5\n"
        "*NSET, NSET=X\n1\n"
    ).replace("LOW_ZMAX,3", "2,3")
    model = read_model(written(tmp_path / "equations.inp", text))
    (found,) = model.equations
    assert np.diff(found.starts).tolist() == [2] + [3] * 16
    matrices = assemble(model)
    x = np.random.default_rng(2).standard_normal(matrices.dofs.n_dofs)
    u = (matrices.dofs.transformation @ x)[: 3 * len(model.nodes)].reshape(-1, 3)
    at = {int(n): row for row, n in enumerate(model.node_ids)}
    assert u[at[1001], 0] == pytest.approx(2.0 * u[at[1002], 0])
    np.testing.assert_allclose(
        u[model.node_sets["UP_ZMAX"], 2], 0.5 * (u[at[2], 2] + u[at[1], 2]), atol=1e-12
    )


def test_chains_of_equations_are_followed_and_circles_refused(tmp_path: Path) -> None:
    chain = "*EQUATION\n2\n1,1,1.,2,1,-1.\n2\n2,1,1.,3,1,-1.\n2\n3,1,1.,4,1,-1.\n"
    model = read_model(written(tmp_path / "chain.inp", two_boxes(chain)))
    matrices = assemble(model)
    u = matrices.dofs.transformation @ np.random.default_rng(2).standard_normal(matrices.dofs.n_dofs)
    assert u[0] == pytest.approx(u[9]) and u[3] == pytest.approx(u[9])
    circle = read_model(written(tmp_path / "circle.inp", two_boxes(chain + "2\n4,1,1.,1,1,-1.\n")))
    with pytest.raises(ModelError, match="follow each other in a circle"):
        assemble(circle)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*EQUATION\n3\n1,1,1.,2,1,-1.\n", "expected 3 terms"),
        ("*EQUATION\n2\n1,1,0.,2,1,-1.\n", "the first coefficient is zero"),
        ("*EQUATION\n2\n1,1,1.,2,1,-1.\n2\n1,1,1.,3,1,-1.\n", "its first term is that of line"),
        ("*TIE\nUP_ZMIN\n", "expected slave surface, master surface"),
        ("*TIE\nUP_ZMIN,NOWHERE\n", "no surface NOWHERE"),
        ("*CONTACT PAIR, INTERACTION=DRY\nUP_ZMIN,LOW_ZMAX\n", "no surface interaction DRY"),
        ("*FRICTION\n0.1\n", "stands outside of a surface interaction"),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read_model(written(tmp_path / "wrong.inp", two_boxes(text)))


def test_contact_pairs_become_proposals(tmp_path: Path) -> None:
    text = two_boxes(
        "*SURFACE INTERACTION, NAME=Dry\n1.,\n*FRICTION, SLIP TOLERANCE=0.005\n0.15,\n"
        "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n5.E4\n"
        "*CONTACT PAIR, INTERACTION=dry, TYPE=SURFACE TO SURFACE\nUP_ZMIN, low_zmax\n"
    )
    model = read_model(written(tmp_path / "contact.inp", text))
    (contact,) = model.contacts
    assert vars(contact) == {
        "name": "up_zmin low_zmax", "slave": "UP_ZMIN", "master": "LOW_ZMAX", "friction_coefficient": 0.15,
        "stiffness": 5e4, "tied": False, "adjustment": None, "sticking_stiffness": 0.0,
    }  # fmt: skip
    assert [text for _, text in model.unread] == ["SLIPTOLERANCE=0.005 of *FRICTION, SLIP TOLERANCE=0.005"]


@pytest.mark.parametrize(
    ("lines", "sticking", "unread"),
    [
        ("0.15, 20000.", 20000.0, []),  # CalculiX: coefficient, stick slope
        (
            "0.15, 0., 10.\n0.12, 5., 10.",
            0.0,
            ["*FRICTION: a table, of which the first line is read"],
        ),  # Abaqus: slip rates
        ("0.15", 0.0, []),
    ],
)
def test_the_stick_slope_of_calculix_is_taken_over_and_written_again(
    tmp_path: Path, lines: str, sticking: float, unread: list[str]
) -> None:
    text = two_boxes(
        f"*SURFACE INTERACTION, NAME=Dry\n*FRICTION\n{lines}\n*CONTACT PAIR, INTERACTION=dry\nUP_ZMIN, LOW_ZMAX\n"
    )
    model = read_model(written(tmp_path / "contact.inp", text))
    assert [(c.friction_coefficient, c.sticking_stiffness) for c in model.contacts] == [(0.15, sticking)]
    assert [text for _, text in model.unread] == unread
    write_model(model, tmp_path / "again.inp")
    assert read_model(tmp_path / "again.inp").contacts[0].sticking_stiffness == sticking


def test_displacements_of_a_rotation_node_are_rotations_of_the_reference_node(tmp_path: Path) -> None:
    """Two rigid faces that equations join in displacement and rotation are one rigid face."""
    nodes = "*NODE\n9001,1.,1.,1.\n9002,5.,5.,5.\n9003,1.,1.,1.\n9004,7.,7.,7.\n"
    joined = "".join(
        f"*EQUATION\n2\n{a},{d},1.,{b},{d},-1.\n" for a, b in ((9001, 9003), (9002, 9004)) for d in (1, 2, 3)
    )
    two = nodes + "*RIGID BODY, NSET=LOW_ZMAX, REF NODE=9001, ROT NODE=9002\n"
    two += "*RIGID BODY, NSET=UP_ZMIN, REF NODE=9003, ROT NODE=9004\n" + joined
    one = nodes + "*NSET, NSET=BOTH\nLOW_ZMAX, UP_ZMIN\n*RIGID BODY, NSET=BOTH, REF NODE=9001\n"
    values = []
    for name, cards in (("two", two), ("one", one)):
        model = read_model(written(tmp_path / f"{name}.inp", two_boxes(cards)))
        assert not model.unread
        matrices = assemble(model)
        values.append(np.linalg.eigvalsh(matrices.stiffness.toarray()))
    assert len(values[0]) == len(values[1])
    np.testing.assert_allclose(values[0], values[1], atol=1e-9 * values[1][-1])
    assert (values[0] < 1e-9 * values[0][-1]).sum() == 6


def test_a_rotation_node_is_one_node(tmp_path: Path) -> None:
    cards = "*NODE\n9001,1.,1.,1.\n*RIGID BODY, NSET=LOW_ZMAX, REF NODE=9001, ROT NODE=UP_ZMIN\n"
    with pytest.raises(ReadError, match="ROT NODE=UP_ZMIN means 16 nodes"):
        read_model(written(tmp_path / "rot.inp", two_boxes(cards)))


def test_equations_of_temperatures_are_told_and_stop_no_mechanical_deck(tmp_path: Path) -> None:
    cards = "*EQUATION\n2\n1,11,1.,2,11,-1.\n2\n1,1,1.,2,1,-1.\n"
    model = read_model(written(tmp_path / "hot.inp", two_boxes(cards)))
    assert [len(each.starts) - 1 for each in model.equations] == [1]
    assert [text for _, text in model.unread] == ["components 11 of *EQUATION: they move no node"]
    with pytest.raises(ReadError, match="found 11, expected a component 1 to 6"):
        read_model(written(tmp_path / "mixed.inp", two_boxes("*EQUATION\n2\n1,1,1.,2,11,-1.\n")))


@pytest.mark.parametrize(
    ("behaviour", "pair"),
    [
        ("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TIED\n1.E7\n*FRICTION\n0.3, 1.E7\n", ""),  # CalculiX
        ("", ", TIED, ADJUST=0.05"),  # Abaqus
    ],
)
def test_tied_contact_is_a_tie_that_holds_in_tension(tmp_path: Path, behaviour: str, pair: str) -> None:
    text = two_boxes(
        f"*SURFACE INTERACTION, NAME=WELD\n{behaviour}*CONTACT PAIR, INTERACTION=WELD{pair}\nUP_ZMIN, LOW_ZMAX\n"
    )
    model = read_model(written(tmp_path / "weld.inp", text))
    assert model.contacts[0].tied and not model.unread
    (joint,) = with_guesses(BodySpec(name="two", model=ModelSpec(path="weld.inp")), model).joints
    assert joint.treatment == "tied"
    asked = TiedSurfaces(joint.name, joint.master, joint.slave, joint.tie)
    matrices = assemble(with_ties(model, [asked]))
    assert matrices.dofs.n_dofs == 3 * (len(model.nodes) - len(model.node_sets["UP_ZMIN"]))
    # A uniform strain in tension passes through the weld as through one column.
    stretched = np.zeros((len(model.nodes), 3))
    stretched[:, 2] = 1e-3 * model.nodes[:, 2]
    dofs = np.where(matrices.dofs.own_rows < 0, 0.0, stretched.ravel()[matrices.dofs.own_rows])
    whole = matrices.dofs.transformation @ dofs
    np.testing.assert_allclose(whole[2 : 3 * len(model.nodes) : 3], stretched[:, 2], atol=1e-12)


def test_adjust_moves_gaps_and_penetrations_as_far_as_it_says(tmp_path: Path) -> None:
    def search(adjust: str, more: str = "") -> tuple[float, float, list[str]]:
        text = two_boxes(
            f"{more}*SURFACE INTERACTION, NAME=DRY\n*CONTACT PAIR, INTERACTION=DRY{adjust}\nUP_ZMIN, LOW_ZMAX\n"
        )
        model = read_model(written(tmp_path / "adjust.inp", text))
        (joint,) = with_guesses(BodySpec(name="two", model=ModelSpec(path="adjust.inp")), model).joints
        assert joint.treatment == "contact"
        found = joint.search
        return found.close_gaps_below, found.remove_penetration_below, [text for _, text in model.unread]

    assert search("") == (0.0, 0.0, [])
    gap, penetration, unread = search(", ADJUST=0.02")
    assert gap == 0.02 and penetration > 1.0 and not unread
    gap, penetration, unread = search(", ADJUST=0.")
    assert gap == 0.0 and penetration > 1.0 and not unread
    # A set of all nodes of the slave surface: whatever their gap; of some nodes alone it is told.
    gap, penetration, unread = search(", ADJUST=UP_ZMIN")
    assert gap > 1.0 and penetration > 1.0 and not unread
    gap, penetration, unread = search(", ADJUST=SOME", "*NSET, NSET=SOME\n1,\n")
    assert (gap, penetration) == (0.0, 0.0) and unread[0].startswith("ADJUST=SOME of *CONTACT PAIR")


def test_what_belongs_elsewhere_is_told_with_its_reason(tmp_path: Path) -> None:
    cards = "*BOUNDARY\n1,1,3\n*PRE-TENSION SECTION, SURFACE=LOW_ZMAX, NODE=1\n"
    cards += "*TRANSFORM, NSET=LOW_ZMAX\n1.,0.,0.,0.,1.,0.\n"
    said = [text for _, text in read_model(written(tmp_path / "more.inp", two_boxes(cards))).unread]
    (text,) = said
    assert "*PRE-TENSION SECTION" in text and "no element behind them" in text


def test_a_pre_tension_section_is_a_cut_bolt(tmp_path: Path) -> None:
    column = box("hex8_incompatible", (2, 2, 4), (1.0, 1.0, 4.0))
    layer = [
        int(n)
        for n in column.element_ids
        if column.nodes[column.blocks[0].connectivity[n - 1], 2].max() == 2.0
    ]
    text = mesh(column, 0, "BOLT", np.zeros(3)) + MATERIAL
    text += "*SURFACE, NAME=Cut\n" + "".join(f"{n}, S2\n" for n in layer)
    section = "*NODE, NSET=PRE\n9001,0.,0.,0.\n*PRE-TENSION SECTION, SURFACE=Cut, NODE={}\n0.,0.,-1.\n"
    load = "*STEP\n*STATIC\n*CLOAD\nBOLT_ZMAX, 3, 7.\n9001, 1, 500.\n*END STEP\n"
    model = read_model(written(tmp_path / "bolt.inp", text + section.format(9001) + load))
    (bolt,) = model.bolts
    assert (bolt.name, bolt.force, bolt.axis.tolist()) == ("CUT", 500.0, [0.0, 0.0, 1.0])
    assert connected_parts(model, couplings=False)[1] == 1  # cut, it still counts as one part
    assert [model.node_sets[f"CUT {i}"].tolist() for i in (1, 2)] == [[c] for c in bolt.centres]
    np.testing.assert_allclose(model.nodes[list(bolt.centres)], [[0.5, 0.5, 2.0]] * 2)
    # The first side is that of the section's elements.
    assert model.nodes[model.blocks[0].connectivity[layer[0] - 1]].max() <= 2.0
    assert model.couplings[0].nodes.max() < 9 * 5
    assert any("nothing is held" in text for _, text in model.unread)  # so that the step is no analysis
    values = np.linalg.eigvalsh(assemble(model).stiffness.toarray())
    assert (np.abs(values) < 1e-9 * values[-1]).sum() > 6  # the open cut, and the centre's rotations
    without = read_model(written(tmp_path / "by_set.inp", text + section.format("PRE")))
    assert without.bolts[0].force == 0.0
    half = "*SURFACE, NAME=HALF\n" + f"{layer[0]}, S2\n" + section.format(9001).replace("Cut", "HALF")
    whole = read_model(written(tmp_path / "half.inp", text + half))
    assert whole.bolts == () and connected_parts(whole, couplings=False)[1] == 1
    assert any("does not cut all the way through" in text for _, text in whole.unread)


def test_what_a_deck_holds_before_and_in_a_step(tmp_path: Path) -> None:
    cards = "*BOUNDARY\nLOW_ZMIN, 1, 2\nUP_ZMAX, 3\n1, 1, 3\n*BOUNDARY\nlow_zmin, 3, 3, 0.\n"
    cards += "*STEP\n*STATIC\n*BOUNDARY\nUP_ZMIN, ENCASTRE\nLOW_ZMAX, 1, 3, 0.5\n*END STEP\n"
    model = read_model(written(tmp_path / "held.inp", two_boxes(cards)))
    support, sets = model.deck_support, model.node_sets
    assert support is not None and support.displaced_nodes == ("displaced 1", "displaced 2", "displaced 3")
    keys = list(zip(support.nodes.tolist(), support.components.tolist(), strict=True))
    rests = {key for key, k in zip(keys, support.displaced, strict=True) if k < 0}
    moves = {key for key, k in zip(keys, support.displaced, strict=True) if k >= 0}
    lifted = set(sets["LOW_ZMAX"].tolist())
    assert {node for node, _ in moves} == lifted
    assert {(node, k) for node in sets["LOW_ZMIN"] for k in (1, 2, 3)} <= rests
    assert {(node, k) for node in sets["UP_ZMIN"] for k in range(1, 7)} <= rests
    assert {(node, 3) for node in sets["UP_ZMAX"]} <= rests
    (case,) = model.deck_cases
    given = {(name, k): value for name, k, value in case.displacements if k <= 3}
    assert given == {(f"displaced {k}", k): 0.5 for k in (1, 2, 3)}
