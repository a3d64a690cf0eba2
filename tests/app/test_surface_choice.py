"""Choosing surfaces in the real window: picks, lasso, rings, other sides, hidden parts; with undo."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.fem.facet_sets import facets_of
from faying_app.scene.visuals.triad import CORNER
from faying_app.shell.lasso import Lasso
from support.windows import choose, plates_in, settle, trigger, view_pixels

pytestmark = pytest.mark.window
SLAVE = ("bodies", 0, "joints", 0, "slave")


def chosen(window):
    """Return the facets of the joint's slave surface."""
    context = window.context
    joint = context.project.bodies[0].joints[0]
    surface = context.computed.surface("plates", joint, "slave")
    return facets_of(context.computed.skin("plates"), surface)


def place_of(window, facet):
    """Return the pixel of a facet's middle in the view."""
    skin = window.context.computed.skin("plates")
    ratio = window.viewport.view.devicePixelRatioF()
    x, y = window.presenter.scene.pixels(skin.centroids[[facet]])[0] / ratio
    return QPoint(round(x), round(window.viewport.view.height() - 1 - y))


def on_top(window):
    """Return the facets of the upper plate's top."""
    skin = window.context.computed.skin("plates")
    return np.flatnonzero(skin.centroids[:, 2] > skin.centroids[:, 2].max() - 1e-6)


def test_steps_on_a_surface_are_undone_one_by_one(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    context.selection.select(SLAVE)
    context.view.turn("+z")
    settle(qtbot, 150)
    before, steps = chosen(window), len(context.document.history)
    top = on_top(window)
    qtbot.mouseClick(
        window.viewport.view, Qt.MouseButton.LeftButton, pos=place_of(window, int(top[len(top) // 2]))
    )
    settle(qtbot, 150)
    assert context.selection.faces[-1].facet in top
    trigger(qtbot, window, "add_face")
    settle(qtbot)
    assert set(chosen(window)) == set(before) | set(top)
    assert "facets" in window.status.currentMessage() if hasattr(window.status, "currentMessage") else True
    trigger(qtbot, window, "grow_surface")
    # All of the plate's outside is in it now: another ring changes nothing, and is no step.
    trigger(qtbot, window, "grow_surface")
    assert context.value(SLAVE).rings == 1 and "changes nothing" in window.statusBar().currentMessage()
    assert len(chosen(window)) > len(before) + len(top)
    trigger(qtbot, window, "shrink_surface")
    trigger(qtbot, window, "invert_surface")
    inverted = chosen(window)
    trigger(qtbot, window, "flip_surface")
    assert set(chosen(window)) == set(inverted)
    # Nor has a whole plate a border to take rings from, nor a solid's facet another side.
    assert len(context.document.history) == steps + 3
    for _ in range(3):
        trigger(qtbot, window, "undo")
    settle(qtbot)
    assert list(chosen(window)) == list(before)


def test_single_facets_are_added_and_taken_away(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    context.selection.select(SLAVE)
    context.view.turn("+z")
    settle(qtbot, 150)
    before, facet = chosen(window), int(on_top(window)[5])
    for kind, wanted in (("add_facet", {*before, facet}), ("remove_facet", set(before))):
        qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, pos=place_of(window, facet))
        settle(qtbot, 150)
        trigger(qtbot, window, kind)
        settle(qtbot)
        assert set(chosen(window)) == wanted
    qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, pos=place_of(window, facet))
    settle(qtbot, 150)
    choose(qtbot, window, "choose_surface", "The picked facet alone")
    settle(qtbot)
    assert list(chosen(window)) == [facet]


def test_a_lasso_takes_what_is_seen_within(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.context.selection.select(SLAVE)
    window.context.view.turn("+z")
    settle(qtbot, 150)
    choose(qtbot, window, "lasso_surface", "Replace the selection")
    settle(qtbot, 100)
    (lasso,) = window.viewport.view.findChildren(Lasso)
    view, low, high = (
        window.viewport.view,
        *np.sort([place_of(window, f).toTuple() for f in on_top(window)], axis=0)[[0, -1]],
    )
    # Round the left half of the plate, seen from above.
    left, middle = low[0] - 30, (low[0] + high[0]) // 2
    corners = [(left, low[1] - 30), (middle, low[1] - 30), (middle, high[1] + 30), (left, high[1] + 30)]
    before = view_pixels(window).astype(int)
    qtbot.mousePress(lasso, Qt.MouseButton.LeftButton, pos=QPoint(*map(int, corners[0])))
    for corner in corners[1:]:
        qtbot.mouseMove(lasso, QPoint(*map(int, corner)))
    settle(qtbot)
    assert np.abs(view_pixels(window).astype(int) - before).max() > 30  # the outline is drawn
    qtbot.mouseRelease(lasso, Qt.MouseButton.LeftButton, pos=QPoint(*map(int, corners[-1])))
    settle(qtbot, 150)
    skin, top = window.context.computed.skin("plates"), on_top(window)
    ratio = view.devicePixelRatioF()
    across = window.presenter.scene.pixels(skin.centroids[top])[:, 0] / ratio
    assert set(chosen(window)) == set(top[across < middle])
    # Its words are a study's: the same facets without any window.
    again = window.context.value(SLAVE).select(window.context.computed.model("plates"), skin)
    assert set(facets_of(skin, again)) == set(chosen(window))
    choose(qtbot, window, "lasso_surface", "Add")
    settle(qtbot)
    (lasso,) = view.findChildren(Lasso)
    qtbot.keyClick(lasso, Qt.Key.Key_Escape)
    settle(qtbot, 100)
    assert not view.findChildren(Lasso)


def test_a_surface_is_chosen_anew_round_a_picked_face(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.context.selection.select(SLAVE)
    window.context.view.turn("+z")
    settle(qtbot, 150)
    top = on_top(window)
    qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, pos=place_of(window, int(top[3])))
    settle(qtbot, 100)
    context, face = window.context, window.context.selection.faces
    for title, wanted in (
        ("Round the picked face, up to 20° between facets", set(top)),
        ("Box round the picked face", set(top)),
    ):
        choose(qtbot, window, "choose_surface", title)
        settle(qtbot)
        assert set(chosen(window)) == wanted, title
        context.selection.pick_face(face[-1])
        settle(qtbot)
    choose(qtbot, window, "choose_surface", "Whole part of the picked face")
    settle(qtbot)
    parts, count = context.computed.parts("plates")
    assert count >= 2
    assert set(chosen(window)) == set(np.flatnonzero(parts == parts[face[-1].facet]))
    form = window.docks.panels["properties"].form
    assert any(row.path[-1] == "element" for row in form.all_rows())


def test_hidden_parts_leave_the_picture_and_what_is_behind_can_be_picked(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context, view = window.context, window.viewport.view
    context.selection.select(("bodies", 0, "model"))
    context.view.turn("+z")
    settle(qtbot, 150)
    top = on_top(window)
    place, whole = place_of(window, int(top[len(top) // 2])), view_pixels(window).astype(int)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 100)
    parts, _ = context.computed.parts("plates")
    upper = parts[context.selection.faces[-1].facet]
    camera = window.presenter.scene.camera
    trigger(qtbot, window, "hide_part")
    settle(qtbot, 200)
    assert window.presenter.scene.camera.position == pytest.approx(camera.position, rel=1e-6, abs=1e-6)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 100)
    behind = context.selection.faces[-1].facet
    skin = context.computed.skin("plates")
    assert parts[behind] != upper
    assert skin.normals[behind][2] > 0.9
    assert abs(skin.centroids[behind][2]) < 1e-6
    trigger(qtbot, window, "show_parts")
    context.selection.drop_faces()
    settle(qtbot, 200)
    assert np.abs(view_pixels(window).astype(int) - whole).mean() < 1.0
    choose(qtbot, window, "colour_by", "Part")
    settle(qtbot, 200)
    assert np.abs(view_pixels(window).astype(int) - whole).mean() > 2.0


def test_the_eye_of_a_part_in_the_tree_hides_and_shows_it(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context, tree = window.context, window.docks.panels["project"]
    path = ("bodies", 0, "model", "connected_part", "1")
    context.selection.select(path)
    settle(qtbot, 200)
    index = tree.model.find(path)
    assert tree.model.node(index).path == path
    assert window.presenter.scene.content.highlight.facets
    eye = tree.view.visualRect(index.siblingAtColumn(1)).center()
    for hidden in ((("plates", 0),), ()):
        qtbot.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, pos=eye)
        settle(qtbot, 200)
        assert context.view.values.hidden_parts == hidden
        said = index.siblingAtColumn(1).data(Qt.ItemDataRole.AccessibleTextRole)
        assert said == ("hidden" if hidden else "shown")
    trigger(qtbot, window, "isolate_part")
    assert context.view.values.hidden_parts == (("plates", 1),)


def test_a_click_at_an_axis_in_the_corner_looks_along_it(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    view, scene = window.viewport.view, window.presenter.scene
    window.context.view.turn("iso")
    settle(qtbot, 200)
    sheet = scene.stage.sheet()
    for axis, sign in ((2, 1.0), (0, 1.0), (0, -1.0)):
        seen = scene.stage.sheet().axes.T[axis, :2]
        tip = np.array([sheet.width - CORNER * sheet.scale, CORNER * sheet.scale]) + 30.0 * sheet.scale * seen
        at = tip / view.devicePixelRatioF()
        pixel = QPoint(round(at[0]), round(view.height() - 1 - at[1]))
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=pixel)
        settle(qtbot, 200)
        away = np.subtract(scene.camera.position, scene.camera.focal_point)
        assert away[axis] / np.linalg.norm(away) == pytest.approx(sign, abs=1e-3)


def test_swap_by_one_key_and_normals_of_surfaces(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    context.selection.select(SLAVE[:4])
    settle(qtbot, 150)
    plain = view_pixels(window).astype(int)
    trigger(qtbot, window, "show_normals")
    settle(qtbot, 200)
    assert np.abs(view_pixels(window).astype(int) - plain).max() > 40
    assert window.menus.qt_actions["swap_surfaces"].shortcut().toString() == "F8"
    trigger(qtbot, window, "swap_surfaces")
    settle(qtbot)
    joint = context.project.bodies[0].joints[0]
    assert (joint.master.name, joint.slave.name) == ("UPPER", "LOWER")
