"""Fields of surfaces and nodes are filled by a click in the 3D view, in the real window."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.project import edits
from faying_app.forms.pick_button import PickButton
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window
BODY = ("bodies", 0)


def click(qtbot, window, place):
    x, y = (
        window.presenter.scene.pixels(np.array([place], float))[0] / window.viewport.view.devicePixelRatioF()
    )
    spot = QPoint(round(x), round(window.viewport.view.height() - 1 - y))
    qtbot.mouseClick(window.viewport.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    settle(qtbot, 100)


def press(qtbot, window, title):
    (button,) = [
        each
        for each in window.docks.panels["properties"].findChildren(PickButton)
        if each.accessibleName() == f"Pick {title}"
    ]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot)


def test_surfaces_and_nodes_are_picked_for_their_fields(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context, view = window.context, window.context.view
    model, skin = context.computed.model("plates"), context.computed.skin("plates")
    ends = model.nodes.min(axis=0), model.nodes.max(axis=0)
    middle = 0.5 * (ends[0] + ends[1])
    top = np.array([middle[0], middle[1], ends[1][2]])
    support = {"name": "hold down", "surface": {"kind": "deck_surface", "name": "LOWER"}}
    context.document.apply("Add", edits.set_value((*BODY, "supports"), (support,)))
    node = {"name": "corner", "node": int(model.node_ids[0])}
    context.document.apply("Add", edits.add_interface("plates", node))
    wait_idle(qtbot, window)
    context.selection.select((*BODY, "supports", 0))
    view.turn("iso")
    settle(qtbot, 200)
    # The next face that is clicked becomes the surface, as one step; nothing stays picked.
    steps = context.document.position
    press(qtbot, window, "surface")
    assert context.selection.wanted is not None
    click(qtbot, window, top)
    wait_idle(qtbot, window)
    surface = context.project.bodies[0].supports[0].surface
    assert surface.kind == "grown" and context.document.position == steps + 1
    chosen = surface.select(context.computed.model("plates"), context.computed.skin("plates"))
    heights = context.computed.model("plates").nodes[chosen.nodes][:, 2]
    assert np.allclose(heights, ends[1][2])
    assert context.selection.faces == () and context.selection.wanted is None
    # Esc leaves the field as it is; so does another entry of the tree.
    press(qtbot, window, "surface")
    trigger(qtbot, window, "leave_mode")
    assert context.selection.wanted is None
    press(qtbot, window, "surface")
    context.selection.select((*BODY, "joints", 0, "master"))
    assert context.selection.wanted is None
    # A face that is picked already is taken at once, also for a surface selected in the tree.
    settle(qtbot, 200)
    click(qtbot, window, top)
    assert len(context.selection.faces) == 1
    press(qtbot, window, "surface")
    assert context.project.bodies[0].joints[0].master == surface
    wait_idle(qtbot, window)
    # A node by its number.
    rows = [row for row, i in enumerate(context.project.bodies[0].interfaces) if i.name == "corner"]
    context.selection.select((*BODY, "interfaces", rows[0]))
    settle(qtbot, 200)
    press(qtbot, window, "node number")
    assert view.values.pointer == "probe"
    corner = np.array([ends[1][0], ends[0][1], ends[1][2]])
    click(qtbot, window, corner)
    number = context.project.bodies[0].interfaces[rows[0]].node
    model = context.computed.model("plates") or model
    assert np.allclose(model.nodes[list(model.node_ids).index(number)], corner)
    assert view.values.pointer == "select" and view.values.probes == ()
    assert skin is not None
