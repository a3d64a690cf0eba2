"""Gmsh meshes of both text formats, with physical groups."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.mass_properties import mass_properties
from faying.fem.readers import read_model
from faying.fem.skin import surface_area, surface_from_deck

# By Gmsh's type: corners, and edges in the order of its midside nodes (Gmsh reference manual, "Node ordering").
TET = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
WEDGE = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)]
PYRAMID = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)]
CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
SHAPES = {
    4: (TET, []),
    11: (TET, [(0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3)]),
    5: (CUBE, []),
    17: (CUBE, [
        (0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)
    ]),
    6: (WEDGE, []),
    18: (WEDGE, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5)]),
    7: (PYRAMID, []),
    19: (PYRAMID, [(0, 1), (0, 3), (0, 4), (1, 2), (1, 4), (2, 3), (2, 4), (3, 4)]),
}  # fmt: skip
NAMES = '$PhysicalNames\n2\n2 3 "lower side"\n3 9 "solid"\n$EndPhysicalNames\n'


def format_2(points, elements) -> str:
    """Return a mesh of (type, physical group, nodes from 0) elements."""
    rows = "".join(f"{10 * i + 10} {x} {y} {z}\n" for i, (x, y, z) in enumerate(points))
    cells = "".join(
        f"{i} {kind} 2 {group} 1 {' '.join(str(10 * n + 10) for n in nodes)}\n"
        for i, (kind, group, nodes) in enumerate(elements, 1)
    )
    return (
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{NAMES}$Nodes\n{len(points)}\n{rows}$EndNodes\n"
        f"$Elements\n{len(elements)}\n{cells}$EndElements\n$NodeData\n1\n$EndNodeData\n"
    )


def format_4(points, elements) -> str:
    """Return the same mesh in format 4.1, an entity for each element."""
    dimensions = {1: 1, 2: 2, 3: 2, 9: 2, 16: 2}
    entities: dict[int, str] = {0: "", 1: "", 2: "", 3: ""}
    blocks = ""
    for i, (kind, group, nodes) in enumerate(elements, 1):
        d = dimensions.get(kind, 3)
        entities[d] += f"{i} 0 0 0 1 1 1 {'1 ' + str(group) if group else '0'} 0\n"
        blocks += f"{d} {i} {kind} 1\n{i} {' '.join(str(10 * n + 10) for n in nodes)}\n"
    counts = " ".join(str(text.count("\n")) for text in entities.values())
    half = len(points) // 2
    node_blocks = ""
    for part in (range(half), range(half, len(points))):
        node_blocks += f"3 1 0 {len(part)}\n" + "".join(f"{10 * i + 10}\n" for i in part)
        node_blocks += "".join("{} {} {}\n".format(*points[i]) for i in part)
    return (
        f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{NAMES}$Entities\n{counts}\n{''.join(entities.values())}$EndEntities\n"
        f"$Nodes\n2 {len(points)} 10 {10 * len(points)}\n{node_blocks}$EndNodes\n"
        f"$Elements\n{len(elements)} {len(elements)} 1 {len(elements)}\n{blocks}$EndElements\n"
        "$NodeData\n1\n$EndNodeData\n"
    )


FORMATS = {"2.2": format_2, "4.1": format_4}


def format_1(points, elements) -> str:
    """Return the same mesh as Gmsh wrote it before 2.0: groups and entities, but no names."""
    rows = "".join(f"{10 * i + 10} {x} {y} {z}\n" for i, (x, y, z) in enumerate(points))
    cells = "".join(
        f"{i} {kind} {group} 7 {len(nodes)} {' '.join(str(10 * n + 10) for n in nodes)}\n"
        for i, (kind, group, nodes) in enumerate(elements, 1)
    )
    return f"$NOD\n{len(points)}\n{rows}$ENDNOD\n$ELM\n{len(elements)}\n{cells}$ENDELM\n"


@pytest.mark.parametrize("kind", list(SHAPES))
def test_the_first_format_says_the_same_without_names(tmp_path: Path, kind: int) -> None:
    corners, edges = SHAPES[kind]
    points = np.array(corners, float)
    if edges:
        points = np.concatenate([points, points[np.array(edges)].mean(axis=1)])
    models = []
    for name, text in (("old", format_1), ("new", format_2)):
        (tmp_path / f"{name}.msh").write_text(text(points.tolist(), [(kind, 9, range(len(points)))]))
        models.append(read_model(tmp_path / f"{name}.msh"))
    old, new = models
    np.testing.assert_array_equal(old.nodes, new.nodes)
    np.testing.assert_array_equal(old.blocks[0].connectivity, new.blocks[0].connectivity)
    assert old.blocks[0].element == new.blocks[0].element and not old.unread
    assert old.element_sets["Physical Volume 9"].tolist() == [0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("$ENDELM", "$ENDOF"), r"the section \$ELM is never closed"),
        (("$NOD", "$NODES"), r"the section \$NODES is never closed|no section \$Nodes"),
        ((" 7 8 10", " 7"), "element 1 has"),
    ],
)
def test_mistakes_of_the_first_format_are_sentences(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    text = format_1(CUBE, [(5, 9, range(8))])
    assert change[0] in text
    (tmp_path / "old.msh").write_text(text.replace(*change, 1))
    with pytest.raises(ReadError, match=words):
        read_model(tmp_path / "old.msh")


@pytest.mark.parametrize("version", list(FORMATS))
@pytest.mark.parametrize("kind", list(SHAPES))
def test_solid_elements_keep_their_shape(tmp_path: Path, kind: int, version: str) -> None:
    corners, edges = SHAPES[kind]
    points = np.array(corners, float)
    if edges:
        points = np.concatenate([points, points[np.array(edges)].mean(axis=1)])
    path = tmp_path / "one.msh"
    path.write_text(FORMATS[version](points.tolist(), [(kind, 9, range(len(points)))]))
    model = read_model(path)
    (block,) = model.blocks
    member = element_kinds[block.element]
    assert member.n_nodes == len(points)
    nodes = model.nodes[block.connectivity[0]]
    for face, facet in zip(member.faces, member.facets, strict=True):
        for edge in facet_kind(facet).edges:
            if len(edge) == 3:
                start, end, middle = nodes[[face[i] for i in edge]]
                np.testing.assert_allclose(middle, (start + end) / 2, atol=1e-12)
        # Faces look outward.
        points_of_face = nodes[list(face)]
        normal = facet_kind(facet).normals(points_of_face[None], *facet_kind(facet).centre)[0]
        assert normal @ (points_of_face.mean(axis=0) - nodes.mean(axis=0)) > 0.0
    assert model.element_sets["solid"].tolist() == [0]
    assert [text for _, text in model.unread] == ["section $NodeData"]


@pytest.mark.parametrize("version", list(FORMATS))
def test_physical_surfaces_are_surfaces_and_node_sets(tmp_path: Path, version: str) -> None:
    path = tmp_path / "named.msh"
    elements = [
        (3, 3, (0, 1, 2, 3)),
        (3, 4, (4, 5, 6, 7)),
        (2, 4, (0, 1, 6)),
        (5, 9, range(8)),
        (1, 0, (0, 1)),
    ]
    path.write_text(FORMATS[version](CUBE, elements))
    model = read_model(path)
    surface = surface_from_deck(model, "lower side")
    assert surface_area(surface, model.nodes) == pytest.approx(1.0)
    assert model.node_ids[model.node_sets["lower side"]].tolist() == [10, 20, 30, 40]
    assert (model.surfaces["Physical Surface 4"].faces.tolist()) == [1]
    assert "1 facets of Physical Surface 4: no exterior face of a solid" in [text for _, text in model.unread]


@pytest.mark.parametrize("version", list(FORMATS))
def test_solids_of_two_groups_are_there_once(tmp_path: Path, version: str) -> None:
    # Format 2.2 saves an element once for each of its groups, under a new number each time; in the group of a reversed
    # side its nodes stand the other way round.
    path = tmp_path / "groups.msh"
    if version == "2.2":
        elements = [(3, 3, (0, 1, 2, 3)), (3, 4, (0, 3, 2, 1)), (5, 9, range(8)), (5, 2, range(8))]
        text = format_2(CUBE, elements)
    else:
        text = format_4(CUBE, [(3, 3, (0, 1, 2, 3)), (5, 9, range(8))])
        assert "1 3 0" in text and "1 9 0" in text
        text = text.replace("1 3 0", "2 -3 4 0").replace("1 9 0", "2 9 -2 0")
    path.write_text(text)
    model = read_model(path)
    assert {name: rows.tolist() for name, rows in model.element_sets.items()} == {
        "solid": [0], "Physical Volume 2": [0],
    }  # fmt: skip
    assert len(model.element_ids) == 1
    assert mass_properties(model).volume == pytest.approx(1.0)
    assert set(model.surfaces) == {"lower side", "Physical Surface 4"}
    for name in model.surfaces:
        assert surface_area(surface_from_deck(model, name), model.nodes) == pytest.approx(1.0)


def test_equal_elements_of_two_entities_stay_two(tmp_path: Path) -> None:
    # Only what one entity has twice is one element: a volume that was meshed twice is a mistake of the mesh.
    path = tmp_path / "twice.msh"
    text = format_2(CUBE, [(5, 9, range(8)), (5, 2, range(8))])
    path.write_text(text.replace("2 5 2 2 1 ", "2 5 2 2 7 "))
    assert len(read_model(path).element_ids) == 2


def test_blanks_may_stand_beside_the_names_of_sections(tmp_path: Path) -> None:
    path = tmp_path / "blanks.msh"
    path.write_text(format_2(CUBE, [(5, 9, range(8))]).replace("$EndNodes\n", "$EndNodes \t\n"))
    assert len(read_model(path).element_ids) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("2.2 0 8", "2.2 1 8"), "section \\$Nodes ends too early"),
        (("2.2 0 8", "4.0 0 8"), "the format 4 is not known"),
        (("$EndElements", ""), "section .Elements is never closed"),
        (("10 0 0 0", "10 0 zero 0"), "line 11: found '10 0 zero 0', expected number, x, y, z"),
        (("1 5 2 9 1 10 ", "1 5 2 9 1 "), "element 1 has 7 nodes, expected 8"),
        (("1 5 2 9 1 10 ", "1 5 2 9 1 11 "), "uses node 11, which does not exist"),
        (("1 5 2 9 1 10 20 30 40 50 60 70 80", "1 3 2 9 1 10 20 30 40"), "no solid elements"),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    path = tmp_path / "wrong.msh"
    text = format_2(CUBE, [(5, 9, range(8))])
    assert change[0] in text
    path.write_text(text.replace(*change))
    with pytest.raises(ReadError, match=words):
        read_model(path)
