"""The table of bolts in the real window, and the form of steps."""

import pytest
from PySide6.QtGui import QGuiApplication

from faying.params import build
from faying.project import edits
from faying.project.specs import Project
from support.clamps import clamp_body, write_clamp
from support.windows import settle, trigger, wait_idle

pytestmark = pytest.mark.window


def test_steps_are_run_and_their_bolts_are_a_table(qtbot, window, tmp_path):
    row = {
        "kind": "steps", "name": "row", "body": "clamp", "support": "hold",
        "steps": [
            {"kind": "tighten", "bolt": "bolt", "force": 3000.0},
            {"kind": "load", "loads": [{"interface": "pull", "force": [0, 0, 1000.0]}]},
        ],
    }  # fmt: skip
    body = clamp_body(write_clamp(tmp_path / "clamp.inp"), 1e5)
    project = build(Project, {"bodies": [body], "analyses": [row]})
    window.context.apply("Take the clamp", lambda _project: project)
    window.context.selection.select(("analyses", 0))
    window.show_panel("bolts")
    settle(qtbot)
    panel = window.docks.panels["bolts"]
    assert panel._pages.currentWidget() is panel._empty
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    qtbot.waitUntil(lambda: panel._pages.currentWidget() is not panel._empty, timeout=60_000)
    heads = [column.title for column in panel.view.table.columns]
    panel.view.copy()
    cells = QGuiApplication.clipboard().text().splitlines()[1].split("\t")
    told = dict(zip(heads, cells, strict=True))
    assert told["Bolt"] == "bolt" and float(told["Preload [N]"]) == pytest.approx(3000.0)
    assert float(told["Load factor [%]"]) == pytest.approx(17.0, abs=1.0) and told["Size"] == "M4"
    # Another class is another safety, without another run.
    yielding = float(told["Safety, yielding"])
    edit = edits.set_value(("bodies", 0, "bolts", 0, "strength_class"), "10.9")
    window.context.apply("Stronger", edit)
    qtbot.waitUntil(
        lambda: panel._known is not None and panel._known[1][0].strength_class == "10.9", timeout=60_000
    )
    assert panel._known[1][0].yielding == pytest.approx(yielding * 940 / 640)
