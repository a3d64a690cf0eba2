"""Pictures of the real window with the real friction bar: light and dark, small and large.

They are written to build/screenshots to be looked at; here it is checked that nothing is blank or cut off.
"""

import itertools

import numpy as np
import pytest

from faying.project import edits
from faying_app.tasks import opening
from support.pictures import LOOKS, SIZES
from support.windows import settle, wait_idle

pytestmark = pytest.mark.window


def quick_bar(qtbot, window):
    """Open the friction bar with a small basis, and compute pairs, basis and statics."""
    opening.open_example(window.context, "friction-bar")
    wait_idle(qtbot, window)
    context = window.context
    context.apply("Fewer modes", edits.set_value(("bodies", 0, "reduction", "vibration_modes"), 6))
    few = {"kind": "weighted_pod", "count": 12}
    context.apply("Fewer joint modes", edits.set_value(("bodies", 0, "joint_modes"), few))
    static = next(i for i, a in enumerate(context.project.analyses) if a.kind == "static")
    context.selection.select(("analyses", static))
    settle(qtbot)
    window.menus.qt_actions["run_analysis"].trigger()
    wait_idle(qtbot, window, seconds=240)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    return ("analyses", static)


@pytest.mark.slow  # pictures for people to look at
def test_screenshots(qtbot, make_window, shoot):
    window = make_window(SIZES[0])
    pictures = {}
    for theme, size in LOOKS:
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        shoot(window, "1-start", theme, size, view=False)
    window.resize(*SIZES[0])
    static = quick_bar(qtbot, window)
    stations = {
        "2-model": ("bodies", 0, "model"),
        "3-pairs": ("bodies", 0, "joints", 0),
        "4-mode": ("bodies", 0, "joint_modes"),
        "5-pressure": static,
    }
    panels = {"2-model": "findings", "3-pairs": "pairs", "4-mode": "tasks", "5-pressure": "curves"}
    for theme, size in LOOKS:
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 300)
        window.docks.arrange()
        settle(qtbot, 300)
        for name, path in stations.items():
            window.context.selection.select(path)
            window.show_panel(panels[name])
            settle(qtbot, 300)
            window.context.view.turn("iso")
            if name == "4-mode":
                window.context.view.set(frame=7)
            pictures[name, theme] = shoot(window, name, theme, size)
        assert window.presenter.field == "pressure"
        for a, b in itertools.pairwise(pictures[name, theme] for name in stations):
            rows, columns = np.minimum(a.shape, b.shape)[:2]
            assert np.abs(a[:rows, :columns] - b[:rows, :columns]).mean() > 1.0
    # The time bar with all that it can hold, in the smallest window.
    window.resize(*SIZES[0])
    settle(qtbot, 200)
    window.docks.arrange()
    window.context.view.set(limits="user", lowest=0.0, highest=123.456)
    shoot(window, "5-pressure-limits", "dark", SIZES[0])
    window.context.view.set(limits="frame")
    # The pressure is the one of the joint: somewhere it presses, nowhere it pulls.
    values = window.context.shown_values["lap joint"]
    assert values.min() >= 0.0
    assert values.max() > 0.0
