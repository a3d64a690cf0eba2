"""Modes and quasi-static modes in the real window: added, run, shown as frames, curves and tables."""

import numpy as np
import pytest

from faying.analyses import analyses
from faying.project import edits
from faying.results.frame_axes import frame_axes
from faying.testing.plates import write_plate_deck
from faying_app.actions.add_analysis import AddAnalysis, _body_parameters
from faying_app.panels.curves import _VIEWS
from faying_app.tasks import opening
from support.squeezed_plates import SqueezedPlates
from support.windows import choose, settle, trigger, wait_for_frames, wait_idle

STUDY = """
[[bodies]]
name = "plates"
model = { path = "plates.inp" }
interfaces = [{ name = "hold", node_set = "HOLD" }, { name = "tip", node_set = "TIP" }]
reduction = { kind = "craig_bampton", vibration_modes = 4 }
joint_modes = { kind = "weighted_pod", count = 4 }

[[bodies.joints]]
name = "lap"
master = { kind = "deck_surface", name = "LOWER" }
slave = { kind = "deck_surface", name = "UPPER" }
friction_law = { kind = "coulomb" }
"""


def test_every_way_to_show_curves_has_a_name_in_the_panel():
    for _, axis in frame_axes.items():
        assert set(axis.views) <= set(_VIEWS), axis.kind


def test_new_analyses_of_vibrations_are_of_the_mounted_body(tmp_path):
    project = SqueezedPlates(tmp_path).project
    for kind in ("modes", "quasi_static_modes", "nonlinear_mode"):
        words = _body_parameters(analyses[kind], project.bodies[0], project)
        assert words is not None and words["preloads"] == ("squeeze",), kind
        assert words["support"] == "hold"


@pytest.mark.window
def test_modes_stand_first_and_are_shown(qtbot, window, tmp_path):
    write_plate_deck(tmp_path / "plates.inp")
    (tmp_path / "plates.toml").write_text(STUDY)
    context = window.context
    opening.open_path(context, tmp_path / "plates.toml")
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    context.selection.select(("bodies", 0))
    settle(qtbot)
    offered = [choice.title for choice in AddAnalysis().choices(context)]
    assert offered[:2] == ["Modes", "Quasi-static modes"]
    choose(qtbot, window, "add_analysis", "Modes")
    settle(qtbot)
    assert context.project.analyses[-1].support == "hold"
    number = len(context.project.analyses) - 1
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    context.selection.select(("analyses", number))
    wait_for_frames(qtbot, window)
    tables = window.docks.panels["run_tables"]
    window.show_panel("run_tables")
    settle(qtbot, 200)
    titles = [column.title for column in tables.views["modes"].table.columns]
    assert titles[0] == "Mode" and any(title.startswith("Frequency") for title in titles)
    # Such a run has no steps to draw, which the panel says.
    window.show_panel("run")
    settle(qtbot, 300)
    run = window.docks.panels["run"]
    assert not run.views and "has no step sizes" in run._empty.text()
    results = context.computed.results(context.project.analyses[number].name)
    assert results.axis.kind == "mode" and (np.diff(results.values) >= 0.0).all()

    # Small motions have no pressure: a field that was chosen for other frames gives way to one that there is.
    context.view.set(field="pressure")
    context.selection.select(("bodies", 0))
    choose(qtbot, window, "add_analysis", "Frequency response")
    number = len(context.project.analyses) - 1
    at = ("analyses", number)
    context.apply("Load", edits.set_value((*at, "loads", 0, "force"), (0.0, 0.0, 1.0)))
    context.apply("Few", edits.set_value((*at, "points"), 10))
    context.apply("Without preload", edits.set_value((*at, "sticking"), "open"))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, seconds=120)
    assert window.runner.log[-1].state == "done", window.runner.log[-1].error
    wait_for_frames(qtbot, window)
    assert window.presenter.chosen_field == "displacement" == window.time_bar.field.currentData()
    assert window.presenter.scene.content.frame is not None
    assert not window.docks.panels["curves"].visibleRegion().isEmpty()  # which shows how such a run goes
    context.view.set(field="gap")
    assert window.presenter.chosen_field == "gap"


def test_the_run_panel_shows_no_other_analysis_than_the_selected_one(qtbot, results_window):
    window, context = results_window, results_window.context
    window.show_panel("run")
    settle(qtbot, 300)
    panel = window.docks.panels["run"]
    assert panel.views
    words = {"kind": "modes", "name": "later", "body": "plates", "support": "hold"}
    context.apply("Add analysis", edits.add_analysis(words))
    context.selection.select(("analyses", len(context.project.analyses) - 1))
    settle(qtbot, 300)
    assert not panel.views and panel._empty.isVisible()
    context.selection.select(("analyses", 2))
    settle(qtbot, 300)
    assert panel.views
