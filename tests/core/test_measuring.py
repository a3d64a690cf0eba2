"""Angles, planes and cylinders of faces against what they are known to be."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.facet_names import sets_of_facet
from faying.fem.measuring import (
    angle_at,
    angle_between,
    direction_of_edge,
    find_cylinder,
    normal_of_plane,
)
from faying.fem.readers import read_model
from faying.fem.skin import find_skin
from faying.fem.surface import FacetBlock, Surface
from support.plate_deck import write_plate_deck


def turned(points):
    """Return points in some oblique axes."""
    axis = np.array([0.6, 0.0, 0.8])
    about = np.linalg.qr(np.column_stack([axis, [0.0, 1.0, 0.3], [1.0, 0.0, 0.0]]))[0]
    return points @ about.T


@pytest.mark.parametrize("arc", [25.0, 180.0, 360.0])
def test_a_cylinder_is_found_from_nodes_and_normals_wherever_it_lies(arc):
    angles = np.radians(np.linspace(0.0, arc, 13))
    rings = [
        np.column_stack([7.0 * np.cos(angles), 7.0 * np.sin(angles), np.full(13, z)])
        for z in (0.0, 4.0, 10.0)
    ]
    normals = -np.column_stack([np.cos(angles), np.sin(angles), np.zeros(13)])  # of a hole
    shift = np.array([100.0, -20.0, 3.0])
    found = find_cylinder(turned(np.concatenate(rings)) + shift, turned(normals))
    assert found.radius == pytest.approx(7.0, rel=1e-9) and found.miss < 1e-8
    assert found.centre == pytest.approx(turned(np.array([[0.0, 0.0, 5.0]]))[0] + shift, abs=1e-7)
    assert abs(found.axis @ turned(np.array([[0.0, 0.0, 1.0]]))[0]) == pytest.approx(1.0)


def test_what_is_no_cylinder_and_no_plane_is_refused_by_a_sentence():
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0], [0.5, 1, 0]])
    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    with pytest.raises(ModelError, match="no cylinder"):
        find_cylinder(flat, up)
    assert normal_of_plane(flat, -up) == pytest.approx([0.0, 0.0, -1.0])
    bent = flat.copy()
    bent[4, 2] = 0.3
    with pytest.raises(ModelError, match="not flat"):
        normal_of_plane(bent, up)
    assert angle_at(np.zeros(3), np.array([2.0, 0, 0]), np.array([-1.0, 1.0, 0])) == pytest.approx(135.0)
    assert angle_between(np.array([1.0, 0, 0]), np.array([1.0, 1e-9, 0])) == pytest.approx(
        np.degrees(1e-9), rel=1e-6
    )
    with pytest.raises(ModelError, match="points are one"):
        angle_at(np.zeros(3), np.zeros(3), np.array([1.0, 0, 0]))


def test_a_facet_knows_the_names_that_its_deck_has_for_it(tmp_path):
    model = read_model(write_plate_deck(tmp_path / "plates.inp"))
    skin = find_skin(model)
    upper = model.surfaces["UPPER"]
    facet = skin.facet_number(int(upper.elements[0]), int(upper.faces[0]))
    assert sets_of_facet(model, skin, facet)["surface"] == ["UPPER"]
    top = int(np.argmax(skin.centroids[:, 2]))
    names = sets_of_facet(model, skin, top)
    assert "UPPER" not in names["surface"]
    labels = skin.smooth_faces(20.0)
    assert (np.flatnonzero(labels == labels[top]) == skin.grow(top, 20.0)).all()


def quads(columns, rows, place):
    """Return places and a face of quadrilaterals; `place` puts (column, row) into space."""
    nodes = np.array([place(i, j) for j in range(rows + 1) for i in range(columns + 1)])
    corners = np.array(
        [
            [j * (columns + 1) + i + di + dj * (columns + 1) for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
            for j in range(rows)
            for i in range(columns)
        ]
    )
    there = np.arange(len(corners))
    return nodes, Surface("", (FacetBlock("quad4", corners, there, np.zeros_like(there)),))


def test_the_nearest_straight_edge_of_a_face_gives_a_direction():
    nodes, face = quads(5, 3, lambda i, j: [2.0 * i, 1.0 * j + 0.5 * i, 0.0])
    nodes = turned(nodes)
    for place, along in (([5.0, 1.6, 0.0], [2.0, 0.5, 0.0]), ([0.2, 1.5, 0.0], [0.0, 1.0, 0.0])):
        found = direction_of_edge(face, nodes, turned(np.array([place]))[0])
        wanted = turned(np.array([along]))[0]
        assert np.linalg.norm(found) == pytest.approx(1.0)
        assert np.linalg.norm(np.cross(found, wanted)) < 1e-9 * np.linalg.norm(wanted)


def test_round_edges_and_closed_faces_have_no_direction():
    def ring(i, j):
        return [(3.0 + j) * np.cos(i * np.pi / 12), (3.0 + j) * np.sin(i * np.pi / 12), 0.0]

    nodes, face = quads(12, 2, ring)  # half a washer: straight where it is cut
    with pytest.raises(ModelError, match="is round"):
        direction_of_edge(face, nodes, np.array([0.0, 3.1, 0.0]))
    found = direction_of_edge(face, nodes, np.array([4.0, 0.1, 0.0]))
    assert abs(found[0]) == pytest.approx(1.0)
    cube = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], float)
    sides = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    closed = Surface("", (FacetBlock("quad4", sides, np.arange(6), np.zeros(6, int)),))
    with pytest.raises(ModelError, match="no edge"):
        direction_of_edge(closed, cube, np.zeros(3))
