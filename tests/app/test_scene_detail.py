"""Large meshes are drawn coarsely while things move, in full when they stand still."""

import sys

import numpy as np
import pytest

from faying.fem.skin import find_skin
from faying.results.fields import FieldContext
from faying_app.scene import prefetch
from faying_app.scene.closure import is_closed
from faying_app.scene.coarsening import coarse_triangles
from faying_app.scene.content import CuttingPlane, DisplayOptions
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
        # Turned outwards, as the fine ones are: the half that looks away need not be drawn.
        on_side = np.abs(model.nodes[coarse][:, :, 2] - (0.05 if side > 0 else 0.0)).max(axis=1) < 1e-9
        assert (vectors[on_side, 2] * side > 0.0).all()


def test_closed_surfaces_are_told_from_open_and_inverted_ones() -> None:
    model = box("hex8", (4, 3, 2), (4.0, 3.0, 2.0))
    triangles, _ = facet_triangles(find_skin(model).surface)
    beside = np.concatenate([model.nodes, model.nodes + np.array([10.0, 0.0, 0.0])])
    second = triangles + len(model.nodes)
    assert is_closed(triangles, model.nodes)
    assert is_closed(np.concatenate([triangles, second]), beside)
    assert not is_closed(triangles[1:], model.nodes), "a hole"
    assert not is_closed(triangles[:, ::-1], model.nodes), "inside out"
    assert not is_closed(np.concatenate([triangles, second[:, ::-1]]), beside), "one of two is inside out"
    turned = triangles.copy()
    turned[0] = turned[0, ::-1]
    assert not is_closed(turned, model.nodes), "one facet is inside out"
    assert not is_closed(np.zeros((0, 3), np.int64), model.nodes)


@pytest.mark.window
def test_a_closed_body_is_drawn_by_its_near_side_alone_and_looks_the_same(plates) -> None:
    with photographer((400, 300)) as camera:
        camera.scene.set_model(plates.model, plates.skin)
        look = camera.scene.visuals["body"].skin.GetProperty()
        for direction in ("iso", "-x", "-z"):
            camera.scene.view(direction)
            assert look.GetBackfaceCulling()
            near = camera.take()
            look.SetBackfaceCulling(False)
            assert np.array_equal(near, camera.take())
            look.SetBackfaceCulling(True)
        camera.scene.change(display=DisplayOptions(sections=(CuttingPlane((1.0, 0.0, 0.0), 0.5),)))
        assert not look.GetBackfaceCulling(), "a cut lets one look inside"


@pytest.mark.window
def test_frames_made_ahead_are_those_made_when_they_are_shown(plates, monkeypatch) -> None:
    made, keep_displacement = [], FieldContext.keep_displacement

    def keep(context, frame, values):
        if sys._getframe(1).f_code.co_name == "hand_over":
            made.append(frame)
        return keep_displacement(context, frame, values)

    monkeypatch.setattr(prefetch, "_LARGE", 0)
    monkeypatch.setattr(FieldContext, "keep_displacement", keep)
    with photographer((100, 80)) as camera:
        scene = camera.scene
        scene.set_model(plates.model, plates.skin)
        scene.set_frames(plates.run, {"joint": plates.pairs})
        for frame in (0, 1, 2, 3, 9, 2, 1, 0, 23):
            scene.show_frame(frame, field="displacement", scale=3.0)
            moved = plates.body.displacements @ plates.run.frames.coordinates(frame)
            np.testing.assert_allclose(
                scene.content.frame.positions - plates.model.nodes, 3.0 * moved.reshape(-1, 3), atol=1e-9
            )
    assert made == [2, 3, 0], "2 and 3 in play, 0 backwards; jumps are not foreseen"


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
