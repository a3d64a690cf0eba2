"""Ansys coded databases of small models, written here as CDWRITE does."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.model import FeModel
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
    assert said == ["1 elements 14", "CE", "D,1,UX: a node that is held in some directions only"]
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
    assert vars(read.blocks[0].section) == {"thickness": 0.5, "offset": -0.25}
    assert mass_properties(read).volume == pytest.approx(0.75)


def test_mistakes_are_sentences(tmp_path: Path) -> None:
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    ids = model.node_ids[model.blocks[0].connectivity[0]].tolist()
    whole = HEAD + "ET,1,185\n" + nblock(model) + eblock([[1, 1, 1, 1, 1, *ids]]) + STEEL
    for text, words in (
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
