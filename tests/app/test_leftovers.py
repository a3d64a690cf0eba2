"""What must not outlive its project or its body in the real window."""

import pytest

from faying_app.selection import PickedFace
from faying_app.view_state import Probe
from support.plate_deck import write_plate_deck
from support.windows import drop, plates_in, settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window


def test_nothing_of_a_project_stays_after_new(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_for_frames(qtbot, window)
    context.view.set(limits="user", highest=5.0, probes=(Probe(subject="plates", row=3),), pointer="probe")
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
