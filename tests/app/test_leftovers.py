"""What must not outlive its project or its body in the real window."""

import numpy as np
import pytest

from faying.project import edits
from faying_app.selection import MarkedPlaces, PairRows, PickedFace, PickedSide
from faying_app.view_state import Probe
from support.plate_deck import write_plate_deck
from support.sheet_deck import write_sheet_deck
from support.windows import drop, plates_in, settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window


def test_nothing_of_a_project_stays_after_new(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_for_frames(qtbot, window)
    context.view.set(limits="user", highest=5.0, probes=(Probe(subject="plates", node=4),), pointer="probe")
    settle(qtbot)
    assert window.time_bar.isVisible()
    window.units_question.ask("plates.inp", context.computed.model("plates"))
    trigger(qtbot, window, "new_project")
    settle(qtbot)
    assert not window.units_question.isVisible() and not window.time_bar.isVisible()
    assert context.n_frames == 0 and context.shown_field == ""
    view = context.view.values
    assert (view.limits, view.probes, view.pointer) == ("run", (), "select")
    assert not context.selection.faces
    qtbot.waitUntil(lambda: all(finding.entity == () for finding in context.findings))


def test_an_imported_body_shows_nothing_of_the_others_and_takes_nothing_from_them(
    qtbot, results_window, tmp_path
):
    """The look of the window belongs to the project, which goes on; frames, curves and picks to what was shown."""
    window, context = results_window, results_window.context
    window.show_panel("curves")
    chosen = {"frame": 20, "scale": 3.0, "field": "displacement", "limits": "user", "highest": 5.0}
    context.view.set(**chosen)
    settle(qtbot, 150)
    curves = window.docks.panels["curves"].plot.plot
    drawn = [series.name for series in curves.series]
    assert drawn and context.n_frames == 41
    context.view.set_playing(True)
    drop(window, write_plate_deck(tmp_path / "others.inp"))
    qtbot.waitUntil(lambda: len(context.project.bodies) == 2, timeout=60000)
    wait_idle(qtbot, window)
    assert context.selection.entity[:2] == ("bodies", 1)
    assert (context.n_frames, context.shown_field, context.view.playing) == (0, "", False)
    assert not window.time_bar.isVisible()
    context.selection.select(("analyses", 2))
    wait_for_frames(qtbot, window)
    assert context.n_frames == 41
    values = context.view.values
    assert {name: getattr(values, name) for name in chosen if name != "frame"} == {
        name: value for name, value in chosen.items() if name != "frame"
    }
    assert [series.name for series in curves.series] == drawn
    context.selection.select(("bodies", 1, "model"))
    settle(qtbot)
    assert (context.n_frames, context.shown_field, window.presenter.frames) == (0, "", None)


def test_a_pick_is_dropped_with_its_body(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    drop(window, write_plate_deck(tmp_path / "others.inp"))
    qtbot.waitUntil(lambda: len(context.project.bodies) == 2, timeout=20000)
    wait_idle(qtbot, window)
    context.selection.select(("bodies", 0))
    context.selection.pick_face(PickedFace("plates", 0, 1, 1))
    context.selection.select(("bodies", 0, "joints", 0))
    assert context.selection.faces
    context.selection.select(("bodies", 1, "model"))
    assert not context.selection.faces
    for kind in ("couple_face", "add_bolt"):
        assert not window.menus.qt_actions[kind].isEnabled()


def test_picks_are_dropped_when_what_they_are_counted_in_is_another(qtbot, window, tmp_path):
    """Facets, sides and rows are numbers: in another model or other pairs they would mean something else."""
    plates_in(qtbot, window, tmp_path)
    context = window.context
    wait_idle(qtbot, window)
    context.selection.select(("bodies", 0))
    last = len(context.computed.skin("plates").areas) - 1

    def pick():
        context.selection.pick_face(PickedFace("plates", last, 1, 1))
        context.selection.pick_side(PickedSide("swing", "arm", "", PickedFace("plates", last, 1, 1)))
        context.selection.mark(MarkedPlaces("plates", np.array([last]), np.zeros((0, 3))))
        settle(qtbot)
        assert context.selection.faces and context.selection.sides and context.selection.marked

    def nothing_is_picked():
        settle(qtbot)
        return (context.selection.faces, context.selection.sides, context.selection.marked) == ((), (), None)

    # Another name: no body is called so any more, and no menu may stumble over it.
    pick()
    context.apply("Rename", edits.rename(("bodies", 0), "sheets"))
    assert window.menus.actions["use_face_as_surface"].why_disabled(context).startswith("Click a face")
    assert nothing_is_picked()
    trigger(qtbot, window, "undo")
    # Another mesh with fewer facets.
    pick()
    (tmp_path / "other").mkdir()
    sheets = write_sheet_deck(tmp_path / "other" / "sheets.inp")
    model = context.project.bodies[0].model.with_(path=str(sheets), digest="")
    context.apply("Take", edits.set_value(("bodies", 0, "model"), model))
    assert nothing_is_picked()
    trigger(qtbot, window, "undo")
    settle(qtbot)
    # Other decisions about the pairs; the model stays, and what is picked on it.
    pick()
    context.selection.select_pairs(PairRows("plates", "lap", (3,)))
    context.apply("Search", edits.set_value(("bodies", 0, "joints", 0, "search", "distance"), 0.7))
    settle(qtbot)
    assert context.selection.pairs is None and context.selection.faces
    # Another project.
    trigger(qtbot, window, "new_project")
    assert nothing_is_picked()


def test_hidden_parts_and_probes_go_with_a_body_that_is_renamed(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    context = window.context
    context.view.set(probes=(Probe(subject="plates", node=4),), hidden_parts=(("plates", 1),))
    context.apply("Rename", edits.rename(("bodies", 0), "sheets"))
    assert context.view.values.probes == (Probe(subject="sheets", node=4),)
    assert context.view.values.hidden_parts == (("sheets", 1),)
    settle(qtbot)
    assert len(window.presenter.scene.content.probes) == 1


def test_a_probed_node_that_another_mesh_lacks_is_not_shown(qtbot, results_window):
    window, context = results_window, results_window.context
    window.show_panel("curves")
    there = int(context.computed.model("plates").node_ids[7])
    context.view.set(
        field="displacement",
        probes=(Probe(subject="plates", node=10**6), Probe(subject="plates", node=there)),
    )
    settle(qtbot)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=30000)
    settle(qtbot)
    assert window.presenter.scene.content.probes == (7,)
    names = [series.name for series in window.docks.panels["curves"].plot.plot.series]
    assert [name for name in names if "at node" in name] == [f"Displacement at node {there}"]
