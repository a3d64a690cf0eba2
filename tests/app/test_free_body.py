"""A body without interface nodes in the real window: findings, quality, and how it flies."""

import numpy as np
import pytest

from faying_app.tasks import opening
from support.thrown_brick import write_thrown_brick
from support.windows import settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.mark.slow  # a window, a basis, its quality and a motion
def test_a_brick_is_thrown_and_its_basis_measured(qtbot, window, tmp_path):
    opening.open_path(window.context, write_thrown_brick(tmp_path, duration=0.05, frames=4))
    qtbot.waitUntil(lambda: bool(window.context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    for entity in (("bodies", 0), ("bodies", 0, "interfaces"), ("systems", 0), ("systems", 0, "parts", 0)):
        window.context.selection.select(entity)
        settle(qtbot)
    window.context.selection.select(("bodies", 0))
    window.show_panel("quality")
    panel = window.docks.panels["quality"]
    settle(qtbot)
    panel.compute.click()
    wait_idle(qtbot, window)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    window.context.selection.select(("analyses", 0))
    settle(qtbot)
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    settle(qtbot, 300)
    heights = []
    for frame in (0, 4):
        window.context.view.set(frame=frame)
        settle(qtbot)
        heights.append(np.array(window.presenter.scene.content.positions)[:, 2].mean())
    assert np.isclose(heights[1] - heights[0], 2000.0 * 0.05 - 0.5 * 9810.0 * 0.05**2, atol=0.1)
