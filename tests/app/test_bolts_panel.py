"""The table of bolts in the real window, and the form of steps."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from faying.params import build
from faying.project import edits
from faying.project.specs import Project
from support.clamps import clamp_body, write_clamp
from support.windows import settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window


def written(window):
    """Return what stands at the arrows and nodes of the view."""
    labels = window.presenter.scene.visuals["symbols"]._labels
    return {label.GetInput() for label in labels if label.GetVisibility()}


def steps_are_marked_on_the_time_bar(qtbot, window):
    """Names and ends of steps; tension and load as they are in the shown frame; nothing moves while frames go by."""
    bar, view = window.time_bar, window.context.view
    wait_for_frames(qtbot, window)
    assert [bar.steps.itemText(i) for i in range(bar.steps.count())] == [
        "step 1: tighten bolt",
        "step 2: load",
    ]
    first, last = (bar.steps.itemData(i) for i in (0, 1))
    assert last == window.context.n_frames - 1 and len(bar.slider.mark_places()) == 1
    bar.steps.setCurrentIndex(0)
    bar.steps.activated.emit(0)
    settle(qtbot)
    assert view.values.frame == first and bar.label.text().startswith("step 1: tighten bolt")
    assert {"bolt: 3000 N", "0 N"} <= written(window)
    # A click on the mark goes to the end of the step.
    view.set(frame=0)
    settle(qtbot)
    at = QPoint(round(bar.slider.mark_places()[0]), bar.slider.height() // 2)
    qtbot.mouseClick(bar.slider, Qt.MouseButton.LeftButton, pos=at)
    assert view.values.frame == first and bar.steps.currentIndex() == 0
    places = set()
    for frame in range(window.context.n_frames):
        view.set(frame=frame)
        settle(qtbot, 10)
        places.add((bar.slider.geometry().getRect(), bar.geometry().getRect()))
    assert bar.steps.currentIndex() == 1 and bar.label.text().startswith("step 2: load ")
    assert "1000 N" in written(window) and "bolt: 3000 N" not in written(window)
    assert len(places) == 1


@pytest.mark.slow  # seconds in the window, and not what decides alone
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
    wait_idle(qtbot, window)  # the model is read
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    qtbot.waitUntil(lambda: panel._pages.currentWidget() is not panel._empty, timeout=60_000)
    heads = [column.title for column in panel.view.table.columns]
    panel.view.copy()
    cells = QGuiApplication.clipboard().text().splitlines()[1].split("\t")
    told = dict(zip(heads, cells, strict=True))
    assert told["Bolt"] == "bolt" and float(told["Preload [N]"]) == pytest.approx(3000.0)
    assert float(told["Load factor [%]"]) == pytest.approx(17.0, abs=1.0) and told["Size"] == "M4"
    steps_are_marked_on_the_time_bar(qtbot, window)
    # What holds the clamp, and what came of each step.
    window.show_panel("run_tables")
    settle(qtbot)
    tables = window.docks.panels["run_tables"]
    assert [tables.pages.tabText(i) for i in range(tables.pages.count())] == ["Reactions", "Steps"]
    shown = {column.title: column.values for column in tables.views["reactions"].table.columns}
    assert shown["When"] == ["step 1, tighten bolt", "step 2, load"]
    assert shown["Force z [N]"] == pytest.approx([0.0, -1000.0], abs=1e-6)
    assert tables.views["steps"].table.columns[1].values == ["tighten bolt", "load"]
    window.show_panel("bolts")
    settle(qtbot)
    # Another class is another safety, without another run.
    yielding = float(told["Safety, yielding"])
    edit = edits.set_value(("bodies", 0, "bolts", 0, "strength_class"), "10.9")
    window.context.apply("Stronger", edit)
    qtbot.waitUntil(
        lambda: any(rows[0].strength_class == "10.9" for rows in panel._known.values()), timeout=60_000
    )
    ((row,),) = panel._known.values()
    assert row.yielding == pytest.approx(yielding * 940 / 640)
