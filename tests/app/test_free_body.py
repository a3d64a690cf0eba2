"""A body without interface nodes in the real window: findings, quality, and how it flies."""

from dataclasses import replace

import numpy as np
import pytest

from faying.fem.writers import write_model
from faying_app.tasks import opening
from support.boxes import box
from support.windows import settle, trigger, wait_idle

pytestmark = pytest.mark.window
STUDY = """
[[bodies]]
name = "brick"
model = { path = "brick.inp" }
reduction = { kind = "craig_bampton", vibration_modes = 6 }

[[systems]]
name = "air"
gravity = [0, 0, "-9.81 m/s^2"]
[[systems.parts]]
kind = "flexible"
name = "brick"
body = "brick"
placement = { velocity = [0, 0, 2000.0], spin = [0, 0, 20.0] }

[[analyses]]
kind = "motion"
name = "throw"
system = "air"
duration = 0.05
frames = 4
"""


@pytest.mark.slow  # a window, a basis, its quality and a motion
def test_a_brick_is_thrown_and_its_basis_measured(qtbot, window, tmp_path):
    model = box("hex8_incompatible", (4, 2, 2), (40.0, 10.0, 8.0))
    write_model(replace(model, nodes=model.nodes - [20.0, 5.0, 4.0]), tmp_path / "brick.inp")
    (tmp_path / "throw.toml").write_text(STUDY)
    opening.open_path(window.context, tmp_path / "throw.toml")
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
    content, heights = window.presenter.scene.content, []
    for frame in (0, 4):
        window.context.view.set(frame=frame)
        settle(qtbot)
        heights.append(np.array(content.positions)[:, 2].mean())
    assert np.isclose(heights[1] - heights[0], 2000.0 * 0.05 - 0.5 * 9810.0 * 0.05**2, atol=0.1)
