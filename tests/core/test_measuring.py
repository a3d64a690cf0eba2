"""Angles, planes and cylinders of faces against what they are known to be."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.facet_names import sets_of_facet
from faying.fem.measuring import angle_at, angle_between, find_cylinder, normal_of_plane
from faying.fem.readers import read_model
from faying.fem.skin import find_skin
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
