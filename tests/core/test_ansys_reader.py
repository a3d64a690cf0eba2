"""Ansys coded databases of small models, written here as CDWRITE does."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError, ReadError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.model import FeModel, ShellSection
from faying.fem.readers import read_model
from faying.fem.skin import surface_area, surface_from_deck
from support.boxes import box

HEAD = "/COM,ANSYS RELEASE 2024 R1\n/PREP7\n/TITLE,Small parts\n"
STEEL = (
    "MPTEMP,R5.0, 1, 1,  0.00000000    ,\n"
    "MPDATA,R5.0, 1,EX  ,       1, 1,  210000.000    ,\n"
    "MPDATA,R5.0, 1,NUXY,       1, 1, 0.300000000    ,\n"
    "MPDATA,R5.0, 1,DENS,       1, 1, 7.850000000E-09,\n"
)
# Positions in a brick of 8 or 20 nodes of our nodes; corners that coincide take the same node.
BRICK = {
    "tet": [0, 1, 2, 2, 3, 3, 3, 3, 4, 5, 2, 6, 3, 3, 3, 3, 7, 8, 9, 9],
    "pyramid": [0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 4, 4, 4, 4, 9, 10, 11, 12],
    "wedge": [0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 2, 8, 9, 10, 5, 11, 12, 13, 14, 14],
    "hex": list(range(20)),
}


def nblock(model: FeModel) -> str:
    text = f"NBLOCK,6,SOLID,{model.node_ids[-1]:10},{len(model.nodes):10}\n(3i9,6e21.13e3)\n"
    for number, point in zip(model.node_ids, model.nodes, strict=True):
        # Zeros at the end are left out.
        kept = list(point)
        while kept and kept[-1] == 0.0:
            kept.pop()
        text += f"{number:9}{0:9}{0:9}" + "".join(f"{x:21.13E}" for x in kept) + "\n"
    return text + "N,R5.3,LOC,       -1,\n"


def eblock(rows: list[list[int]]) -> str:
    """Return elements of (material, type, real, section, number, nodes…)."""
    text = f"EBLOCK,19,SOLID,{len(rows):10},{len(rows):10}\n(19i9)\n"
    for material, kind, real, section, number, *nodes in rows:
        head = [material, kind, real, section, 0, 0, 0, 0, len(nodes), 0, number]
        lines = [head + nodes[:8], nodes[8:]]
        text += "".join("".join(f"{n:9}" for n in line) + "\n" for line in lines if line)
    return text + f"{-1:9}\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "kind", ["tet4", "tet10", "pyramid5", "pyramid13", "wedge6", "wedge15", "hex8", "hex20_reduced"]
)
def test_bricks_and_what_they_degenerate_to(tmp_path: Path, kind: str) -> None:
    model = box(kind, (2, 1, 1), (2.0, 1.0, 3.0), distortion=0.1)
    quadratic = element_kinds[kind].n_nodes > 8
    shape = kind.split("_")[0].rstrip("0123456789")
    order = BRICK[shape][: 20 if quadratic else 8]
    ids = model.blocks[0].ids
    rows = [
        [1, 1, 1, 1, int(n), *model.node_ids[row[order]].tolist()]
        for n, row in zip(ids, model.blocks[0].connectivity, strict=True)
    ]
    text = HEAD + f"ET,       1,{186 if quadratic else 185}\n" + nblock(model) + eblock(rows) + STEEL
    text += "CMBLOCK,FEW     ,ELEM,       1  ! users element component definition\n(8i10)\n         1\n"
    text += "CMBLOCK,SOME    ,NODE,       3\n(8i10)\n         1         3        -5\n"
    read = read_model(written(tmp_path / "box.cdb", text))
    assert read.title == "Small parts"
    np.testing.assert_allclose(read.nodes, model.nodes, atol=1e-12)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert read.blocks[0].element == kind
    assert mass_properties(read).mass == pytest.approx(6 * 7.85e-9)
    assert read.element_sets["FEW"].tolist() == [0]
    assert read.node_ids[read.node_sets["SOME"]].tolist() == [1, 3, 4, 5]
    assert read.unread == ()


def test_tetrahedra_options_and_other_elements(tmp_path: Path) -> None:
    tets = box("tet10", (1, 1, 1), (1.0, 1.0, 1.0))
    block = tets.blocks[0]
    rows = [
        [1, 1, 1, 1, int(n), *tets.node_ids[row].tolist()]
        for n, row in zip(block.ids, block.connectivity, strict=True)
    ]
    top = [
        tets.node_ids[row[list(face)]].tolist()
        for row in block.connectivity for face in element_kinds["tet10"].faces
        if (tets.nodes[row[list(face)], 2] == 1.0).all()
    ]  # fmt: skip
    # A triangular contact element repeats its third corner, also in the middle of its third side.
    rows += [[1, 2, 7, 1, 100 + i, f[0], f[1], f[2], f[2], f[3], f[4], f[2], f[5]] for i, f in enumerate(top)]
    rows += [[1, 3, 5, 1, 200, int(tets.node_ids[0])], [1, 4, 1, 1, 300, 1, 2]]
    text = HEAD + "ET,1,187\nET,2,174\nET,3,21\nET,4,14\n" + nblock(tets) + eblock(rows) + STEEL
    text += "RLBLOCK,       1,       5,       6,       7\n(2i8,6g16.9)\n(7g16.9)\n"
    text += f"{5:8}{6:8}" + "".join(f"{x:16.9G}" for x in (2.0, 2.0, 2.0, 3.0, 4.0, 5.0)) + "\n"
    text += "CE,R5.0,       1,CONST,  0.0\nD,1,UX,0.0\nD,2,UX,0.0\n"
    read = read_model(written(tmp_path / "mixed.cdb", text))
    assert surface_area(surface_from_deck(read, "CONTACT 7"), read.nodes) == pytest.approx(1.0)
    (mass,) = read.point_masses
    assert mass.mass == 2.0 and np.diag(mass.inertia).tolist() == [3.0, 4.0, 5.0]
    said = [text for _, text in read.unread]
    assert said == ["1 elements 14", "CE"]
    assert assemble(read).mass.sum() / 3 == pytest.approx(7.85e-9 + 2.0)


@pytest.mark.parametrize(
    ("element", "option", "expected"),
    [(185, "", "hex8"), (185, "KEYOPT,1,2,3\n", "hex8_incompatible"), (45, "", "hex8_incompatible"),
     (186, "KEYOPT,1,2,1\n", "hex20"), (95, "", "hex20_reduced")],
)  # fmt: skip
def test_options_choose_the_formulation(tmp_path: Path, element: int, option: str, expected: str) -> None:
    model = box(expected, (1, 1, 1), (1.0, 1.0, 1.0))
    rows = [[1, 1, 1, 1, 1, *model.node_ids[model.blocks[0].connectivity[0]].tolist()]]
    text = HEAD + f"ET,1,{element}\n{option}" + nblock(model) + eblock(rows) + STEEL
    assert read_model(written(tmp_path / "one.cdb", text)).blocks[0].element == expected


def test_shells_have_the_thickness_and_offset_of_their_section(tmp_path: Path) -> None:
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    ids = model.node_ids[model.blocks[0].connectivity[0]].tolist()
    rows = [[1, 1, 1, 2, 1, *ids[:4]], [1, 1, 1, 2, 2, *ids[4:7], ids[6]]]
    text = HEAD + "ET,1,181\n" + nblock(model) + eblock(rows) + STEEL
    text += "SECTYPE,   2,SHELL,,sheet\nSECOFFSET,MID\nSECDATA,  0.5,   1,  0.0,   3\nSECOFFSET,TOP\n"
    read = read_model(written(tmp_path / "shell.cdb", text))
    assert [b.element for b in read.blocks] == ["shell4", "shell3"]
    assert vars(read.blocks[0].section) == {
        "thickness": 0.5,
        "offset": -0.25,
        "nonstructural_mass": 0.0,
        "plies": (),
        "stiffness": (),
    }
    assert mass_properties(read).volume == pytest.approx(0.75)


def shell_deck(path: Path, element: int, extra: str) -> FeModel:
    """Return a square of 1 x 1 of one shell of a type, with real constants 4 and section 2."""
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    ids = model.node_ids[model.blocks[0].connectivity[0]].tolist()
    text = HEAD + f"ET,1,{element}\n" + nblock(model) + eblock([[1, 1, 4, 2, 1, *ids[:4]]]) + STEEL
    return read_model(written(path, text + extra))


@pytest.mark.parametrize(
    ("cards", "offset"),
    [
        ("SECOFFSET,TOP\nSECDATA,0.2,1,0.0,3\nSECDATA,0.3,1,0.0,3\n", -0.25),
        ("SECDATA,0.2,1\nSECOFFSET,BOT\nSECDATA,0.3,1\n", 0.25),
        (
            "SECOFFSET,BOT\nSECBLOCK,     2\n  0.200000000    ,  1,  0.0, 3\n  0.300000000    ,  1,  0.0, 3\n",
            0.25,
        ),
        ("SECOFFSET,MID\nSECBLOCK,     1\n 0.5 1 0.0 3\n", 0.0),
    ],
)
def test_layers_and_offset_of_a_shell_section_come_in_any_order(
    tmp_path: Path, cards: str, offset: float
) -> None:
    model = shell_deck(tmp_path / "shell.cdb", 181, "SECTYPE,   2,SHELL,,sheet\n" + cards)
    section = model.blocks[0].section
    assert isinstance(section, ShellSection) and not section.plies
    assert (section.thickness, section.offset) == pytest.approx((0.5, offset))
    assert model.unread == ()


@pytest.mark.parametrize(
    "cards",
    [
        "SECDATA,0.2,2\nSECDATA,0.3,2\n",
        "SECDATA,0.2,2.00\nSECDATA,0.3,2\n",
        "SECBLOCK,2\n 0.2, 2, 45.0, 3\n 0.3, 2, 0.0, 3\n",
    ],
)
def test_the_materials_of_layers_count(tmp_path: Path, cards: str) -> None:
    light = (
        "SECTYPE,2,SHELL\n" + cards + STEEL.replace("       1, 1,", "       2, 1,").replace("7.85", "2.70")
    )
    model = shell_deck(tmp_path / "light.cdb", 181, light)
    assert model.blocks[0].material == "MAT 2" and mass_properties(model).mass == pytest.approx(1.35e-9)
    for other in ("3", ""):  # left out, it is that of the element, which is 1
        mixed = light.replace("0.3, 2" if "BLOCK" in cards else "0.3,2", f"0.3,{other}")
        if other:
            with pytest.raises(
                ReadError, match="section 2 has a layer of the material 3, which is not there"
            ):
                shell_deck(tmp_path / "mixed.cdb", 181, mixed)
        else:
            section = shell_deck(tmp_path / "mixed.cdb", 181, mixed).blocks[0].section
            assert isinstance(section, ShellSection)
            assert [ply.material.name for ply in section.plies] == ["MAT 2", "MAT 1"]
        assert shell_deck(tmp_path / "older.cdb", 63, mixed + "R,4,0.5\n").blocks[0].material == "MAT 1"


def test_an_offset_by_a_number_is_listed(tmp_path: Path) -> None:
    cards = "SECTYPE,2,SHELL\nSECDATA,0.5\nSECOFFSET,USER,0.1\n"
    model = shell_deck(tmp_path / "user.cdb", 181, cards)
    assert [text for _, text in model.unread] == [
        "SECOFFSET,USER,0.1: the nodes are taken to lie in the middle"
    ]


def test_older_shells_have_the_thickness_of_their_real_constants(tmp_path: Path) -> None:
    block = "RLBLOCK,       1,       4,       6,       7\n(2i8,6g16.9)\n(7g16.9)\n"
    block += f"{4:8}{1:8}{0.5:16.9G}\n"
    for element, constants in (
        (63, "R,4,0.5\n"),
        (43, block),
        (63, "R,4,0.5,0.5,0.0,0.5\n"),
        (181, "R,4,0.5\n"),
    ):
        # A section is one of other elements, if they have none.
        other = "" if element == 181 else "SECTYPE,2,SHELL\nSECDATA,9.0\n"
        model = shell_deck(tmp_path / "shell.cdb", element, other + constants)
        assert vars(model.blocks[0].section) == {
            "thickness": 0.5,
            "offset": 0.0,
            "nonstructural_mass": 0.0,
            "plies": (),
            "stiffness": (),
        }
        assert mass_properties(model).mass == pytest.approx(0.5 * 7.85e-9) and model.unread == ()
    model = shell_deck(tmp_path / "shell.cdb", 63, "R,4,0.4,0.6,0.6,0.4,25.0\n")
    section = model.blocks[0].section
    assert isinstance(section, ShellSection) and not section.plies
    assert (section.thickness, section.offset) == pytest.approx((0.5, 0.0))
    assert [text for _, text in model.unread] == [
        "real constants 4 beyond the thickness of shells",
        "real constants 4: the shells have the mean of their corners' thicknesses",
    ]
    without = shell_deck(tmp_path / "shell.cdb", 63, "")
    with pytest.raises(ModelError, match=r"have no section.*file of the model, such as .*SECDATA"):
        assemble(without)


def test_element_types_in_a_block(tmp_path: Path) -> None:
    # As newer programs write them: number, element, and 18 options, of which the second is that of SOLID185 here.
    model = box("hex8_incompatible", (1, 1, 1), (1.0, 1.0, 1.0))
    row = [1, 7, 1, 1, 1, *model.node_ids[model.blocks[0].connectivity[0]].tolist()]
    block = "ETBLOCK,        2,        7\n(2i9,19a9)\n" + f"{3:9}{21:9}" + f"{0:9}" * 19 + "\n"
    block += f"{7:9}{185:9}{0:9}{3:9}\n       -1\n"
    read = read_model(written(tmp_path / "types.cdb", HEAD + block + nblock(model) + eblock([row]) + STEEL))
    assert read.blocks[0].element == "hex8_incompatible" and read.unread == ()


def test_triangular_targets_have_three_corners(tmp_path: Path) -> None:
    model = box("tet10", (1, 1, 1), (1.0, 1.0, 1.0))
    block = model.blocks[0]
    rows = [
        [1, 1, 1, 1, int(n), *model.node_ids[row].tolist()]
        for n, row in zip(block.ids, block.connectivity, strict=True)
    ]
    top = [
        model.node_ids[row[list(face)]].tolist()
        for row in block.connectivity for face in element_kinds["tet10"].faces
        if (model.nodes[row[list(face)], 2] == 1.0).all()
    ]  # fmt: skip
    rows += [[1, 2, 7, 1, 100 + i, *nodes] for i, nodes in enumerate(top)]
    text = HEAD + "ET,1,187\nET,2,170\n" + nblock(model) + eblock(rows) + STEEL
    read = read_model(written(tmp_path / "target.cdb", text))
    assert surface_area(surface_from_deck(read, "TARGET 7"), read.nodes) == pytest.approx(1.0)
    assert read.unread == ()


def test_what_is_not_taken_over_of_materials_is_listed(tmp_path: Path) -> None:
    lines = (
        "MPTEMP,R5.0, 2, 1,  20.0,  200.0,\nMPDATA,R5.0, 2,ALPX,       1, 1, 1.2E-5, 1.3E-5,\n"
        "MPDATA,R5.0, 2,EX,       2, 1, 7.0E4, 7.0E4,\nMP,DENS,2,2.7E-9,0,0\nMP,NUXY,2,0.3,1E-5\nMP,C,2,7E4\n"
    )
    model = shell_deck(tmp_path / "warm.cdb", 181, "SECTYPE,2,SHELL\nSECDATA,0.5\n" + lines)
    assert [text for _, text in model.unread] == [
        "ALPX of material 1 at other temperatures", "NUXY of material 2 at other temperatures", "C of material 2",
    ]  # fmt: skip


def test_mistakes_are_sentences(tmp_path: Path) -> None:
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    ids = model.node_ids[model.blocks[0].connectivity[0]].tolist()
    whole = HEAD + "ET,1,185\n" + nblock(model) + eblock([[1, 1, 1, 1, 1, *ids]]) + STEEL
    for text, words in (
        (
            whole.replace("ET,1,185", "ETBLOCK,1,1\n(2i9,19a9)\n        1    solid\n       -1"),
            "ET is not as expected",
        ),
        (HEAD, "no NBLOCK"),
        (whole.replace("ET,1,185", "ET,1,200"), "no solid or shell elements that are known"),
        (
            eblock([[1, 1, 1, 1, 1, *ids[:7], 99]]).join([HEAD + "ET,1,185\n" + nblock(model), STEEL]),
            "uses node 99",
        ),
        (whole.replace("  210000.000 ", "  many "), "MPDATA is not as expected"),
        (whole.replace("(3i9,6e21.13e3)", "(free)"), "NBLOCK that begins here"),
    ):
        with pytest.raises(ReadError, match=words):
            read_model(written(tmp_path / "wrong.cdb", text if text != whole else text[:300]))
