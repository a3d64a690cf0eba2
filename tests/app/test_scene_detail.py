"""Large meshes are drawn coarsely while things move, in full when they stand still."""

import numpy as np
import pytest

from faying.fem.skin import find_skin
from faying_app.scene.coarsening import coarse_triangles
from faying_app.scene.meshes import facet_triangles
from faying_app.scene.pace import CLOSELY, Pace
from faying_app.scene.picture import photographer
from support.boxes import box


def test_only_changes_that_follow_a_picture_closely_are_movement() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert not pace.is_moving("a"), "there was no picture before"
    pace.note_drawn()
    now[0] += 0.5 * CLOSELY
    assert not pace.is_moving("a"), "nothing moved"
    assert pace.is_new("b") and pace.is_moving("b")
    now[0] += 2.0 * CLOSELY
    assert not pace.is_moving("c"), "a single change, long after the last picture"


def test_a_coarse_surface_keeps_both_sides_of_a_thin_plate_and_its_area() -> None:
    model = box("hex8", (60, 60, 1), (10.0, 10.0, 0.05))
    fine, _ = facet_triangles(find_skin(model).surface)
    coarse = coarse_triangles(fine, model.nodes, 800)
    assert 400 < len(coarse) < 1600
    a, b, c = model.nodes[coarse.T]
    vectors = 0.5 * np.cross(b - a, c - a)
    for side in (1.0, -1.0):
        facing = vectors[:, 2][np.sign(vectors[:, 2]) == side]
        assert np.abs(facing).sum() == pytest.approx(100.0, rel=0.12)


def test_a_large_body_is_coarse_in_motion_full_at_rest_and_under_the_pointer() -> None:
    model = box("hex8", (100, 100, 1), (10.0, 10.0, 0.1))
    skin = find_skin(model)
    with photographer((320, 240)) as camera:
        scene, asked = camera.scene, []
        stage = scene.stage
        stage.rest_later = lambda: asked.append(True)
        scene.set_model(model, skin)
        scene.set_visible("mesh_edges", True)
        scene.view("iso")
        drawn = stage.visuals["body"].skin.GetMapper()
        edges = stage.visuals["mesh_edges"].lines
        full = camera.take()
        stage.pace.note_drawn()
        scene.view("+z")
        camera.draw()
        assert drawn.GetInput().GetNumberOfCells() < 20_000 and not edges.GetVisibility() and asked
        picked = scene.pick(160, 120)
        assert picked is not None and skin.normals[picked.number] == pytest.approx([0.0, 0.0, 1.0])
        camera.draw()
        assert drawn.GetInput().GetNumberOfCells() == 2 * len(skin.areas) and edges.GetVisibility()
        stage.pace.rest()
        scene.view("iso")
        assert np.array_equal(camera.take(), full)
