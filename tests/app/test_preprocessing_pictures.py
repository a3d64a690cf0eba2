"""Pictures of what is done before an analysis: joint search, surfaces, pairs, model checks; light and dark, two sizes.

They are written to build/screenshots to be looked at; here it is checked that nothing is blank or cut off.
"""

import pytest

from faying_app.tasks import opening
from support.pictures import LOOKS, SIZES
from support.windows import settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.mark.slow  # pictures for people to look at
def test_preprocessing_pictures(qtbot, make_window, shoot):
    window = make_window(SIZES[0])
    opening.open_example(window.context, "friction-bar")
    wait_idle(qtbot, window)
    context = window.context
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    trigger(qtbot, window, "search_joints")
    search = window.docks.panels["joint_search"]
    qtbot.waitUntil(lambda: search.count.text() == "1 candidate", timeout=60000)
    qtbot.waitUntil(lambda: search.table.next_unmeasured() is None, timeout=60000)
    trigger(qtbot, window, "check_mesh")
    for theme, size in LOOKS:
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        settle(qtbot, 200)
        context.selection.select(("bodies", 0, "model"))
        for name in ("joint_search", "model_checks"):
            window.show_panel(name)
            context.view.set(colour_by="part" if name == "model_checks" else "")
            settle(qtbot, 300)
            context.view.turn("iso")
            shoot(window, f"6-{name}", theme, size)
        context.view.set(colour_by="")
        context.selection.select(("bodies", 0, "joints", 0, "slave"))
        window.show_panel("pairs")
        settle(qtbot, 300)
        context.view.turn("iso")
        shoot(window, "6-surface", theme, size)
