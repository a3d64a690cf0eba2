"""Meshes that Abaqus decks generate, and the parameters that they are written with."""

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.mirrored_elements import mirrored_order
from faying.fem.readers import read_model
from support.boxes import STEEL, box

MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85E-9\n"
SECTION = MATERIAL + "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
CUBE = "".join(
    f"{1 + i + 10 * j + 100 * k}, {i}., {j}., {k}.\n" for k in (0, 1) for j in (0, 1) for i in (0, 1)
)


def model_of(folder, text):
    (folder / "deck.inp").write_text(text)
    return read_model(folder / "deck.inp")


def points(model):
    return {int(n): x for n, x in zip(model.node_ids, model.nodes, strict=True)}


def test_a_block_of_lines_areas_and_layers_is_the_one_written_out(tmp_path):
    """Four corners; lines by NGEN, an area by NFILL, the upper layers by NCOPY, elements by ELGEN."""
    deck = (
        "*NODE\n1, 0., 0., 0.\n5, 8., 0., 0.\n31, 0., 6., 0.\n35, 8., 6., 0.\n"
        "*NGEN, NSET=FRONT\n1, 5\n*NGEN, NSET=BACK\n31, 35, 1\n"
        "*NFILL, NSET=FLOOR\nFRONT, BACK, 3, 10\n"
        "*NCOPY, OLD SET=FLOOR, NEW SET=ABOVE, CHANGE NUMBER=100, SHIFT, MULTIPLE=2\n0., 0., 2.5\n\n"
        "*ELEMENT, TYPE=C3D8I\n1, 1, 2, 12, 11, 101, 102, 112, 111\n"
        "*ELGEN, ELSET=E\n1, 4, 1, 1, 3, 10, 10, 2, 100, 100\n" + SECTION
    )
    model = model_of(tmp_path, deck)
    assert not model.unread
    assert len(model.nodes) == 5 * 4 * 3 and len(model.element_ids) == 4 * 3 * 2
    at = points(model)
    for k in range(3):
        for j in range(4):
            for i in range(5):
                np.testing.assert_allclose(at[1 + i + 10 * j + 100 * k], (2.0 * i, 2.0 * j, 2.5 * k))
    assert sorted(model.element_ids.tolist()) == sorted(
        1 + i + 10 * j + 100 * k for k in range(2) for j in range(3) for i in range(4)
    )
    assert {name: len(rows) for name, rows in model.node_sets.items()} == {
        "FRONT": 5, "BACK": 5, "FLOOR": 20, "ABOVE": 40,
    }  # fmt: skip
    assert mass_properties(model).mass == pytest.approx(8.0 * 6.0 * 5.0 * 7.85e-9, rel=1e-12)
    # The stiffness is that of the same block, built otherwise.
    other = box("hex8_incompatible", (4, 3, 2), (8.0, 6.0, 5.0), STEEL)
    energies = [np.sort(np.linalg.eigvalsh(assemble(each).stiffness.toarray())) for each in (model, other)]
    np.testing.assert_allclose(energies[0], energies[1], atol=1e-6 * energies[1][-1])


def test_generated_elements_without_a_section_have_that_of_their_master(tmp_path):
    deck = f"*NODE\n{CUBE}*NCOPY, OLD SET=ALL, CHANGE NUMBER=1000, SHIFT\n5.,\n"
    deck = deck.replace("*NODE\n", "*NODE, NSET=ALL\n", 1)
    deck += "*ELEMENT, TYPE=C3D8\n7, 1, 2, 12, 11, 101, 102, 112, 111\n*ELSET, ELSET=E\n7\n*ELGEN\n7, 2, 1000, 4\n"
    model = model_of(tmp_path, deck + SECTION)
    assert model.element_ids.tolist() == [7, 11] and model.element_sets["E"].tolist() == [0]
    assert [block.material for block in model.blocks] == ["M"]
    assert mass_properties(model).mass == pytest.approx(2.0 * 7.85e-9)
    assert [text for _, text in model.unread] == [
        "*ELGEN: 1 of its elements are in no set with a section; they have that of their master"
    ]


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("LINE=C\n1, 5, 1, , 0., 0., 0.\n", [(np.cos(a), np.sin(a), 0.0) for a in np.pi / 8 * np.arange(1, 4)]),
        ("LINE=C\n1, 5, 1, 9\n", [(np.cos(a), np.sin(a), 0.0) for a in np.pi / 8 * np.arange(1, 4)]),
        # The long way round, by the normal.
        (
            "LINE=C\n1, 5, 1, , 0., 0., 0., 0., 0., -1.\n",
            [(np.cos(a), np.sin(a), 0.0) for a in -3 * np.pi / 8 * np.arange(1, 4)],
        ),
        # x = (1 - t)(1 - 2t) a + 4t(1 - t) m + t(2t - 1) b with m = (1, 1): a parabola through it.
        ("LINE=P\n1, 5, 1, , 1., 1., 0.\n", [(1.125, 0.625, 0.0), (1.0, 1.0, 0.0), (0.625, 1.125, 0.0)]),
        (
            "LINE=C, SYSTEM=C\n1, 5, 1, , 0., 45., 0.\n",
            [(np.cos(a), np.sin(a), 0.0) for a in np.pi / 8 * np.arange(1, 4)],
        ),
    ],
)  # fmt: skip
def test_nodes_on_arcs_and_parabolas(tmp_path, card, expected):
    deck = "*NODE\n1, 1., 0., 0.\n5, 0., 1., 0.\n9, 0., 0., 0.\n*NGEN, " + card
    deck += f"*NODE\n{CUBE.replace('1, 0., 0., 0.', '51, 0., 0., 0.', 1)}"
    deck += "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 51, 2001, 12, 11, 101, 102, 112, 111\n" + SECTION
    at = points(model_of(tmp_path, deck.replace("\n2, 1., 0., 0.", "\n2001, 1., 0., 0.")))
    np.testing.assert_allclose([at[number] for number in (2, 3, 4)], expected, atol=1e-12)


def test_nodes_are_generated_where_a_system_puts_their_ends(tmp_path):
    deck = "*SYSTEM\n10., 0., 0., 10., 1., 0.\n*NODE\n1, 0., 0., 0.\n5, 4., 0., 0.\n*NGEN\n1, 5\n*NODE\n6, 5., 0., 0.\n"
    deck += f"*SYSTEM\n*NODE\n{CUBE.replace('1, 0', '51, 0', 1).replace('2, 1', '52, 1', 1)}"
    deck += "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 51, 52, 12, 11, 101, 102, 112, 111\n" + SECTION
    at = points(model_of(tmp_path, deck))
    np.testing.assert_allclose(
        [at[n] for n in (1, 2, 3, 5, 6)], [(10, y, 0) for y in (0, 1, 2, 4, 5)], atol=1e-12
    )


@pytest.mark.parametrize(
    ("how", "moved"),
    [
        ("SHIFT\n1., 2., 3.\n0., 0., 0., 0., 0., 1., 90.\n", lambda x: np.array([-x[1] - 2, x[0] + 1, x[2] + 3])),
        ("REFLECT=POINT\n1., 1., 1.\n", lambda x: 2.0 - x),
        ("REFLECT=LINE\n0., 0., 0., 0., 0., 1.\n", lambda x: np.array([-x[0], -x[1], x[2]])),
        ("REFLECT=MIRROR\n0., 5., 0., 1., 5., 0.\n0., 5., 1.\n", lambda x: np.array([x[0], 10.0 - x[1], x[2]])),
        ("POLE\n0., 0., 10.\n", lambda x: np.array([0.0, 0.0, 10.0]) + 2.0 * (x - [0.0, 0.0, 10.0])),
    ],
)  # fmt: skip
def test_copies_of_nodes(tmp_path, how, moved):
    deck = f"*NODE, NSET=ALL\n{CUBE}*NCOPY, OLD SET=ALL, CHANGE NUMBER=500, {how}"
    deck += "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 12, 11, 101, 102, 112, 111\n" + SECTION
    at = points(model_of(tmp_path, deck))
    for number in (1, 2, 11, 12, 101, 112):
        np.testing.assert_allclose(at[number + 500], moved(at[number]), atol=1e-12)


def test_a_mirrored_copy_has_a_volume(tmp_path):
    deck = f"*NODE, NSET=ALL\n{CUBE}*NCOPY, OLD SET=ALL, CHANGE NUMBER=500, REFLECT=MIRROR\n0,0,0, 0,1,0\n0,0,1\n"
    deck += "*ELEMENT, TYPE=C3D8, ELSET=ONE\n1, 1, 2, 12, 11, 101, 102, 112, 111\n"
    deck += "*ELCOPY, OLD SET=ONE, NEW SET=TWO, ELEMENT SHIFT=50, SHIFT NODES=500, REFLECT\n*ELSET, ELSET=E\nONE, TWO\n"
    model = model_of(tmp_path, deck + SECTION)
    assert model.element_ids.tolist() == [1, 51]
    assert mass_properties(model).mass == pytest.approx(2.0 * 7.85e-9)
    np.testing.assert_allclose(mass_properties(model).centre, (0.0, 0.5, 0.5), atol=1e-12)
    assemble(model)


@pytest.mark.parametrize(
    "name", [n for n, k in element_kinds.items() if k.faces and not k.is_shell and not k.is_outline]
)
def test_the_order_of_a_mirror_image_has_a_positive_volume(name):
    kind = element_kinds[name]
    model = box(name, (1, 1, 1), (1.0, 2.0, 3.0))
    rows = model.blocks[0].connectivity
    straight = kind.mass(model.nodes[rows], STEEL, None)
    mirrored = (model.nodes * [-1.0, 1.0, 1.0])[rows[:, list(mirrored_order(kind))]]
    turned = kind.mass(mirrored, STEEL, None)
    np.testing.assert_allclose(turned.sum(axis=(1, 2)), straight.sum(axis=(1, 2)), rtol=1e-12)
    # Midside nodes lie between the same corners: the stiffness has the same eigenvalues.
    for one, other in zip(
        kind.stiffness(model.nodes[rows], STEEL, None), kind.stiffness(mirrored, STEEL, None), strict=True
    ):
        values = np.linalg.eigvalsh(one), np.linalg.eigvalsh(other)
        np.testing.assert_allclose(values[0], values[1], atol=1e-8 * values[0][-1])


@pytest.mark.parametrize(
    ("given", "places"),
    [
        (
            "BIAS=0.5",
            [1.0 / 15.0, 3.0 / 15.0, 7.0 / 15.0],
        ),  # a geometric row: each distance twice the one before
        ("BIAS=2.", [8.0 / 15.0, 12.0 / 15.0, 14.0 / 15.0]),
        ("BIAS=0.5, TWOSTEP", [1.0 / 6.0, 2.0 / 6.0, 4.0 / 6.0]),
        ("BIAS=1.", [0.25, 0.5, 0.75]),
    ],
)
def test_filled_nodes_may_lie_closer_to_one_end(tmp_path, given, places):
    deck = (
        "*NODE, NSET=LOW\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n"
        "*NODE, NSET=HIGH\n41, 0., 0., 1.\n42, 1., 0., 1.\n43, 1., 1., 1.\n44, 0., 1., 1.\n"
        f"*NFILL, {given}\nLOW, HIGH, 4, 10\n"
        "*ELEMENT, TYPE=C3D8I\n1, 1, 2, 3, 4, 11, 12, 13, 14\n*ELGEN, ELSET=E\n1, 4, 10, 1\n" + SECTION
    )
    model = model_of(tmp_path, deck)
    assert not model.unread
    at = points(model)
    np.testing.assert_allclose([at[number][2] for number in (11, 21, 31)], places, rtol=1e-12)
    np.testing.assert_allclose(at[23], [1.0, 1.0, places[1]], rtol=1e-12)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("*NGEN\n1, 9\n", "node 9 does not exist before this line"),
        ("*NGEN\n1, 112, 10\n", "the increment 10 does not lead from node 1 to node 112"),
        ("*NGEN, LINE=C\n1, 101, 50, , 0., 0., 0.5\n", "lie on one line"),
        ("*NFILL\nA, B, 3\n", "no node set A before this line"),
        ("*NFILL, BIAS=0.5, SINGULAR=1\n1, 2, 3\n", r"\*NFILL with SINGULAR is not known here"),
        ("*NFILL, BIAS=-1.\n1, 2, 3\n", "found BIAS=-1, expected a positive ratio"),
        ("*NCOPY, OLD SET=ALL, CHANGE NUMBER=7\n", "expected SHIFT, POLE, or REFLECT"),
        ("*ELGEN\n9, 2, 1, 1\n", "element 9 does not exist before this line"),
        ("*ELGEN\n1, 100000, 1, 1, 100000, 1, 1\n", "expected numbers of elements"),
        ("*NMAP, NSET=ALL\n", r"\*NMAP puts nodes to other places"),
        ("*ELGEN\n1, 3, 500, 1\n", "element 2 uses node 501, which does not exist"),
    ],
)
def test_what_cannot_be_generated_is_a_sentence(tmp_path, cards, words):
    deck = f"*NODE, NSET=ALL\n{CUBE}*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 12, 11, 101, 102, 112, 111\n"
    with pytest.raises(ReadError, match=words):
        model_of(tmp_path, deck + cards + SECTION)


def test_parameters_stand_for_numbers_and_texts(tmp_path):
    deck = (
        "*PARAMETER\nwidth = 3.\nhigh = width*2. + sin(0.)   # of the block\nkind = 'C3D8I'\nfirst = 1\n"
        "young = 2.1e5\n*NODE\n"
        + CUBE.replace(", 1., ", ", <width>, ")
        .replace(", 1.\n", ", <HIGH>\n")
        .replace("1, 0., 0., 0.", "<first>, 0., 0., 0.", 1)
        + "*ELEMENT, TYPE=<kind>, ELSET=E\n<first>, 1, 2, 12, 11, 101, 102, 112, 111\n"
        + SECTION.replace("210000.", "<young>")
    )
    model = model_of(tmp_path, deck)
    assert model.nodes.max(axis=0).tolist() == [3.0, 3.0, 6.0]
    assert model.blocks[0].label == "C3D8I" and model.materials["M"].youngs_modulus == 2.1e5
    assert not model.unread


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("a = b + 1\n", "line 2: the parameter a has no value"),
        ("a\n", "line 2: found 'a', expected name = value"),
        ("a = 1/0\n", "the parameter a has no value"),
        ("a = __import__('os')\n", "the parameter a has no value"),
        ("a = 1\n", "line 4: there is no parameter c"),
    ],
)
def test_parameters_without_a_value_are_sentences(tmp_path, parameters, words):
    with pytest.raises(ReadError, match=words):
        model_of(tmp_path, f"*PARAMETER\n{parameters}*NODE\n<c>, 0., 0., 0.\n")
