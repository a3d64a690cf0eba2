"""Adding loads of a body in the real window: a pressure at a picked face, and the weight; arrows, undo."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from support.windows import choose, plates_in, settle, trigger, view_pixels

pytestmark = pytest.mark.window


@pytest.mark.slow  # a window and its pictures take seven seconds; the parts have quick tests of their own
def test_a_picked_face_is_pressed_on(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context, view = window.context, window.viewport.view
    context.view.turn("+z")
    settle(qtbot, 200)
    skin = context.computed.skin("plates")
    top = np.flatnonzero((skin.normals[:, 2] > 0.9) & (skin.centroids[:, 2] > 1.0))
    x, y = window.presenter.scene.pixels(skin.centroids[[top[2]]])[0] / view.devicePixelRatioF()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(view.height() - 1 - y)))
    settle(qtbot, 100)
    assert context.selection.faces
    before = context.project
    choose(qtbot, window, "add_load", "Pressure")
    settle(qtbot)
    (load,) = context.project.bodies[0].loads
    assert (load.kind, load.name, context.entity) == ("pressure", "pressure", ("bodies", 0, "loads", 0))
    assert not arrows(window)  # it has no size yet
    plain = view_pixels(window).astype(int)
    context.apply("Press", edits.set_value(("bodies", 0, "loads", 0, "pressure"), 2.0))
    settle(qtbot)
    drawn = arrows(window)
    assert len(drawn) > 4 and [a.text for a in drawn[:2]] == ["pressure", ""]
    assert all(np.allclose(np.array(a.vector) / 2.0, [0, 0, -1]) for a in drawn)
    nodes = context.computed.model("plates").nodes[[a.node for a in drawn]]
    assert np.allclose(nodes[:, 2], 2.0)
    assert np.abs(view_pixels(window).astype(int) - plain).max() > 60
    # Without a picked face those that need none are offered.
    choose(qtbot, window, "add_load", "Gravity")
    context.apply("Weight", edits.set_value(("bodies", 0, "loads", 1, "acceleration"), (0.0, 0.0, -9810.0)))
    settle(qtbot)
    (arrow,) = arrows(window)
    assert arrow.text == "gravity" and arrow.vector == (0.0, 0.0, -9810.0)
    # An analysis shows what it applies.
    context.apply("Apply", edits.set_value(("analyses", 0, "body_loads"), [{"load": "pressure"}]))
    context.selection.select(("analyses", 0))
    settle(qtbot)
    assert "pressure" in [a.text for a in arrows(window)] and "gravity" not in [
        a.text for a in arrows(window)
    ]
    for _ in range(5):
        trigger(qtbot, window, "undo")
    settle(qtbot)
    assert context.project == before


def arrows(window):
    """Return the loads that the view draws."""
    return window.presenter.scene.content.symbols.loads
