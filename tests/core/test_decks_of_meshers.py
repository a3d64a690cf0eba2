"""What mesh programs write besides a body: faces as plane elements, binary meshes, meshio's decks."""

import struct

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.readers import read_model
from faying.project.first_guess import with_guesses
from faying.project.specs import BodySpec, ModelSpec

# Two cubes on each other, with nodes of their own in between; as Gmsh writes them, physical groups as element sets.
GMSH = """*Heading
 two.inp
*NODE
{nodes}
******* E L E M E N T S *************
*ELEMENT, type=T3D2, ELSET=Line1
1, 1, 2
*ELEMENT, type={flat}, ELSET=Surface6
2, 5, 6, 7, 8
*ELEMENT, type={flat}, ELSET=Surface11
3, 9, 10, 11, 12
*ELEMENT, type={flat}, ELSET=Surface12
4, 13, 14, 15, 16
*ELEMENT, type=C3D8, ELSET=Volume1
5, 1, 2, 3, 4, 5, 6, 7, 8
*ELEMENT, type=C3D8, ELSET=Volume2
6, 9, 10, 11, 12, 13, 14, 15, 16
*ELSET,ELSET=lap_master
2
*ELSET,ELSET=lap_slave
3,
*ELSET,ELSET=LOWER
5
{more}
"""
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
PLACES = np.array([(x, y, z) for z in (0, 1, 1, 2) for x, y in SQUARE], float)


def deck(folder, flat="CPS4", more=""):
    nodes = "\n".join(f"{i}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(PLACES.tolist(), 1))
    path = folder / "two.inp"
    path.write_text(GMSH.format(nodes=nodes, flat=flat, more=more))
    return path


@pytest.mark.parametrize("flat", ["CPS4", "CPE4", "M3D4", "R3D4", "SFM3D4"])
def test_plane_elements_on_faces_of_solids_are_surfaces(tmp_path, flat):
    model = read_model(deck(tmp_path, flat))
    assert [block.label for block in model.blocks] == ["C3D8"] and len(model.element_ids) == 2
    assert {"LAP_MASTER", "LAP_SLAVE", "SURFACE6", "SURFACE12"} <= set(model.surfaces)
    top = model.surfaces["LAP_MASTER"]
    assert (top.elements.tolist(), top.faces.tolist()) == ([0], [1])
    assert set(model.element_sets) == {"LINE1", "VOLUME1", "VOLUME2", "LOWER"}
    assert [text.split(":")[0] for _, text in model.unread] == [
        "T3D2 elements without a section or constant in *ELEMENT, type=T3D2, ELSET=Line1"
    ]  # edges, which stiffen nothing
    guessed = with_guesses(BodySpec(name="two", model=ModelSpec(path="two.inp")), model)
    assert [(j.name, j.master.name, j.slave.name) for j in guessed.joints] == [
        ("lap", "LAP_MASTER", "LAP_SLAVE")
    ]


def test_plane_elements_on_no_face_are_listed(tmp_path):
    model = read_model(
        deck(tmp_path, more="*ELEMENT, type=CPS4, ELSET=MIDDLE\n9, 1, 2, 11, 12\n10, 1, 2, 3, 4")
    )
    assert "1 of 2 elements are on no face of a solid" in " ".join(text for _, text in model.unread)
    assert len(model.surfaces["MIDDLE"].elements) == 1


def test_what_holds_no_body_but_plane_elements_is_refused(tmp_path):
    path = tmp_path / "flat.inp"
    path.write_text("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n")
    with pytest.raises(ReadError, match="no elements but those of type CPS3, which make no body"):
        read_model(path)


def test_what_meshio_notes_for_itself_is_passed_over(tmp_path):
    """As meshio 5.3 writes a Gmsh mesh: sets of signed entity numbers, and C3D10MH for tetrahedra of ten nodes."""
    more = "*ELSET, ELSET=gmsh:bounding_entities\n-3,2\n*ELSET, ELSET=UPPER\n6"
    model = read_model(deck(tmp_path, "R3D4", more))
    assert model.element_sets["UPPER"].tolist() == [1]
    assert "what Gmsh noted for itself" in " ".join(text for _, text in model.unread)
    nodes = np.array([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1),
                      (0, 1, 1)])  # fmt: skip
    lines = [f"{i}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(nodes.tolist(), 1)]
    (tmp_path / "tet.inp").write_text(
        "*NODE\n" + "\n".join(lines) + "\n*ELEMENT, TYPE=C3D10MH\n1, " + ", ".join(map(str, range(1, 11)))
    )
    assert read_model(tmp_path / "tet.inp").blocks[0].element == "tet10"


def binary_mesh(version, order):
    """Return the two cubes as Gmsh writes them in binary, after its manual: one entity each, of group 1, 2 and 3."""
    ints, sizes, reals = (lambda *v, k=k: struct.pack(f"{order}{len(v)}{k}", *v) for k in "iQd")
    head = f"$MeshFormat\n{version} 1 8\n".encode() + ints(1) + b"\n$EndMeshFormat\n"
    names = b'$PhysicalNames\n3\n2 3 "lap master"\n3 1 "LOWER"\n3 2 "UPPER"\n$EndPhysicalNames\n'
    cubes = [list(range(1, 9)), list(range(9, 17))]
    if version == "2.2":
        nodes = (
            b"$Nodes\n16\n"
            + b"".join(ints(i) + reals(*p) for i, p in enumerate(PLACES, 1))
            + b"\n$EndNodes\n"
        )
        elements = ints(3, 1, 2, 7, 3, 6, 5, 6, 7, 8) + ints(5, 2, 2, 8, 1, 1, *cubes[0], 9, 2, 2, *cubes[1])
        return head + names + nodes + b"$Elements\n3\n" + elements + b"\n$EndElements\n"
    box = [0.0, 0.0, 0.0, 1.0, 1.0, 2.0]
    entities = sizes(0, 0, 1, 2)
    entities += ints(6) + reals(*box) + sizes(1) + ints(3) + sizes(4) + ints(1, 2, 3, -4)
    for tag in (1, 2):
        entities += ints(tag) + reals(*box) + sizes(1) + ints(tag) + sizes(1) + ints(6)
    nodes = sizes(2, 16, 1, 16)
    for tag, cube in enumerate(cubes, 1):
        nodes += ints(3, tag, 0) + sizes(8) + sizes(*cube) + reals(*PLACES[np.array(cube) - 1].ravel())
    elements = sizes(3, 3, 1, 3) + ints(2, 6, 3) + sizes(1) + sizes(7, 5, 6, 7, 8)
    for tag, cube in enumerate(cubes, 1):
        elements += ints(3, tag, 5) + sizes(1) + sizes(7 + tag, *cube)
    parts = {"Entities": entities, "Nodes": nodes, "Elements": elements}
    return head + names + b"".join(f"${k}\n".encode() + v + f"\n$End{k}\n".encode() for k, v in parts.items())


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("version", ["4.1", "2.2"])
def test_binary_meshes_are_read(tmp_path, version, order):
    path = tmp_path / "two.msh"
    path.write_bytes(binary_mesh(version, order))
    model = read_model(path)
    np.testing.assert_array_equal(model.nodes, PLACES)
    assert model.element_ids.tolist() == [8, 9] and model.node_ids.tolist() == list(range(1, 17))
    assert {name: rows.tolist() for name, rows in model.element_sets.items()} == {"LOWER": [0], "UPPER": [1]}
    assert model.surfaces["lap master"].faces.tolist() == [1]


@pytest.mark.parametrize("version", ["4.1", "2.2"])
def test_binary_meshes_that_are_cut_off_are_told_in_a_sentence(tmp_path, version):
    whole, path = binary_mesh(version, "<"), tmp_path / "two.msh"
    for length in range(30, len(whole) - 12, 7):
        path.write_bytes(whole[:length])
        with pytest.raises(ReadError, match=r"two\.msh"):
            read_model(path)
