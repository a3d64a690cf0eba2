"""Surfaces as they are worked on in the real window: through the glass body, on top of the other, of couplings."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.fem.facet_sets import facets_of
from faying.project import edits
from faying_app.shell.lasso import Lasso
from support.windows import choose, plates_in, settle, view_pixels, wait_idle

pytestmark = pytest.mark.window
JOINT = ("bodies", 0, "joints", 0)


def surface(window, role):
    """Return the facets of a surface of the joint."""
    context = window.context
    found = context.computed.surface("plates", context.project.bodies[0].joints[0], role)
    return set(facets_of(context.computed.skin("plates"), found).tolist())


def lasso_round(qtbot, window, way, low, high):
    """Draw a rectangle between two places in space, seen from above."""
    choose(qtbot, window, "lasso_surface", way)
    settle(qtbot, 60)
    view = window.viewport.view
    (lasso,) = view.findChildren(Lasso)
    places = [(low[0], low[1], 0), (high[0], low[1], 0), (high[0], high[1], 0), (low[0], high[1], 0)]
    pixels = window.presenter.scene.pixels(np.array(places, float)) / view.devicePixelRatioF()
    corners = [QPoint(round(x), round(view.height() - 1 - y)) for x, y in pixels]
    qtbot.mousePress(lasso, Qt.MouseButton.LeftButton, pos=corners[0])
    for corner in (*corners[1:], corners[0]):
        qtbot.mouseMove(lasso, corner)
    qtbot.mouseRelease(lasso, Qt.MouseButton.LeftButton, pos=corners[0])
    settle(qtbot, 120)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_what_is_drawn_can_be_taken_and_refused_things_stay_out(qtbot, window, tmp_path):
    """One window for all: opening one takes longer than what is tried in it."""
    plates_in(qtbot, window, tmp_path)
    window.context.view.turn("+z")
    a_lasso_takes_what_is_seen_through_the_glass(qtbot, window)
    the_surface_that_is_worked_on_is_on_top(qtbot, window)
    a_flat_face_is_no_shank(qtbot, window)
    a_model_that_fails_keeps_its_picture_and_is_a_finding(qtbot, window)


def a_lasso_takes_what_is_seen_through_the_glass(qtbot, window):
    context = window.context
    context.selection.select((*JOINT, "master"))
    settle(qtbot, 150)
    skin, before, steps = (
        context.computed.skin("plates"),
        surface(window, "master"),
        len(context.document.history),
    )
    # The lower plate's top, seen from above through the upper plate.
    left = {f for f in before if skin.centroids[f, 0] < 20.0}
    assert left and left != before
    lasso_round(qtbot, window, "Take away", (-2.0, -2.0), (20.0, 12.0))
    assert surface(window, "master") == before - left
    # Once more takes nothing, and is no step.
    lasso_round(qtbot, window, "Take away", (-2.0, -2.0), (20.0, 12.0))
    assert len(context.document.history) == steps + 1
    assert "changes nothing" in window.statusBar().currentMessage()
    lasso_round(qtbot, window, "Add", (-2.0, -2.0), (20.0, 12.0))
    assert surface(window, "master") == before and len(context.document.history) == steps + 2
    # Where the body is solid, what is outside is seen.
    context.view.set(ghost=False)
    settle(qtbot, 100)
    lasso_round(qtbot, window, "Add", (-2.0, -2.0), (20.0, 12.0))
    added = surface(window, "master") - before
    assert added and all(skin.centroids[f, 2] == pytest.approx(2.0) for f in added)
    context.view.set(ghost=True)
    for _ in range(3):
        context.document.undo()
    settle(qtbot, 100)
    assert surface(window, "master") == before


def the_surface_that_is_worked_on_is_on_top(qtbot, window):
    context, theme = window.context, window.presenter.scene.theme
    wanted = {"master": theme.master, "slave": theme.slave}

    def share(role):
        rgb = np.array([int(wanted[role][i : i + 2], 16) for i in (1, 3, 5)], float)
        seen = view_pixels(window).astype(float)
        # The same hue: light and glass change how strong it is.
        seen, rgb = seen - seen.mean(axis=2, keepdims=True), rgb - rgb.mean()
        alike = (seen @ rgb) / (np.linalg.norm(seen, axis=2) * np.linalg.norm(rgb) + 1e-9)
        return float(((alike > 0.9) & (np.linalg.norm(seen, axis=2) > 40)).mean())

    for role, other in (("master", "slave"), ("slave", "master")):
        context.selection.select((*JOINT, role))
        settle(qtbot, 150)
        assert share(role) > 0.05 and share(other) < 0.2 * share(role), role


def a_flat_face_is_no_shank(qtbot, window):
    context = window.context
    context.selection.select(("bodies", 0, "model"))
    settle(qtbot, 100)
    top = int(np.argmax(context.computed.skin("plates").centroids[:, 2]))
    before, steps = context.project, len(context.document.history)
    window.pointer.facet_clicked(top, Qt.KeyboardModifier.NoModifier)
    window.menus.refresh()
    window.menus.qt_actions["add_bolt"].trigger()
    settle(qtbot)
    assert context.project == before and len(context.document.history) == steps
    assert "does not go round an axis" in window.problems[-1].text()
    window.problems[-1].close()
    # A coupling made from the face shows its surface and spider.
    plain = view_pixels(window).astype(int)
    choose(qtbot, window, "couple_face", "Rigid")
    settle(qtbot)
    wait_idle(qtbot, window)
    content = window.presenter.scene.content
    assert content.slave is not None and content.roles == ("", "Coupled surface")
    np.testing.assert_allclose(content.model.nodes[content.slave.nodes][:, 2], 2.0)
    assert window.presenter.scene.stage.is_shown("couplings")
    assert (np.abs(view_pixels(window).astype(int) - plain).max(axis=2) > 40).mean() > 0.02
    context.document.undo()
    settle(qtbot)
    wait_idle(qtbot, window)


def a_model_that_fails_keeps_its_picture_and_is_a_finding(qtbot, window):
    context = window.context
    context.selection.select(("bodies", 0))
    settle(qtbot, 100)
    shown = window.presenter.scene.content.model
    element = int(context.computed.model("plates").element_ids[0])
    words = {
        "name": "bad",
        "surface": {"kind": "grown", "element": element, "face": 1},
        "behaviour": "symmetry",
    }
    for face in (1, 2, 3, 4):  # one of them is inside
        words["surface"]["face"] = face
        context.document.apply("Support", edits.set_value(("bodies", 0, "supports"), (words,)))
        wait_idle(qtbot, window)
        if context.computed.model("plates") is None:
            break
        context.document.undo()
        wait_idle(qtbot, window)
    assert context.computed.model("plates") is None
    for box in window.problems:
        box.close()
    assert window.presenter.scene.content.model is shown and window.presenter.scene.content.skin is not None
    assert window.presenter.scene.content.title.startswith("The former model")
    context.refresh_findings()
    first = context.findings[0]
    assert (first.severity, first.entity) == ("error", ("bodies", 0, "model")) and "bad" in first.sentence
    context.document.undo()
    settle(qtbot)
    wait_idle(qtbot, window)
    assert context.computed.model("plates") is not None and window.presenter.scene.content.title == ""
    assert all("bad" not in finding.sentence for finding in (context.refresh_findings() or context.findings))
