"""The axis of a constraint is that of a picked face, or along the straight edge near which the face was clicked."""

import numpy as np
import pytest

from faying.project import edits
from faying_app.selection import PickedFace, PickedSide
from support.windows import plates_in, settle

pytestmark = pytest.mark.window


def test_the_axis_of_a_revolute_follows_a_picked_edge(qtbot, window, tmp_path):
    context = window.context
    plates_in(qtbot, window, tmp_path)
    hinge = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "arm.a"}
    arm = {
        "kind": "rigid", "name": "arm", "markers": [{"name": "a"}],
        "placement": {"rotation": [0.0, 0.0, 0.5]},
    }  # fmt: skip
    system = {"name": "swing", "parts": [arm], "constraints": [hinge]}
    context.apply("Add a system", edits.set_value(("systems",), (system,)))
    context.selection.select(("systems", 0, "constraints", 0))
    settle(qtbot, 100)
    skin, model = context.computed.skin("plates"), context.computed.model("plates")
    low, high = model.nodes.min(axis=0), model.nodes.max(axis=0)
    # On the top, in the middle of its long edge: that runs along x of the part.
    near = np.array([0.5 * (low[0] + high[0]), low[1], high[2]])
    up = np.flatnonzero(skin.normals[:, 2] > 0.9)
    facet = int(up[np.argmin(np.linalg.norm(skin.centroids[up] - near, axis=1))])
    strip = window.docks.panels["properties"].strip
    assert all(button.width() >= button.sizeHint().width() for button in strip.buttons.values())
    strip.buttons["Picked edge"].click()
    assert "Ctrl+click" in strip.problem.text()
    context.selection.pick_side(PickedSide("swing", "arm", "", PickedFace("plates", facet, 1, 1)))
    for button, wanted in (
        ("Picked edge", [np.cos(0.5), np.sin(0.5), 0.0]), ("Picked face", [0.0, 0.0, 1.0]),
    ):  # fmt: skip
        window.docks.panels["properties"].strip.buttons[button].click()
        settle(qtbot, 100)
        assert window.docks.panels["properties"].strip.problem.text() == ""
        at = context.computed.assembled(context.project.systems[0])
        for name in context.project.systems[0].constraints[0].marker_names():
            axis = at.system.motion(name, at.position).axes[:, 2]
            assert np.abs(np.cross(axis, wanted)).max() < 1e-9, (button, name)
    context.selection.select(("systems", 0))
    settle(qtbot, 100)
    strip = window.docks.panels["properties"].strip
    assert all(button.width() >= button.sizeHint().width() for button in strip.buttons.values())
