"""The scene really drawn by VTK without a window: what is seen, and that playing makes nothing new."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.exporters.shown_loads import ShownLoad
from faying_app.scene.camera import zoomed_pose
from faying_app.scene.colours import DARK, LIGHT, rgb
from faying_app.scene.content import Highlight, Symbols
from faying_app.scene.picture import Photographer, draw_copy, text_scale

pytestmark = pytest.mark.window

SIZE = (800, 500)


@pytest.fixture
def camera(plates):
    made = Photographer(SIZE)
    made.scene.set_model(plates.model, plates.skin)
    made.scene.view("iso")
    yield made
    made.close()


def share(picture, colour, reach=0.06):
    """Share of the pixels that are nearly of a colour."""
    away = np.abs(picture[:, :, :3] / 255.0 - np.array(rgb(colour))).max(axis=2)
    return float((away < reach).mean())


def differs(one, other):
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 8).mean())


def actors(camera):
    return camera.scene.stage.renderer.GetViewProps().GetNumberOfItems()


def test_the_body_is_seen_and_fitted(camera):
    camera.scene.set_visible("triad", False)
    picture = camera.take()
    assert picture.shape == (500, 800, 3)
    camera.scene.set_visible("body", False)
    empty = camera.take()
    changed = np.argwhere(np.abs(picture.astype(int) - empty.astype(int)).max(axis=2) > 60)
    assert changed[:, 0].min() > 20 and changed[:, 0].max() < 480
    assert changed[:, 1].min() > 10 and changed[:, 1].max() < 790
    assert changed[:, 1].max() - changed[:, 1].min() > 500


def test_playing_changes_pixels_but_makes_no_actors(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(2, field="pressure", limits=(0.0, 500.0))
    before, count = camera.take(), actors(camera)
    drawn = scene.visuals["joint_field"]._smooth.GetMapper().GetInput()
    for frame, field in (
        (6, "pressure"),
        (9, "pressure"),
        (9, "gap"),
        (9, "status"),
        (9, "displacement"),
        (9, None),
    ):
        scene.show_frame(frame, field=field)
        assert differs(camera.take(), before) > 0.005
        assert actors(camera) == count
    scene.show_frame(2, field="pressure", limits=(0.0, 500.0))
    assert np.array_equal(camera.take(), before)
    scene.show_frame(7, field="pressure")
    data = scene.visuals["joint_field"]._smooth.GetMapper().GetInput()
    scene.show_frame(8, field="pressure")
    assert scene.visuals["joint_field"]._smooth.GetMapper().GetInput() is data
    assert data.GetNumberOfPoints() == drawn.GetNumberOfPoints()


@pytest.mark.parametrize("dark", [False, True])
def test_the_legend_can_be_read_in_both_themes(camera, plates, dark):
    scene = camera.scene
    scene.apply_theme(dark)
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(6, field="pressure")
    picture = camera.take()
    legend = scene.visuals["legend"]
    plate = picture[:, int(SIZE[0] - legend.width) : SIZE[0] - 14]
    theme = DARK if dark else LIGHT
    text = share(plate, theme.text, 0.25)
    assert 0.005 < text < 0.3, text
    scene.set_visible("legend", False)
    assert share(camera.take()[:, -80:], theme.text, 0.25) < text / 4
    assert legend.text.title == "Pressure\n[N/mm²]"
    assert legend.text.remark.startswith("max ")


def test_the_legend_stays_inside_small_and_large_pictures(plates):
    for size in ((320, 240), (640, 360), (1280, 800), (2560, 1440)):
        made = Photographer(size, scale=1.0 if size[1] < 300 else None)
        made.scene.set_model(plates.model, plates.skin)
        made.scene.set_frames(plates.run, {"joint": plates.pairs})
        made.scene.show_frame(6, field="gap")
        made.scene.view("iso")
        made.take()
        legend = made.scene.visuals["legend"]
        ((left, bottom, right, top),) = legend.plates
        made.close()
        assert 0 <= left < right <= size[0], size
        assert 0 <= bottom < top <= size[1], size
        for actor in (legend._title, legend._remark, *legend._numbers):
            if actor.GetInput():
                x, y = actor.GetPosition()
                assert left <= x <= right and bottom <= y <= top


def test_states_are_named_colours_without_mixtures(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(8, field="status")
    assert [name for _, name in scene.visuals["legend"].text.entries] == [
        "gaping", "sticking", "slipping", "no pair",
    ]  # fmt: skip
    scene.change(body_style="hidden")
    for kind in ("undeformed", "triad", "caption", "legend"):
        scene.set_visible(kind, False)
    picture = camera.take()
    status = scene.content.frame.values
    present = {int(v) for v in status[np.isfinite(status)]}
    for state in range(3):
        assert (share(picture, LIGHT.states[state], 0.02) > 0.01) == (state in present)
    assert share(picture, LIGHT.missing, 0.02) > 0.005


def test_the_body_does_not_hide_the_joint(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.view("+z")
    scene.show_frame(6, field="pressure", limits=(0.0, 1e-3))
    assert scene.content.body_look == "ghost"
    yellow = "#FDE725"  # the upper end of the map: every closed pair, seen through the upper plate
    seen = share(camera.take(), yellow, 0.2)
    assert seen > 0.02
    scene.change(body_style="solid")
    assert share(camera.take(), yellow, 0.2) < seen / 4


def test_values_on_points_show_from_near(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.set_visible("joint_points", True)
    scene.set_visible("joint_field", False)
    scene.change(body_style="ghost")
    scene.show_frame(6, field="pressure")
    pose = scene.camera
    scene.camera = zoomed_pose(pose, 0.2)
    far = camera.take()
    scene.set_visible("joint_points", False)
    assert differs(camera.take(), far) == 0.0
    scene.camera = zoomed_pose(pose, 6.0)
    without = camera.take()
    scene.set_visible("joint_points", True)
    assert differs(camera.take(), without) > 0.003


def test_frames_move_a_fitted_camera_once_and_a_chosen_one_never(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(0, field="gap", scale=8.0)
    fitted = scene.camera
    for number in range(24):
        scene.show_frame(number, field="gap", scale=8.0)
        spots = scene.pixels(scene.content.frame.positions[plates.skin.surface.nodes])
        assert spots.min() >= 0 and (spots <= SIZE).all()
    assert scene.camera == fitted
    scene.camera = zoomed_pose(fitted, 1.3)
    chosen = scene.camera
    scene.set_frames(None, {})
    scene.set_frames(plates.modes, {})
    scene.show_frame(0, field=None)
    assert scene.camera == chosen


def test_surfaces_and_pairs_show_in_their_colours(camera, plates):
    scene = camera.scene
    scene.change(master=plates.master, slave=plates.slave)
    assert scene.content.body_look == "ghost"
    scene.view("+z")
    above = camera.take()
    scene.view("-z")
    below = camera.take()
    orange, blue = (230 / 255, 159 / 255), (0.0, 114 / 255)
    assert np.median(above[250, 300:400, 0]) < 120 < np.median(below[250, 300:400, 0]), (orange, blue)
    scene.set_pairs(plates.pairs)
    assert differs(camera.take(), below) > 0.005
    assert any("54 slave nodes without a pair" in words for _, words in scene.visuals["key"].entries)
    with_points = camera.take()
    scene.set_visible("normals", True)
    scene.view("iso")
    assert differs(camera.take(), with_points) > 0.02
    scene.change(master=None, slave=None)
    scene.set_pairs(None)
    assert scene.content.body_look == "solid"


def test_the_highlight_is_in_front_of_everything(camera, plates):
    scene = camera.scene
    scene.set_pairs(plates.pairs)
    scene.change(body_style="solid")
    scene.view("+z")
    assert share(camera.take(), LIGHT.highlight, 0.05) == 0.0
    scene.change(highlight=Highlight((120,)))
    picture = camera.take()
    assert share(picture, LIGHT.highlight, 0.05) > 5e-5
    spot = scene.pixels(plates.model.nodes[plates.pairs.slave_nodes[[120]]])[0]
    at = picture[SIZE[1] - 1 - int(spot[1]), int(spot[0])] / 255.0
    assert np.allclose(at, rgb(LIGHT.highlight), atol=0.06)
    top = np.flatnonzero(np.abs(plates.skin.centroids[:, 2] - 3.0) < 1e-9)
    scene.change(highlight=Highlight(facets=tuple(top[:40])))
    assert share(camera.take(), LIGHT.highlight, 0.25) > 0.01


def test_symbols_are_named_and_follow_the_frame(camera, plates):
    scene = camera.scene
    loads = (ShownLoad(plates.tip, (0.0, 0.0, 50.0), "50 N"),)
    scene.change(symbols=Symbols({"tip": plates.tip}, (0,), loads))
    scene.reset_camera()
    picture = camera.take()
    assert share(picture, LIGHT.load, 0.2) > 2e-4
    labels = [a for a in scene.visuals["symbols"]._labels if a.GetVisibility()]
    assert [a.GetInput() for a in labels] == ["tip", "50 N"]
    before = labels[0].GetPosition()
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(12, field=None)
    camera.take()
    assert labels[0].GetPosition()[1] > before[1] + 5


def test_results_of_another_model_are_refused(camera, plates):
    body = plates.body
    from dataclasses import replace

    other = replace(plates.run, body=replace(body, nodes=body.nodes[:-1]))
    with pytest.raises(ModelError, match="another model"):
        camera.scene.set_frames(other, {})
    with pytest.raises(ModelError, match="no frames"):
        camera.scene.show_frame(0, field=None)


def test_a_copy_shows_the_same_at_another_size(camera, plates):
    scene = camera.scene
    scene.set_frames(plates.run, {"joint": plates.pairs})
    scene.show_frame(6, field="gap")
    original = camera.take()
    copy = draw_copy(scene, (1600, 1000))
    assert copy.shape == (1000, 1600, 3)
    small = copy.reshape(500, 2, 800, 2, 3).mean(axis=(1, 3))
    assert np.abs(small - original).mean() < 3.0
    clear = draw_copy(scene, SIZE, transparent=True)
    assert clear.shape == (500, 800, 4)
    assert (clear[:, :, 3] == 0).mean() > 0.5
    assert (clear[:, :, 3] == 255).mean() > 0.05


def test_picking_finds_the_facet_under_the_pixel(camera, plates):
    scene = camera.scene
    camera.take()
    seen = _front_facets(plates, scene)
    assert len(seen) > 20
    for facet in seen[:: len(seen) // 20]:
        x, y = scene.pixels(plates.skin.centroids[[facet]])[0]
        found = scene.pick(x, y)
        assert found is not None and found.kind == "facet"
        assert found.number == facet
    assert scene.pick(3, 3) is None
    scene.set_pairs(plates.pairs)
    x, y = scene.pixels(plates.model.nodes[plates.pairs.slave_nodes[[77]]])[0]
    found = scene.pick(x, y)
    assert found is not None and (found.kind, found.number) == ("pair", 77)


def _front_facets(plates, scene):
    """Facets of the upper face, which nothing covers."""
    return np.flatnonzero(np.abs(plates.skin.centroids[:, 2] - 3.0) < 1e-9)


def test_writing_grows_with_the_picture():
    assert text_scale((1280, 800)) == pytest.approx(1.05, abs=0.03)
    assert text_scale((2560, 1440)) == pytest.approx(1.9, abs=0.05)
    assert text_scale((320, 200)) == 0.5
