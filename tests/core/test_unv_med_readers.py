"""Universal and MED files of small boxes, written here by the formats' descriptions."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.skin import facet_normals, surface_area, surface_from_deck
from support.boxes import box

# By kind: descriptor of the universal file, and ours in the order of its nodes: round the faces, midsides between.
UNIVERSAL = {
    "tet4": (111, [0, 1, 2, 3]),
    "tet10": (118, [0, 4, 1, 5, 2, 6, 7, 8, 9, 3]),
    "wedge6": (112, [0, 1, 2, 3, 4, 5]),
    "wedge15": (113, [0, 6, 1, 7, 2, 8, 12, 13, 14, 3, 9, 4, 10, 5, 11]),
    "hex8_incompatible": (115, list(range(8))),
    "hex20": (116, [0, 8, 1, 9, 2, 10, 3, 11, 16, 17, 18, 19, 4, 12, 5, 13, 6, 14, 7, 15]),
}
MED = {
    "tet4": "TE4", "tet10": "T10", "pyramid5": "PY5", "pyramid13": "P13", "wedge6": "PE6", "wedge15": "P15",
    "hex8_incompatible": "HE8", "hex20": "H20",
}  # fmt: skip


def small_box(kind: str) -> FeModel:
    return box(kind, (2, 1, 1), (2.0, 1.0, 3.0), distortion=0.1)


def bottom(model: FeModel) -> list[list[int]]:
    """Return the corners of the faces on the bottom of a box."""
    kind = element_kinds[model.blocks[0].element]
    found = []
    for row in model.blocks[0].connectivity:
        for face, name in zip(kind.faces, kind.facets, strict=True):
            corners = row[list(face[: 3 if name.startswith("tri") else 4])]
            if (model.nodes[corners, 2] == 0.0).all():
                found.append(corners.tolist())
    return found


def write_universal(model: FeModel, path: Path) -> Path:
    descriptor, order = UNIVERSAL[model.blocks[0].element]
    text = "    -1\n   164\n         1SI: Meter (newton)         2\n  1.0D+00  1.0D+00  1.0D+00\n  0.0D+00\n    -1\n"
    text += "    -1\n  2411\n"
    for number, point in zip(model.node_ids + 100, model.nodes, strict=True):
        text += (
            f"{number:10}{1:10}{1:10}{11:10}\n"
            + "".join(f"{x:25.16E}" for x in point).replace("E", "D")
            + "\n"
        )
    text += "    -1\n    -1\n  2412\n"
    for number, row in zip(model.blocks[0].ids, model.blocks[0].connectivity, strict=True):
        nodes = model.node_ids[row[order]] + 100
        text += f"{number:10}{descriptor:10}{1:10}{1:10}{7:10}{len(nodes):10}\n"
        text += "".join("".join(f"{n:10}" for n in nodes[i : i + 8]) + "\n" for i in range(0, len(nodes), 8))
    facets = bottom(model)
    for number, corners in enumerate(facets, 9001):
        text += f"{number:10}{94 if len(corners) == 4 else 91:10}{1:10}{1:10}{7:10}{len(corners):10}\n"
        text += "".join(f"{n:10}" for n in model.node_ids[corners] + 100) + "\n"
    # A beam has a line more.
    text += f"{9900:10}{21:10}{1:10}{1:10}{7:10}{2:10}\n{0:10}{0:10}{0:10}\n{101:10}{102:10}\n"
    text += "    -1\n    -1\n  2467\n"
    for number, (name, members) in enumerate(
        (
            ("solids", [(8, n) for n in model.blocks[0].ids[:2]]),
            ("bottom", [(8, 9001 + i) for i in range(len(facets))]),
            ("points", [(7, 101), (7, 103), (7, 104)]),
        ),
        1,
    ):
        text += f"{number:10}" + f"{0:10}" * 6 + f"{len(members):10}\n{name}\n"
        entries = [f"{kind:10}{n:10}{0:10}{0:10}" for kind, n in members]
        text += "".join("".join(entries[i : i + 2]) + "\n" for i in range(0, len(entries), 2))
    path.write_text(text + "    -1\n    -1\n    55\nresults\n    -1\n")
    return path


@pytest.mark.parametrize("kind", list(UNIVERSAL))
def test_universal_files(tmp_path: Path, kind: str) -> None:
    model = small_box(kind)
    read = read_model(write_universal(model, tmp_path / "box.unv"))
    np.testing.assert_allclose(read.nodes, model.nodes, atol=1e-14)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert read.node_ids[0] == 101
    assert read.element_ids[read.element_sets["solids"]].tolist() == [1, 2]
    assert read.node_ids[read.node_sets["points"]].tolist() == [101, 103, 104]
    assert surface_area(surface_from_deck(read, "bottom"), read.nodes) == pytest.approx(2.0)
    said = [text for _, text in read.unread]
    assert said == ["units of the file: 1SI: Meter (newton)         2", "dataset 55 (1 lines)"]


def write_med(model: FeModel, path: Path, *, mirrored: bool) -> Path:
    kind = model.blocks[0].element
    rows = model.blocks[0].connectivity
    if mirrored:
        # As Salome lists them: local axes exchanged.
        mirror = {
            "tet": [0, 2, 1, 3, 6, 5, 4, 7, 9, 8], "pyramid": [0, 3, 2, 1, 4, 8, 7, 6, 5, 9, 12, 11, 10],
            "wedge": [0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13],
            "hex": [0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17],
        }[kind.split("_")[0].rstrip("0123456789")]  # fmt: skip
        rows = rows[:, mirror[: rows.shape[1]]]
    with h5py.File(path, "w") as file:
        step = file.create_group("ENS_MAA/box/-0000000000000000001-0000000000000000001")
        points = step.create_dataset("NOE/COO", data=model.nodes.T.ravel())
        points.attrs["NBR"] = len(model.nodes)
        step["NOE/FAM"] = np.where(np.arange(len(model.nodes)) < 3, 5, 0)
        facets = np.array(bottom(model))
        for name, table, family in (
            (MED[kind], rows, -7),
            ("TR3" if facets.shape[1] == 3 else "QU4", facets, -8),
        ):
            cells = step.create_dataset(f"MAI/{name}/NOD", data=(table + 1).T.ravel())
            cells.attrs["NBR"] = len(table)
            step[f"MAI/{name}/FAM"] = np.full(len(table), family)
        for word, family, names in (
            ("NOEUD", 5, ["first"]),
            ("ELEME", -7, ["body", "all"]),
            ("ELEME", -8, ["bottom"]),
        ):
            group = file.create_group(f"FAS/box/{word}/FAM_{family}")
            group.attrs["NUM"] = family
            texts = np.zeros((len(names), 80), np.int8)
            for i, text in enumerate(names):
                texts[i, : len(text)] = list(text.encode())
            group.create_group("GRO").create_dataset("NOM", data=texts)
    return path


@pytest.mark.parametrize("kind", ["tet4", "hex20"])
def test_older_elements_say_later_how_many_nodes_they_have(tmp_path: Path, kind: str) -> None:
    # Dataset 780 has bin and number of both property tables before the colour and the number of nodes.
    model = small_box(kind)
    path = write_universal(model, tmp_path / "box.unv")
    lines = path.read_text().replace("  2412\n", "   780\n").splitlines()
    for i, line in enumerate(lines):
        words = line.split()
        if len(words) == 6 and words[2:5] == ["1", "1", "7"]:
            number, descriptor, count = int(words[0]), int(words[1]), int(words[5])
            lines[i] = "".join(f"{n:10}" for n in (number, descriptor, 1, 9, 1, 2, 7, count))
    path.write_text("\n".join(lines))
    read = read_model(path)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert surface_area(surface_from_deck(read, "bottom"), read.nodes) == pytest.approx(2.0)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("kind", list(MED))
def test_med_files(tmp_path: Path, kind: str, mirrored: bool) -> None:
    model = small_box(kind)
    ending = ".mmed" if mirrored else ".med"  # of code_aster, of Salome
    read = read_model(write_med(model, tmp_path / f"box{ending}", mirrored=mirrored))
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert mass_properties(read).volume == pytest.approx(6.0)
    assert read.node_sets["first"].tolist() == [0, 1, 2]
    assert len(read.element_sets["body"]) == len(read.element_sets["all"]) == len(model.element_ids)
    surface = surface_from_deck(read, "bottom")
    assert surface_area(surface, read.nodes) == pytest.approx(2.0)
    assert (facet_normals(surface, read.nodes)[:, 2] < -0.99).all()
    assert np.isin(read.node_sets["bottom"], model.node_sets["ZMIN"]).all()


def test_an_array_that_was_never_written_is_damage(tmp_path: Path) -> None:
    """Zeros for a gigabyte of coordinates were read from a few kilobytes."""
    path = write_med(small_box(next(iter(MED))), tmp_path / "box.med", mirrored=False)
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        (name,) = [name for name in names if name.endswith("/NOE/COO")]
        attributes = dict(file[name].attrs)
        del file[name]
        file.create_dataset(name, shape=(1 << 21,), dtype="f8", chunks=(1 << 20,))
        file[name].attrs.update(attributes)
    with pytest.raises(ReadError, match="'COO' cannot be read: the file is damaged"):
        read_model(path)


def test_what_nobody_asks_for_may_be_as_large_as_it_says(tmp_path: Path) -> None:
    """Only what is read has to be there: fields that a program made room for and never wrote stop nothing."""
    path = write_med(small_box(next(iter(MED))), tmp_path / "box.med", mirrored=False)
    wanted = read_model(path).nodes
    with h5py.File(path, "r+") as file:
        file.create_dataset("CHA/room", shape=(1 << 40,), dtype="f8", chunks=(1 << 20,))
    np.testing.assert_array_equal(read_model(path).nodes, wanted)


def test_mistakes_are_sentences(tmp_path: Path) -> None:
    whole = write_universal(small_box("tet4"), tmp_path / "box.unv").read_text()
    for text, words in (
        ("nothing here\n", "no dataset between lines of -1"),
        (whole.replace(f"{111:10}{1:10}{1:10}{7:10}", f"{999:10}{1:10}{1:10}{7:10}"), "no solid elements"),
        (whole.replace("2411\n       101", "2411\n       102"), "node 102 is there twice"),
        (whole.replace("2411\n       101", "2411\n       777"), "uses node 101, which does not exist"),
        (whole.replace("2411\n       101", "2411\n       one"), "the dataset 2411 that begins here"),
    ):
        (tmp_path / "wrong.unv").write_text(text)
        with pytest.raises(ReadError, match=words):
            read_model(tmp_path / "wrong.unv")
    with h5py.File(tmp_path / "wrong.med", "w") as file:
        file.create_group("INFOS_GENERALES")
    with pytest.raises(ReadError, match="no mesh in it"):
        read_model(tmp_path / "wrong.med")
