"""The family of mesh checks: each is provoked, and a good mesh gives no finding."""

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from faying.fem.bolt_cuts import with_cut_bolt
from faying.fem.element_quality import element_quality, element_sizes, smallest_jacobians
from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, FeModel, LinearEquations
from faying.fem.model_checks import CheckedModel, ModelFinding, check_model, model_checks
from faying.fem.model_checks.joint_sizes import coarseness
from faying.fem.readers import read_model
from faying.fem.skin import find_skin, surface_from_deck
from faying.fem.solid_element import SolidElement
from support.boxes import box
from support.plates import stacked_plates

SOLIDS = [kind for kind, cls in element_kinds.items() if issubclass(cls, SolidElement)]


def findings(model: FeModel, **joints: tuple[str, str]) -> dict[str, ModelFinding]:
    """Return the findings of all checks by kind."""
    surfaces = {
        name: (surface_from_deck(model, a), surface_from_deck(model, b)) for name, (a, b) in joints.items()
    }
    return {f.check: f for f in check_model(CheckedModel(model, find_skin(model), surfaces))}


def with_blocks(model: FeModel, *blocks: ElementBlock, nodes: np.ndarray | None = None) -> FeModel:
    """Return the model with other blocks, and other coordinates if given."""
    return replace(model, blocks=blocks, nodes=model.nodes if nodes is None else nodes)


@pytest.mark.parametrize("kind", SOLIDS)
def test_good_meshes_have_no_findings(kind: str) -> None:
    model = box(kind, (3, 2, 2), (3.0, 2.0, 2.0), distortion=0.15, curvature=0.05)
    assert findings(model) == {}
    quality, sizes = element_quality(model), element_sizes(model)
    assert (quality > 0.2).all()
    assert (quality <= 1.0).all()
    assert (np.abs(sizes - 1.0) < 0.45).all()
    assert (smallest_jacobians(model) > 0.0).all()


def test_the_ideal_elements_have_quality_one() -> None:
    assert element_quality(box("hex8", (2, 2, 2), (2.0, 2.0, 2.0))) == pytest.approx(1.0)
    corners = np.array(
        [(0, 0, 0), (1, 0, 0), (0.5, np.sqrt(0.75), 0), (0.5, np.sqrt(1 / 12), np.sqrt(2 / 3))]
    )
    block = ElementBlock("tet4", "C3D4", np.array([7]), np.arange(4)[None], "STEEL")
    tet = FeModel("tet", np.arange(1, 5), corners, (block,))
    assert element_quality(tet) == pytest.approx([1.0])
    assert smallest_jacobians(tet) == pytest.approx([np.sqrt(0.5)])
    assert element_sizes(tet) == pytest.approx([1.0])
    prism = np.concatenate([corners[:3], np.add(corners[:3], (0, 0, 1))])
    block = ElementBlock("wedge6", "C3D6", np.array([7]), np.arange(6)[None], "STEEL")
    assert element_quality(FeModel("wedge", np.arange(1, 7), prism, (block,))) == pytest.approx([1.0])


def test_free_nodes() -> None:
    found = findings(box("tet4", (1, 1, 1), (1.0, 1.0, 1.0), extra_nodes=((5.0, 5.0, 5.0),)))
    assert set(found) == {"free_nodes"}
    assert found["free_nodes"].nodes.tolist() == [8]
    assert "Node 9 belongs to no element" in found["free_nodes"].sentence


def test_nodes_of_equations_are_not_free() -> None:
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0), extra_nodes=((2.0, 0.0, 0.0),))
    held = LinearEquations("E", np.array([0, 2]), np.array([8, 0]), np.array([1, 1]), np.array([1.0, -1.0]))
    assert findings(replace(model, equations=(held,))) == {}


def test_duplicate_nodes_in_a_part_and_between_parts() -> None:
    model = box("hex8", (2, 1, 1), (2.0, 1.0, 1.0))
    # The second brick gets an edge of its own: a crack.
    block = model.blocks[0]
    connectivity = block.connectivity.copy()
    shared = np.intersect1d(*connectivity)
    old = shared[:2]
    for number, node in enumerate(old):
        connectivity[1][connectivity[1] == node] = len(model.nodes) + number
    cracked = replace(
        model, node_ids=np.arange(1, len(model.nodes) + 3), nodes=np.concatenate([model.nodes, model.nodes[old]]),
        blocks=(replace(block, connectivity=connectivity),),
    )  # fmt: skip
    found = findings(cracked)["duplicate_nodes"]
    assert found.severity == "warning"
    assert set(found.nodes) == {*old, len(model.nodes), len(model.nodes) + 1}
    # Plates of the same mesh touch: a note, and nothing once a joint is made of them.
    plates = stacked_plates(upper=(4, 2, 1), lower=(4, 2, 1))
    assert findings(plates)["duplicate_nodes"].severity == "note"
    assert "duplicate_nodes" not in findings(plates, lap=("LOWER", "UPPER"))


def test_duplicate_elements() -> None:
    model = box("tet4", (1, 1, 1), (1.0, 1.0, 1.0))
    block = model.blocks[0]
    again = replace(block, ids=np.array([99]), connectivity=block.connectivity[2:3, [1, 2, 0, 3]])
    found = findings(with_blocks(model, block, again))["duplicate_elements"]
    assert found.elements.tolist() == [2, len(block.ids)]
    assert "(3, 99)" in found.sentence


def test_elements_inside_out_show_in_jacobian_and_normals() -> None:
    model = box("tet10", (2, 1, 1), (2.0, 1.0, 1.0))
    block = model.blocks[0]
    connectivity = block.connectivity.copy()
    connectivity[3] = connectivity[3][[1, 0, 2, 3, 4, 6, 5, 8, 7, 9]]
    found = findings(with_blocks(model, replace(block, connectivity=connectivity)))
    for kind in ("jacobians", "normals"):
        assert found[kind].severity == "error"
        assert found[kind].elements.tolist() == [3]
        assert "Element 4" in found[kind].sentence


def test_bent_edges_show_in_jacobian() -> None:
    model = box("hex20", (1, 1, 1), (1.0, 1.0, 1.0))
    nodes = model.nodes.copy()
    nodes[model.blocks[0].connectivity[0, 8]] += (0.45, 0.0, 0.0)  # the midside node almost at the corner
    assert findings(with_blocks(model, *model.blocks, nodes=nodes))["jacobians"].elements.tolist() == [0]


def test_a_curved_face_that_reaches_beyond_its_element_looks_outward() -> None:
    """A valid tetrahedron over a concave base: the base's middle lies above the mean of the nodes."""
    angles = np.radians(
        [90.0, 330.0, 210.0]
    )  # seen from above clockwise, so that the apex is behind the face
    base = np.stack([np.cos(angles), np.sin(angles), np.zeros(3)], axis=1) / np.sqrt(3.0)
    corners = np.vstack([base[::-1], [(0.0, 0.0, 1.0)]])
    edges = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
    middles = np.array([corners[list(edge)].mean(axis=0) for edge in edges])
    middles[:3, 2] += 0.3
    block = ElementBlock("tet10", "C3D10", np.array([157]), np.arange(10)[None], "STEEL")
    tet = FeModel("tet", np.arange(1, 11), np.vstack([corners, middles]), (block,))
    assert smallest_jacobians(tet).min() > 0.05
    # The check of before: the base's middle less the nodes' mean, along the base's normal.
    skin = find_skin(tet)
    outward = np.einsum("ij,ij->i", skin.normals, skin.centroids - tet.nodes.mean(axis=0))
    assert outward.min() < -0.05
    assert "normals" not in findings(tet)


def test_nodes_that_are_tied_or_cut_by_a_bolt_are_no_crack() -> None:
    plates = stacked_plates(upper=(4, 2, 1), lower=(4, 2, 1))
    found = findings(plates)["duplicate_nodes"].nodes
    lower, upper = np.sort(found)[: len(found) // 2], np.sort(found)[len(found) // 2 :]
    below = np.array(
        [lower[np.argmin(np.linalg.norm(plates.nodes[lower] - x, axis=1))] for x in plates.nodes[upper]]
    )
    tied, masters = upper[1:], below[1:]  # one pair stays loose
    equations = LinearEquations(
        "TIE", np.arange(0, 2 * len(tied) + 1, 2), np.stack([tied, masters], axis=1).ravel(),
        np.ones(2 * len(tied), np.int64), np.tile([1.0, -1.0], len(tied)), yields=True,
    )  # fmt: skip
    assert set(findings(replace(plates, equations=(equations,)))["duplicate_nodes"].nodes) == {
        upper[0],
        below[0],
    }
    rod = box("hex8", (4, 2, 2), (4.0, 1.0, 1.0))
    centres = rod.nodes[rod.blocks[0].connectivity].mean(axis=1)
    before = np.flatnonzero((centres[:, 0] > 1.0) & (centres[:, 0] < 2.0))
    faces = [
        (int(element), face)
        for element in before
        for face, nodes in enumerate(element_kinds["hex8"].faces)
        if np.allclose(rod.nodes[rod.blocks[0].connectivity[element][list(nodes)], 0], 2.0)
    ]
    elements, numbers = np.array(faces).T
    cut = with_cut_bolt(rod, "M8", elements, numbers)
    assert "duplicate_nodes" not in findings(cut)


def test_unconnected_parts_until_a_joint_joins_them() -> None:
    plates = replace(stacked_plates(upper=(5, 2, 1)), couplings=())
    found = findings(plates)["unconnected_parts"]
    assert len(found.elements) == 8  # the smaller part
    assert "8 elements" in found.sentence
    assert "unconnected_parts" not in findings(plates, lap=("LOWER", "UPPER"))
    # A joint whose slave surface lies on two parts, and a part that no joint touches.
    low, one = box("hex8", (3, 1, 1), (3.0, 1.0, 1.0)), box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    moved = [one.nodes + np.array(by) for by in ([0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [9.0, 0.0, 0.0])]
    n, m = len(low.nodes), len(one.nodes)
    cells = [low.blocks[0].connectivity, *(one.blocks[0].connectivity + n + i * m for i in range(3))]
    block = replace(low.blocks[0], ids=np.arange(1, 7), connectivity=np.concatenate(cells))
    nodes = np.concatenate([low.nodes, *moved])
    model = replace(low, node_ids=np.arange(1, len(nodes) + 1), nodes=nodes, blocks=(block,), node_sets={})
    skin = find_skin(model)
    level = np.isclose(skin.centroids[:, 2], 1.0) & (skin.centroids[:, 0] < 5.0)
    sides = tuple(
        skin.chosen(np.flatnonzero(level & (way * skin.normals[:, 2] > 0.5)), "") for way in (1, -1)
    )
    (alone,) = model_checks["unconnected_parts"](CheckedModel(model, skin, {"lap": sides}))
    assert alone.elements.tolist() == [5]


def test_flat_elements_and_facets_out_of_proportion() -> None:
    model = box("hex8", (4, 4, 1), (4.0, 4.0, 1.0))
    nodes = model.nodes.copy()
    nodes[np.isclose(nodes[:, 0], 1.0), 0] = 0.01
    slim = with_blocks(model, *model.blocks, nodes=nodes)
    assert "quality" not in findings(slim)  # slender, but not skew
    nodes = model.nodes.copy()
    inner = np.isclose(nodes[:, 0], 1.0) & (nodes[:, 2] > 0.5)
    nodes[inner, 0] = 1.98
    nodes[inner, 2] = 0.04
    assert len(findings(with_blocks(model, *model.blocks, nodes=nodes))["quality"].elements) > 0


def test_coarse_slave_and_tiny_facets_in_a_joint() -> None:
    plates = stacked_plates(upper=(8, 4, 1), lower=(4, 2, 1))
    assert "joint_sizes" not in findings(plates, lap=("LOWER", "UPPER"))
    found = findings(plates, lap=("UPPER", "LOWER"))["joint_sizes"]
    assert "coarser than its master" in found.sentence
    # Of two facets the median is the mean of their edges, in the verdict as in the sentence.
    rod = box("hex8", (2, 1, 1), (4.0, 1.0, 1.0))
    nodes = rod.nodes.copy()
    nodes[np.isclose(nodes[:, 0], 2.0), 0] = 0.25
    skin = find_skin(replace(rod, nodes=nodes))
    end, top = (
        skin.chosen(np.flatnonzero(skin.normals @ way > 0.5), "") for way in (-np.eye(3)[0], np.eye(3)[2])
    )
    assert coarseness(end, top, nodes) == pytest.approx(0.5 * (0.25**0.5 + 3.75**0.5))
    nodes = plates.nodes.copy()
    nodes[np.isclose(nodes[:, 0], 5.0), 0] = 0.05
    found = findings(replace(plates, nodes=nodes), lap=("LOWER", "UPPER"))["joint_sizes"]
    assert "tiny" in found.sentence
    assert len(found.elements) == 4


def test_the_friction_bar_is_clean() -> None:
    bar = read_model(str(files("faying_resources") / "examples" / "friction_bar_19k.inp"))
    found = findings(bar, lap=("JOINT_MASTER", "JOINT_SLAVE"))
    assert {f.severity for f in found.values()} <= {"note"}
