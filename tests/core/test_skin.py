"""The skin of every kind of solid element, surfaces and connected parts on small meshes."""

from dataclasses import replace

import h5py
import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.connectivity import connected_parts, held_parts, loose_parts
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import Coupling, DeckSurface, ElementBlock, FeModel
from faying.fem.skin import (
    Skin,
    exterior_faces,
    facet_areas,
    find_skin,
    nodal_normals,
    surface_area,
    surface_from_deck,
    surface_of_faces,
)
from faying.records import read_record, write_record
from support.boxes import box

SOLIDS = [
    kind
    for kind, member in element_kinds.items()
    if member.faces and not (member.is_shell or member.is_outline)
]


def block_of(kind: str, size: tuple[int, int, int], warp: float = 0.0) -> FeModel:
    """Return a box of unit cells meshed with elements of one kind; `warp` distorts it smoothly."""
    model = box(kind, size, tuple(map(float, size)))
    nodes = model.nodes
    x, y, z = nodes.T
    nodes = nodes + warp * np.stack([np.sin(y + z), np.cos(x * z), np.sin(x + y)], axis=1)
    return FeModel("box", model.node_ids, nodes, model.blocks)


def boundary_integral(skin: Skin, nodes: np.ndarray) -> tuple[np.ndarray, float]:
    """Return ∫ n dA and ∫ x·n dA / 3 (the enclosed volume) with a rule exact for quadratic facets."""
    vector, volume = np.zeros(3), 0.0
    points, weights = np.polynomial.legendre.leggauss(5)
    for block in skin.surface.blocks:
        kind = facet_kind(block.facet)
        coordinates = nodes[block.connectivity]
        for a, wa in zip(points, weights, strict=True):
            for b, wb in zip(points, weights, strict=True):
                if kind.n_corners == 4:
                    xi, eta, weight = a, b, wa * wb
                else:  # the square folded onto the triangle
                    xi, eta = (1 + a) / 2, (1 - a) * (1 + b) / 4
                    weight = wa * wb * (1 - a) / 8
                normal = kind.normals(coordinates, xi, eta)
                position = np.einsum("k,nkx->nx", kind.shape(xi, eta), coordinates)
                vector += weight * normal.sum(axis=0)
                volume += weight * np.einsum("nx,nx->", position, normal) / 3.0
    return vector, volume


@pytest.mark.parametrize("kind", SOLIDS)
def test_skin_of_a_box_is_closed_and_outward(kind: str) -> None:
    model = block_of(kind, (3, 2, 1))
    skin = find_skin(model)
    assert skin.areas.sum() == pytest.approx(2 * (3 * 2 + 2 * 1 + 3 * 1))
    assert np.abs((skin.areas[:, None] * skin.normals).sum(axis=0)).max() < 1e-12
    outward = skin.centroids - np.array([1.5, 1.0, 0.5])
    assert (np.einsum("ij,ij->i", outward, skin.normals) > 0.0).all()
    assert boundary_integral(skin, model.nodes)[1] == pytest.approx(6.0)
    edges = sum(facet_kind(b.facet).n_corners * len(b.connectivity) for b in skin.surface.blocks)
    assert 2 * len(skin.neighbours) == edges


@pytest.mark.parametrize("kind", SOLIDS)
def test_skin_of_a_warped_box_is_closed_and_encloses_its_volume(kind: str) -> None:
    model = block_of(kind, (3, 2, 2), warp=0.08)
    vector, volume = boundary_integral(find_skin(model), model.nodes)
    assert np.abs(vector).max() < 1e-12
    assert volume == pytest.approx(12.0, rel=0.15) and volume > 0.0


@pytest.mark.parametrize("kind", SOLIDS)
def test_every_face_of_one_element_is_exterior_in_its_own_order(kind: str) -> None:
    model = block_of(kind, (1, 1, 1))
    block = model.blocks[0]
    single = (ElementBlock(block.element, block.label, block.ids[:1], block.connectivity[:1], ""),)
    elements, faces = exterior_faces(single)
    assert elements.tolist() == [0] * len(element_kinds[kind].faces)
    assert faces.tolist() == list(range(len(element_kinds[kind].faces)))


def test_growth_on_a_box_takes_one_side_or_everything() -> None:
    model = block_of("tet4", (3, 2, 1))
    skin = find_skin(model)
    top = int(np.argmax(skin.centroids[:, 2]))
    side = skin.grow(top, 0.0)
    assert skin.areas[side].sum() == pytest.approx(6.0) and np.allclose(skin.normals[side], (0, 0, 1))
    assert len(skin.grow(top, 89.0)) == len(side)
    assert len(skin.grow(top, 91.0)) == skin.surface.n_facets


def test_facet_numbers_go_there_and_back() -> None:
    model = block_of("tet10", (2, 1, 1))
    skin = find_skin(model)
    numbers = np.array([3, 7, 11])
    chosen = skin.chosen(numbers, "some")
    block = chosen.blocks[0]
    assert [skin.facet_number(e, f) for e, f in zip(block.elements, block.faces, strict=True)] == [3, 7, 11]
    assert np.array_equal(facet_areas(chosen, model.nodes), skin.areas[numbers])
    inner = set(range(4)) - set(skin.surface.blocks[0].faces[skin.surface.blocks[0].elements == 0].tolist())
    assert skin.facet_number(0, inner.pop()) == -1


def test_nodal_normals_of_a_sphere_point_along_the_radius() -> None:
    # A cube of quadratic tetrahedra blown up to a ball: the normals at its nodes are known.
    model = block_of("tet10", (4, 4, 4))
    offset = model.nodes - 2.0
    largest = np.abs(offset).max(axis=1)
    length = np.linalg.norm(offset, axis=1)
    ball = offset * np.where(length > 0, largest / np.where(length > 0, length, 1.0), 0.0)[:, None]
    model = FeModel("ball", model.node_ids, ball, model.blocks)
    skin = find_skin(model)
    normals = nodal_normals(skin.surface, ball)
    radial = ball[skin.surface.nodes] / 2.0
    assert np.einsum("ij,ij->i", normals, radial).min() > np.cos(np.radians(6.0))
    assert surface_area(skin.surface, ball) == pytest.approx(16 * np.pi, rel=0.03)


def test_facets_of_two_kinds_are_numbered_through_the_blocks() -> None:
    tets, bricks = block_of("tet4", (1, 1, 1)), block_of("tet10", (1, 1, 1))
    shifted = bricks.blocks[0]
    both = FeModel(
        "both", np.arange(1, 1 + len(tets.nodes) + len(bricks.nodes)),
        np.vstack([tets.nodes, bricks.nodes + 5.0]),
        (tets.blocks[0], ElementBlock("tet10", "C3D10", 100 + shifted.ids, shifted.connectivity + len(tets.nodes), "")),
    )  # fmt: skip
    skin = find_skin(both)
    assert [b.facet for b in skin.surface.blocks] == ["tri3", "tri6"]
    assert skin.surface.n_facets == 24 and (skin.centroids[12:] > 4.0).all()
    far = skin.chosen(np.array([0, 15]), "two")
    assert [len(b.connectivity) for b in far.blocks] == [1, 1]
    assert len(skin.grow(15, 91.0)) == 12  # does not jump to the other cube
    assert connected_parts(both)[1] == 2


def test_node_surface_takes_facets_with_all_nodes_in_it() -> None:
    model = block_of("tet10", (2, 2, 1))
    top = np.flatnonzero(model.nodes[:, 2] == 1.0)
    empty = np.zeros(0, np.int64)
    surfaces = {
        "TOP": DeckSurface("TOP", empty, empty, top),
        "CORNER": DeckSurface("CORNER", empty, empty, top[:1]),
    }
    model = FeModel("box", model.node_ids, model.nodes, model.blocks, surfaces=surfaces)
    assert surface_area(surface_from_deck(model, "top"), model.nodes) == pytest.approx(4.0)
    with pytest.raises(ModelError, match="CORNER has no facets"):
        surface_from_deck(model, "CORNER")
    with pytest.raises(ModelError, match=r"no surface called 'BOTTOM'.*TOP, CORNER"):
        surface_from_deck(model, "BOTTOM")


def test_a_face_that_an_element_does_not_have_is_named() -> None:
    model = block_of("tet4", (1, 1, 1))
    with pytest.raises(ModelError, match=r"face S6 of element 3"):
        surface_of_faces(model.blocks, "bad", np.array([0, 2]), np.array([0, 5]))


def test_the_skin_of_a_model_of_beams_is_empty() -> None:
    nodes = np.array([[0.0, 0, 0], [1, 0, 0]])
    blocks = (ElementBlock("beam2", "B31", np.array([1]), np.array([[0, 1]]), ""),)
    skin = find_skin(FeModel("beam", np.array([1, 2]), nodes, blocks))
    assert skin.surface.n_facets == len(skin.areas) == len(skin.neighbours) == 0


def test_skin_is_stored_and_read_again(tmp_path: object) -> None:
    skin = find_skin(block_of("tet10", (1, 1, 1)))
    with h5py.File("skin.h5", "w", driver="core", backing_store=False) as file:
        write_record(file, "skin", skin)
        again = read_record(file["skin"])
    assert np.array_equal(again.neighbours, skin.neighbours)
    assert again.surface.blocks[0].facet == "tri6" and np.array_equal(again.grow(0, 1.0), skin.grow(0, 1.0))


def test_connected_parts_through_nodes_and_couplings() -> None:
    box = block_of("tet4", (1, 1, 1))
    n = len(box.nodes)
    nodes = np.vstack([box.nodes, box.nodes + 3.0, [[9.0, 9, 9], [8.0, 8, 8]]])
    block = ElementBlock("tet4", "C3D4", np.arange(1, 13), np.vstack([box.blocks[0].connectivity + n,
                         box.blocks[0].connectivity]), "")  # fmt: skip
    apart = FeModel("two", np.arange(1, len(nodes) + 1), nodes, (block,))
    parts, count = connected_parts(apart)
    assert count == 2
    assert (parts[:n] == 0).all() and (parts[n : 2 * n] == 1).all() and parts[2 * n :].tolist() == [-1, -1]
    # A held node of no element holds nothing, so the largest part counts as held.
    assert held_parts(parts, [2 * n]) == held_parts(parts, []) == {0}
    assert held_parts(parts, [2 * n, n]) == {1}
    assert len(loose_parts(apart, [2 * n])) == 1
    coupling = Coupling("C", "kinematic", 2 * n, np.array([0, n]), (1, 2, 3), np.ones(2))
    joined = FeModel("two", apart.node_ids, nodes, (block,), couplings=(coupling,))
    parts, count = connected_parts(joined)
    assert count == 1 and parts.tolist() == [0] * (2 * n + 1) + [-1]


def test_a_collapsed_element_has_a_face_without_area_and_no_warning() -> None:
    """A hexahedron with an edge of doubled nodes, as meshers write wedges beside holes."""
    model = box("hex8", (2, 1, 1), (2.0, 1.0, 1.0))
    connectivity = model.blocks[0].connectivity.copy()
    connectivity[1, 2], connectivity[1, 6] = connectivity[1, 1], connectivity[1, 5]
    wedge = replace(model, blocks=(replace(model.blocks[0], connectivity=connectivity),))
    with np.errstate(all="raise"):
        skin = find_skin(wedge)
    flat = skin.areas == 0.0
    assert flat.any() and not skin.normals[flat].any()
    np.testing.assert_allclose(np.linalg.norm(skin.normals[~flat], axis=1), 1.0)
