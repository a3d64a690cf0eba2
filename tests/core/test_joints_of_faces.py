"""Faces recognised from triangles of known shapes, and the joints that two of them suggest."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.face_shapes import FaceShape, face_shapes_at, triangle_at
from faying.fem.skin import skin_of_surface
from faying.multibody.contacts.surface import surface_of_triangles
from faying.multibody.joints_of_faces import joints_of_faces
from faying.multibody.part_shapes import brick, tube
from faying.multibody.part_shapes.sphere import SphereShape

NONE = np.zeros(3)
OBLIQUE = np.linalg.qr(np.array([[0.6, 0.1, 0.3], [0.0, 1.0, 0.3], [0.8, 0.0, 0.2]]))[0]
OBLIQUE = OBLIQUE * np.sign(np.linalg.det(OBLIQUE))
SHIFT = np.array([100.0, -20.0, 3.0])


def skin_of(solid):
    surface, nodes = surface_of_triangles("it", solid.points @ OBLIQUE.T + SHIFT, solid.triangles)
    return skin_of_surface(surface, nodes), nodes


def at(skin, nodes, place):
    """Return what the place (3,) of the straight shape means."""
    there = OBLIQUE @ np.array(place) + SHIFT
    facet = triangle_at(nodes, skin.surface.blocks[0].connectivity, there)
    return face_shapes_at(skin, nodes, facet, there)


def straight(shape):
    """Return centre and axis in the axes of the shape itself."""
    return OBLIQUE.T @ (shape.centre - SHIFT), OBLIQUE.T @ shape.axis


def test_the_faces_of_a_box_are_planes_and_its_edges_are_found():
    skin, nodes = skin_of(brick(40.0, 20.0, 10.0))
    face, edge = at(skin, nodes, (5.0, 9.0, 5.0))
    centre, normal = straight(face)
    assert face.kind == "plane" and centre == pytest.approx([0.0, 0.0, 5.0], abs=1e-9)
    assert normal == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    assert abs((OBLIQUE.T @ face.across)[0]) == pytest.approx(1.0)  # the longer side
    assert edge.kind == "edge" and edge.length == pytest.approx(40.0)
    centre, along = straight(edge)
    assert centre == pytest.approx([0.0, 10.0, 5.0], abs=1e-9) and abs(along[0]) == pytest.approx(1.0)


@pytest.mark.parametrize(("bore", "radius"), [(0.0, 8.0), (3.0, 8.0)])
def test_outside_and_bore_of_a_tube_are_cylinders(bore, radius):
    skin, nodes = skin_of(tube(radius, bore, 30.0))
    shape = at(skin, nodes, (radius, 0.0, 0.0))[0]
    centre, axis = straight(shape)
    assert (shape.kind, shape.hollow) == ("cylinder", False)
    assert shape.size == pytest.approx(radius) and shape.length == pytest.approx(30.0)
    assert centre == pytest.approx(NONE, abs=1e-6) and abs(axis[2]) == pytest.approx(1.0)
    if bore:
        inside = at(skin, nodes, (bore, 0.0, 0.0))[0]
        assert inside.hollow and inside.size == pytest.approx(bore)
    end = at(skin, nodes, (0.6 * radius, 0.0, 15.0))[0]
    assert end.kind == "plane" and straight(end)[0] == pytest.approx([0.0, 0.0, 15.0], abs=1e-6)


def test_a_ball_is_a_ball_and_a_coarse_shank_is_round():
    solid = SphereShape(radius=12.0, centre=(1.0, 2.0, 3.0)).solid({})
    skin, nodes = skin_of(solid)
    shape = at(skin, nodes, (13.0, 2.0, 3.0))[0]
    assert shape.kind == "sphere" and shape.size == pytest.approx(12.0)
    assert straight(shape)[0] == pytest.approx([1.0, 2.0, 3.0], abs=1e-9)
    angles = 2.0 * np.pi * np.arange(8) / 8
    ring = np.column_stack([5.0 * np.cos(angles), 5.0 * np.sin(angles), 0.0 * angles])
    points = np.concatenate([ring, ring + np.array([0.0, 0.0, 20.0])])
    here, there = np.arange(8), np.roll(np.arange(8), -1)
    sides = np.concatenate(
        [np.column_stack([here, there, there + 8]), np.column_stack([here, there + 8, here + 8])]
    )
    surface, nodes = surface_of_triangles("shank", points, sides)
    skin = skin_of_surface(surface, nodes)
    found = face_shapes_at(skin, nodes, 0, skin.centroids[0])
    assert [shape.kind for shape in found][:2] == ["cylinder", "plane"]
    assert found[0].size == pytest.approx(5.0)


def test_a_face_of_no_known_shape_is_refused_with_what_to_do():
    x, y = (v.ravel() for v in np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9)))
    points = np.column_stack([x, y, 0.5 * x * y + 0.3 * x**3])  # a saddle
    number = np.arange(81).reshape(9, 9)
    a, b, c, d = (number[i : i + 8, j : j + 8].ravel() for i, j in ((0, 0), (0, 1), (1, 1), (1, 0)))
    surface, nodes = surface_of_triangles(
        "saddle", points, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    )
    skin = skin_of_surface(surface, nodes)
    with pytest.raises(ModelError, match="neither flat, round nor part of a ball") as refused:
        face_shapes_at(skin, nodes, 40, np.array([0.0, 0.9, 0.0]))
    assert "Add constraint" in refused.value.hint


def round_face(centre, axis, size=5.0, length=20.0, hollow=False):
    return FaceShape("cylinder", np.array(centre), np.array(axis), NONE, size, length, hollow)


def flat_face(centre, axis, across=(1.0, 0.0, 0.0), size=10.0):
    return FaceShape("plane", np.array(centre), np.array(axis), np.array(across), size)


def ball(centre, size=5.0, hollow=False):
    return FaceShape("sphere", np.array(centre), NONE, NONE, size, hollow=hollow)


def line(centre, axis, length=20.0):
    return FaceShape("edge", np.array(centre), np.array(axis), NONE, 0.5 * length, length)


X, Y, Z = np.eye(3)


@pytest.mark.parametrize(
    ("first", "second", "kind", "away"),
    [
        (round_face(NONE, Z), round_face([0.0, 0.0, 4.0], -Z, hollow=True), "revolute", 0.0),
        (round_face(NONE, Z, length=100.0), round_face([0.0, 0.0, 30.0], Z, hollow=True), "cylindrical", 0.0),
        (round_face(NONE, Z), round_face([9.0, 0.0, 0.0], X), "revolute", 9.0),
        (flat_face(NONE, Z), flat_face([3.0, 0.0, 0.0], -Z), "planar", 0.0),
        (flat_face(NONE, Z), flat_face([0.0, 0.0, 7.0], -Z), "planar", 7.0),
        (flat_face(NONE, Z), flat_face([30.0, 40.0, 0.0], -Z), "planar", 50.0),
        (ball(NONE), ball([0.0, 0.0, 0.0], hollow=True), "spherical", 0.0),
        (line(NONE, X), line([4.0, 0.0, 0.0], -X), "revolute", 0.0),
        (line(NONE, X), line([4.0, 3.0, 0.0], X), "revolute", 5.0),
        (round_face(NONE, Z), flat_face([1.0, 2.0, 10.0], Z), "revolute", 0.0),
        (ball([1.0, 2.0, 5.0]), flat_face(NONE, Z), "in_plane", 0.0),
        (ball([1.0, 0.0, 5.0]), round_face(NONE, Z, hollow=True), "point_on_line", 1.0),
        (line([1.0, 2.0, 0.0], X), flat_face(NONE, Z), "revolute", 0.0),
    ],
)  # fmt: skip
def test_two_faces_suggest_the_joint_in_either_order(first, second, kind, away):
    for one, two in ((first, second), (second, first)):
        found = joints_of_faces(one, two)
        best = found[0]
        assert best.kind == kind and best.away == pytest.approx(away, abs=1e-12)
        assert best.as_placed().away == 0.0 and best.as_placed().tilt == 0.0
        assert len({each.kind for each in found}) == len(found) >= 7
        for axes in best.axes:
            assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-12) and np.linalg.det(axes) > 0.0


def test_a_slide_of_flat_faces_goes_along_their_longer_side():
    found = joints_of_faces(flat_face(NONE, Z, across=Y), flat_face([0.0, 0.0, 1.0], -Z))
    slide = next(each for each in found if each.kind == "translational")
    assert abs(slide.axes[0][:, 2] @ Y) == pytest.approx(1.0)
    assert np.linalg.det(slide.axes[0]) == pytest.approx(1.0)
    assert next(each for each in found if each.kind == "planar").axes[0][:, 2] == pytest.approx(Z)


def test_the_ball_is_the_second_marker_of_a_guide():
    above, plate = ball([0.0, 0.0, 5.0]), flat_face(NONE, Z)
    for one, two, ball_at in ((above, plate, 0), (plate, above, 1)):
        best = joints_of_faces(one, two)[0]
        assert best.order[1] == ball_at and best.places[ball_at] == pytest.approx([0.0, 0.0, 5.0])
        assert best.places[1 - ball_at] == pytest.approx([0.0, 0.0, 5.0])  # the radius above the face
