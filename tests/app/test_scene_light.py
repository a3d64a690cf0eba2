"""Light, lines and writing: no face nearly black, whole silhouettes, text with a halo instead of a box."""

import numpy as np
import pytest

from faying_app.scene.actors import paint_text, text_actor
from faying_app.scene.colours import DARK, LIGHT, rgb_bytes
from faying_app.scene.picture import photographer

pytestmark = pytest.mark.window

WRITTEN = ("caption", "triad", "key", "symbols", "legend")


@pytest.fixture(scope="module")
def camera(plates):
    """A photographer of the bare plates, without smoothed edges, as pictures in motion are."""
    with photographer((500, 360)) as found:
        found.smooth(False)
        found.scene.set_model(plates.model, plates.skin)
        for kind in WRITTEN:
            found.scene.set_visible(kind, False)
        yield found


def test_no_face_that_is_seen_is_nearly_black(camera):
    scene = camera.scene
    edges = scene.visuals["body"].edges
    body = np.array(rgb_bytes(LIGHT.body), float)
    for direction in ("iso", "+x", "-x", "+y", "-y", "+z", "-z"):
        scene.view(direction)
        edges.SetVisibility(False)
        lit = camera.take().astype(float)
        scene.visuals["body"].skin.SetVisibility(False)
        seen = np.abs(lit - camera.take()).max(axis=2) > 4
        scene.visuals["body"].skin.SetVisibility(True)
        share = lit[seen] / body
        assert share.min() > 0.42, direction  # the darkest face
        assert share.max() < 1.08, direction  # the lightest one keeps the colour of the body
    edges.SetVisibility(True)


def test_faces_of_different_directions_differ_in_light(camera):
    camera.scene.view("iso")
    camera.scene.visuals["body"].edges.SetVisibility(False)
    lit = camera.take()[:, :, 1]
    camera.scene.visuals["body"].edges.SetVisibility(True)
    values, counts = np.unique(lit, return_counts=True)
    faces = values[(counts > 0.004 * lit.size) & (values < 215)]
    assert np.ptp(faces) > 35


def test_silhouettes_are_whole_lines(camera, plates):
    scene = camera.scene
    scene.view("iso")
    picture, edge = camera.take().astype(float), np.array(rgb_bytes(LIGHT.body_edge))
    # Along the upper plate's far edges nothing lies behind the lines but the background and the lower plate.
    for start, end in (
        ((25, 10, 3), (225, 10, 3)),
        ((25, -10, 3), (225, -10, 3)),
        ((225, -10, 3), (225, 10, 3)),
    ):
        shares = np.linspace(0.02, 0.98, 300)[:, None]
        spots = scene.pixels(np.array(start) + shares * (np.array(end) - np.array(start, float)))
        missed = 0
        for x, y in spots:
            column, row = int(x), int(picture.shape[0] - y)
            around = picture[row - 2 : row + 2, column - 1 : column + 2].reshape(-1, 3)
            missed += np.abs(around - edge).max(axis=1).min() > 40
        assert missed <= 3, (start, end, missed)


def test_writing_has_a_halo_and_no_box(camera):
    renderer = camera.scene.stage.renderer
    for theme in (LIGHT, DARK):
        label = text_actor(bold=True)
        label.set_pixels(26)
        label.SetInput("Pressure")
        label.SetPosition(40.0, 40.0)
        paint_text(label, theme.text, theme)
        label.draw()
        renderer.AddViewProp(label)
        camera.scene.set_visible("body", False)
        camera.scene.apply_theme(dark=theme is LIGHT)  # behind it the other theme's background
        picture = camera.take().astype(float)[::-1]
        renderer.RemoveViewProp(label)
        empty = camera.take().astype(float)[::-1]
        left, bottom, right, top = (int(40 + v) for v in label.box)
        written = picture[bottom - 5 : top + 5, left - 5 : right + 5]
        changed = np.abs(written - empty[bottom - 5 : top + 5, left - 5 : right + 5]).max(axis=2) > 12
        letters = np.abs(written - rgb_bytes(theme.text)).max(axis=2) < 40
        halo = np.abs(written - rgb_bytes(theme.panel)).max(axis=2) < 40
        assert letters.sum() > 200 and halo.sum() > 200
        assert 0.3 < changed.mean() < 0.9  # a box would cover all of it
    camera.scene.apply_theme(dark=False)
    camera.scene.set_visible("body", True)
    assert label.box[2] - label.box[0] > 80 and text_actor().box == (0.0, 0.0, 0.0, 0.0)
