"""Leaving a project, a run, a mode or a field in the real window: nothing is lost without a question."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMessageBox

from faying.project import edits
from faying.project.file import open_project
from faying.project.stage import target_of
from faying_app.tasks import saving
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.fixture
def asked(monkeypatch):
    """Answer boxes by the text of a button; return what they asked."""

    class Asked(list):
        answer = "Cancel"

    told = Asked()

    def click(box):
        told.append(box.text())
        button = next(b for b in box.buttons() if b.text().replace("&", "") == told.answer)
        button.click()
        return box.standardButton(button)

    monkeypatch.setattr(QMessageBox, "exec", click)
    return told


def run_without_end(qtbot, window, tmp_path):
    """Save the plates with a transient that takes hours, and begin it."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    force = {
        "interface": "tip",
        "force": (0, 0, -5),
        "time_history": {"kind": "harmonic", "frequency": 500.0},
    }
    words = {"kind": "transient", "name": "long", "body": "plates", "support": "hold", "duration": 1.0,
             "frames": 2000, "loads": [force]}  # fmt: skip
    context.apply("Add", edits.add_analysis(words))
    assert saving.save_to(context, tmp_path / "plates.faying")
    target = target_of(context.project.analyses[-1])
    window.runner.run("Run long", [target], context.project)
    store = context.computed.store

    def frames():
        place = store.results(context.computed.state(target).key)
        return 0 if place is None else place.reached[1]

    qtbot.waitUntil(lambda: frames() > 0, timeout=60_000)


def test_results_that_no_file_has_are_asked_for(qtbot, window, tmp_path, asked):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context, file = window.context, tmp_path / "plates.faying"
    assert saving.save_to(context, file)
    assert context.session.unsaved_results(context.computed.pipeline) == ()
    analysis = context.project.analyses[0]
    window.runner.run("Run", [target_of(analysis)], context.project)
    wait_idle(qtbot, window)
    assert not context.document.is_modified
    assert context.session.unsaved_results(context.computed.pipeline) == (analysis.name,)
    assert not window.close() and asked == [f"Save the results of '{analysis.name}'?"]
    trigger(qtbot, window, "new_project")
    assert len(asked) == 2 and context.project.bodies
    asked.answer = "Save"
    assert window.close() and len(asked) == 3
    assert _frames_in(file, analysis)


def test_results_that_were_saved_are_not_asked_for_again(qtbot, window, tmp_path, asked):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context, file = window.context, tmp_path / "plates.faying"
    analysis = context.project.analyses[0]
    for _ in range(2):  # into a new file, and into one that is there
        assert saving.save_to(context, file)
        context.apply("Change", edits.set_value(("analyses", 0, "load_steps"), analysis.load_steps + 1))
        analysis = context.project.analyses[0]
        window.runner.run("Run", [target_of(analysis)], context.project)
        wait_idle(qtbot, window)
        assert context.session.unsaved_results(context.computed.pipeline) == (analysis.name,)
        assert saving.save_to(context, file)
        assert context.session.unsaved_results(context.computed.pipeline) == ()
    assert _frames_in(file, analysis)
    assert window.close() and asked == []


@pytest.mark.slow  # a whole run each; what is lost without a question is asked for above
def test_closing_asks_what_becomes_of_a_run_and_keeps_its_frames(qtbot, window, tmp_path, asked):
    run_without_end(qtbot, window, tmp_path)
    assert not window.close() and "“Run long” is at" in asked[-1]
    assert window.runner.is_busy and window.isVisible()
    asked.answer = "End it and close"
    assert not window.close()
    asked.answer = "Save"
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert "Save the results of 'long'?" in asked
    assert _frames_in(
        tmp_path / "plates.faying", open_project(tmp_path / "plates.faying").project.analyses[-1]
    )


@pytest.mark.slow  # a whole run each; what is lost without a question is asked for above
def test_a_run_may_end_before_the_window_closes(qtbot, window, tmp_path, asked):
    plates_in(qtbot, window, tmp_path, analysis=True)
    context = window.context
    assert saving.save_to(context, tmp_path / "plates.faying")
    window.runner.run("Run", [target_of(context.project.analyses[0])], context.project)
    asked.answer = "Close when it is done"
    assert not window.close()
    asked.answer = "Discard"
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert window.runner.log[-1].state == "done"


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_cancel_asks_when_much_is_at_stake_and_esc_never_stops(qtbot, window, tmp_path, asked):
    run_without_end(qtbot, window, tmp_path)
    task = window.runner.current
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    settle(qtbot)
    assert task.state == "running"
    task.began -= 120.0  # as if it had run for two minutes
    asked.answer = "Let it run"
    trigger(qtbot, window, "cancel_task")
    assert "after 2 min" in asked[-1] and task.state == "running"
    asked.answer = "Stop it"
    trigger(qtbot, window, "cancel_task")
    wait_idle(qtbot, window)
    assert task.state == "cancelled"
    # What was cancelled goes on from its last frame, and says so.
    context = window.context
    (target,) = task.targets
    frames = context.computed.frames_so_far(target)
    assert frames > 0 and "continues from the last one" in window.statusBar().currentMessage()
    context.selection.select(("analyses", len(context.project.analyses) - 1))
    settle(qtbot)
    title = window.menus.qt_actions["run_analysis"].text().replace("&", "")
    assert title == f"Go on with “long” from frame {frames}"
    trigger(qtbot, window, "run_analysis")
    place = context.computed.store.results(context.computed.state(target).key)
    assert place is not None  # what there was is not begun again
    qtbot.waitUntil(
        lambda: context.computed.store.results(context.computed.state(target).key).reached[1] > frames,
        timeout=60_000,
    )
    trigger(qtbot, window, "cancel_task")
    wait_idle(qtbot, window)
    assert context.computed.frames_so_far(target) > frames
    asked.answer = "Discard"


def test_esc_leaves_a_field_with_its_former_value_then_the_mode_then_the_pick(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    context.selection.select(("bodies", 0, "joints", 0))
    settle(qtbot)
    window.activateWindow()
    name = next(
        line for line in window.docks.panels["properties"].findChildren(QLineEdit) if line.text() == "lap"
    )
    name.setFocus()
    qtbot.waitUntil(name.hasFocus)
    name.selectAll()
    qtbot.keyClicks(name, "seam")
    context.view.set(pointer="probe")
    trigger(qtbot, window, "leave_mode")
    assert (name.text(), name.hasFocus()) == ("lap", False) and context.view.values.pointer == "probe"
    assert context.project.bodies[0].joints[0].name == "lap"
    trigger(qtbot, window, "leave_mode")
    assert context.view.values.pointer == "select"


def _frames_in(file, analysis):
    from faying.session import read

    with read(file) as session:
        state = session.pipeline.states(session.project, session.store, session.base)[target_of(analysis)]
        place = session.store.results(state.key)
    return place is not None and (place.complete or place.reached[1] > 0)
