"""Running in the background: the window stays alive, cancel is quick, a crash is a message, nothing is lost."""

import itertools
import time

import pytest
from PySide6.QtCore import QTimer

from faying.fem.added_couplings import CouplingSpec
from faying.linalg.room import MemoryNeedError
from faying.project import edits
from faying.project.model_questions import MeshQuestion
from faying.project.stage import Target
from faying.project.workspace import Workspace
from faying.testing.plates import write_plate_deck as other_plates
from faying_app.panels.tasks import duration
from faying_app.shell.player import next_frame
from faying_app.tasks import opening
from faying_app.tasks.runner import Task
from support.plate_deck import write_plate_deck
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def long_run(qtbot, window, folder):
    """Give the plates a transient that would run for a long time, and start it."""
    plates_in(qtbot, window, folder, analysis=True)
    words = {
        "kind": "transient", "name": "swing", "body": "plates", "support": "hold", "duration": 1e3,
        "frames": 1000000, "loads": ({"interface": "tip", "force": (0.0, 0.0, 20.0)},),
    }  # fmt: skip
    window.context.apply("Add analysis", edits.add_analysis(words))
    window.context.selection.select(("analyses", 1))
    trigger(qtbot, window, "run_analysis")
    qtbot.waitUntil(lambda: bool(window.runner.current.values), timeout=60000)


def test_cancel_brings_the_window_back(qtbot, window, tmp_path):
    long_run(qtbot, window, tmp_path)
    trigger(qtbot, window, "cancel_task")
    qtbot.waitUntil(lambda: not window.runner.is_busy, timeout=20000)
    assert window.runner.log[-1].state == "cancelled"
    settle(qtbot)
    assert not window.menus.qt_actions["cancel_task"].isEnabled()
    # The project is as usable as before, and so is the child.
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    assert window.runner.log[-1].state == "done"


def test_window_stays_alive_and_project_can_be_edited_during_a_run(qtbot, window, tmp_path):
    long_run(qtbot, window, tmp_path)
    ticks = []
    timer = QTimer(interval=20)
    timer.timeout.connect(lambda: ticks.append(time.monotonic()))
    timer.start()
    qtbot.wait(500)
    window.context.apply("Rename", edits.rename(("bodies", 0), "sheets"))
    qtbot.wait(1000)
    timer.stop()
    gaps = [b - a for a, b in itertools.pairwise(ticks)]
    assert (
        max(gaps) < 5.0
    )  # a frozen window misses all of the run, a loaded machine now and then a second or two
    assert window.context.project.bodies[0].name == "sheets"
    assert window.runner.current.project.bodies[0].name == "plates"
    window.runner.cancel()
    wait_idle(qtbot, window)


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_frames_of_an_interrupted_run_are_shown(qtbot, window, tmp_path):
    long_run(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: window.context.n_frames > 3, timeout=30000)
    window.runner.cancel()
    wait_idle(qtbot, window)
    settle(qtbot, 200)
    results = window.context.computed.results("swing")
    assert not results.complete
    assert results.n_frames > 3
    assert window.time_bar.isVisible()
    panel = window.docks.panels["properties"]
    assert "Interrupted" in panel._state.whole


def test_a_crashed_child_is_a_message(qtbot, window, tmp_path):
    import os
    import signal

    long_run(qtbot, window, tmp_path)
    os.kill(window.runner._worker.process_id, signal.SIGSEGV)
    qtbot.waitUntil(lambda: not window.runner.is_busy, timeout=10000)
    settle(qtbot)
    task = window.runner.log[-1]
    assert task.state == "failed"
    assert "SIGSEGV" in str(task.error)
    assert window.problems
    assert "stopped unexpectedly" in window.problems[-1].text()
    window.problems[-1].close()
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    assert window.runner.log[-1].state == "done"


def test_a_refusal_for_want_of_memory_has_a_button_that_leads_on(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    refused = MemoryNeedError("The factor needs 99 GB of memory.", "Mesh more coarsely.")
    targets = [Target("pairs", "plates", "lap"), Target("model", "plates")]
    task = Task("Read the model", targets, window.context.project, tmp_path, tmp_path, state="failed", at=1)
    task.error = refused
    window._ended(task)
    box = window.problems[-1]
    assert box.text() == refused.message and box.informativeText() == refused.hint
    button = next(each for each in box.buttons() if each.text().replace("&", "") == "Try anyway")
    assert box.defaultButton() is not button
    button.click()
    wait_idle(qtbot, window)
    done = window.runner.log[-1]
    assert done.all_the_same and done.state == "done" and done.targets == targets[1:]


def test_a_run_that_cannot_be_is_a_sentence_and_a_mark(qtbot, window, tmp_path):
    """Also where what comes before it is in the child's memory, and is not computed again."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("bodies", 0, "joints", 0))
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    window.context.apply("Break", edits.set_value(("bodies", 0, "joints", 0, "master", "name"), "NOWHERE"))
    window.context.selection.select(("bodies", 0, "joints", 0))
    trigger(qtbot, window, "update_pairs")
    qtbot.waitUntil(lambda: bool(window.problems), timeout=20000)
    assert "NOWHERE" in window.problems[-1].text()
    window.problems[-1].close()
    settle(qtbot)
    assert window.context.computed.state(Target("pairs", "plates", "lap")).kind == "failed"


def test_recovery_is_offered_and_brings_the_project_back(qtbot, make_window, tmp_path):
    lost = Workspace.new_session(tmp_path / "home" / "sessions")
    window = make_window()
    plates_in(qtbot, window, tmp_path, analysis=True)
    project = window.context.project.with_(name="Lost bar")
    lost.autosave(project, modified=True)
    lost.close(keep=True)
    dialog = window.offer_recovery()
    assert dialog is not None
    assert "Lost bar" in dialog.list.item(0).text()
    assert "never saved" in dialog.list.item(0).text()
    dialog.recover.click()
    wait_idle(qtbot, window)
    assert window.context.project.name == "Lost bar"
    assert window.context.document.is_modified
    assert window.context.computed.model("plates") is not None


def test_discarded_sessions_are_not_offered_again(qtbot, window, tmp_path):
    lost = Workspace.new_session(tmp_path / "home" / "sessions")
    plates_in(qtbot, window, tmp_path)
    lost.autosave(window.context.project, modified=True)
    lost.close(keep=True)
    dialog = window.offer_recovery()
    dialog.discard.click()
    assert window.offer_recovery() is None


def test_every_change_is_kept_in_the_session(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.context.apply("Rename", edits.rename(("bodies", 0), "sheets"))
    file = window.context.session.workspace.folder / "project.toml"
    qtbot.waitUntil(lambda: file.exists() and "sheets" in file.read_text(encoding="utf-8"), timeout=20000)


def test_study_opens_with_its_deck(qtbot, window, tmp_path):
    from faying.project.study import write_study

    plates_in(qtbot, window, tmp_path, analysis=True)
    write_study(window.context.project, tmp_path / "study.toml")
    opening.open_path(window.context, tmp_path / "study.toml")
    wait_idle(qtbot, window)
    assert window.context.project.analyses[0].name == "push"
    assert window.context.computed.model("plates") is not None
    assert not window.context.document.is_modified or window.context.document.path is None


@pytest.mark.parametrize(
    ("frame", "mode", "forward", "expected"),
    [
        (3, "loop", True, (4, True, True)),
        (9, "loop", True, (0, True, True)),
        (9, "once", True, (9, True, False)),
        (9, "swing", True, (8, False, True)),
        (0, "swing", False, (1, True, True)),
        (5, "swing", False, (4, False, True)),
    ],
)
def test_next_frame(frame, mode, forward, expected):
    assert next_frame(frame, 10, mode, forward) == expected


def test_durations_are_read_easily():
    assert [duration(s) for s in (0.44, 12.3, 185.0)] == ["0.4 s", "12 s", "3 min 05 s"]
    assert [duration(s) for s in (7300.0, 1e6, 1e10)] == ["2 h 01 min", "12 days", "317 years"]


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_killed_program_offers_its_session(qtbot, make_window, tmp_path):
    import os
    import subprocess
    import sys

    from support.plate_deck import write_plate_deck

    deck = write_plate_deck(tmp_path / "plates.inp")
    window = make_window()  # sets FAYING_HOME for the child too
    program = subprocess.Popen([sys.executable, "-m", "faying", "gui", str(deck)], env=dict(os.environ))
    sessions = tmp_path / "home" / "sessions"

    def has_imported():
        files = sessions.glob("*/project.toml")
        return any("plates.inp" in file.read_text(encoding="utf-8") for file in files)

    try:
        qtbot.waitUntil(has_imported, timeout=60000)
        assert window.offer_recovery() is None  # it still runs
    finally:
        program.kill()
        program.wait()
    dialog = window.offer_recovery()
    assert dialog is not None
    assert dialog.list.count() == 1
    dialog.recover.click()
    wait_idle(qtbot, window)
    assert [body.name for body in window.context.project.bodies] == ["plates"]
    assert window.context.computed.model("plates") is not None


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_live_curves_pause_continue_and_cancel_with_the_frames_so_far(qtbot, window, tmp_path):
    long_run(qtbot, window, tmp_path)
    panel = window.docks.panels["run"]
    assert panel.isVisible()
    qtbot.waitUntil(lambda: len(panel.views) == 4, timeout=30000)
    assert [view.accessibleName() for view in panel.views] == [
        "Step size",
        "Energy",
        "Contact",
        "Penetration",
    ]

    def drawn():  # a plot has no curve before its first values come
        return max((len(curve.getData()[0]) for curve in panel.views[0].curves[:1]), default=0)

    first = drawn()
    qtbot.waitUntil(lambda: drawn() > first, timeout=30000)
    trigger(qtbot, window, "pause_task")
    settle(qtbot, 1500)
    task, seconds = window.runner.current, window.runner.current.seconds
    assert task.state == "paused"
    assert window.menus.qt_actions["pause_task"].text().replace("&", "") == "Continue"
    held = window.context.computed.results("swing").n_frames
    settle(qtbot, 1200)
    assert window.context.computed.results("swing").n_frames == held
    assert task.seconds == pytest.approx(seconds, abs=1e-6)  # a pause costs no time
    trigger(qtbot, window, "pause_task")
    qtbot.waitUntil(lambda: window.context.computed.results("swing").n_frames > held, timeout=20000)
    trigger(qtbot, window, "pause_task")
    settle(qtbot, 300)
    trigger(qtbot, window, "cancel_task")
    wait_idle(qtbot, window)
    settle(qtbot, 300)
    assert task.state == "cancelled"
    kept = window.context.computed.results("swing")
    assert not kept.complete and kept.n_frames > held
    assert window.time_bar.isVisible() and window.context.n_frames == kept.n_frames
    assert drawn() == kept.n_frames
    assert not window.problems


def has_ended_unseen(window, monkeypatch):
    """Wait until the child has done what runs; the window hears of it when it looks the next time."""
    worker, held = window.runner._worker, []
    window.runner._timer.stop()
    until = time.monotonic() + 60.0
    while not any(message[0] == "done" for message in held) and time.monotonic() < until:
        held += worker.poll(0.1)
    assert held[-1][0] == "done"
    monkeypatch.setattr(worker, "poll", lambda timeout=0.0: [held.pop(0)] if held else [])
    window.runner._timer.start()


def test_a_deck_that_was_read_when_another_project_began_stays_out_of_that(
    qtbot, window, tmp_path, monkeypatch
):
    opening.import_deck(window.context, write_plate_deck(tmp_path / "plates.inp"))
    has_ended_unseen(window, monkeypatch)
    opening.new_project(window.context)
    wait_idle(qtbot, window)
    assert window.context.project.bodies == ()
    assert window.runner.log[-1].state == "cancelled"


def test_a_deck_that_cannot_be_read_stays_out_of_the_next_project(qtbot, window, tmp_path):
    """A file of condensed matrices becomes a body although it could not be read: of the project that asked for it."""
    missing = tmp_path / "housing.mat"
    missing.write_bytes(b"no matrices")
    opening.import_deck(window.context, missing)
    window.context.session.new()  # as if that were quicker than the child
    window.context.show_session()
    wait_idle(qtbot, window)
    assert window.runner.log[-1].state == "failed" and window.context.project.bodies == ()


def test_a_plan_that_fails_leaves_no_timer_running(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    window.runner.run("Nothing", [Target("analysis", "plates", "of no name")], window.context.project)
    assert window.runner.log[-1].state == "failed"
    assert not window.runner._timer.isActive()


def test_answers_about_a_closed_project_reach_nobody(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    answers, told = [], []
    window.questions.failed.connect(told.append)
    for key in ("first", "waits"):
        window.questions.ask(key, MeshQuestion("plates"), answers.append)
    window.context.session.new()
    window.context.show_session()
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=20000)
    assert answers == [] and told == []


def test_a_body_is_read_again_when_what_is_added_to_its_deck_is_edited(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    words = {"name": "grip", "surface": {"kind": "deck_surface", "name": "UPPER"}}
    context.apply("Couple", edits.add_coupling("plates", CouplingSpec.model_validate(words), "grip"))
    wait_idle(qtbot, window)
    first = context.computed.model("plates")
    assert first is not None and "grip" in first.node_sets
    other = "rigid" if context.project.bodies[0].couplings[0].behaviour != "rigid" else "distributing"
    context.apply("Edit", edits.set_value(("bodies", 0, "couplings", 0, "behaviour"), other))
    wait_idle(qtbot, window)
    assert context.computed.model("plates") not in (None, first)
    # A material of the library is another one in other units.
    material = {"kind": "library", "name": "aluminium"}
    context.apply("Give", edits.set_value(("bodies", 0, "materials"), (material,)))
    wait_idle(qtbot, window)
    context.apply("Units", edits.set_value(("units",), "m-kg-s"))
    wait_idle(qtbot, window)
    assert context.computed.model("plates") is not None


def test_a_deck_that_is_typed_is_read(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context, path = window.context, ("bodies", 0, "model", "path")
    first = context.computed.model("plates")
    context.apply("Type", edits.set_value(path, str(other_plates(tmp_path / "other.inp"))))
    wait_idle(qtbot, window)
    typed = context.computed.model("plates")
    assert typed is not None and first is not None and typed.title == "two plates" != first.title
    trigger(qtbot, window, "undo")
    wait_idle(qtbot, window)
    again = context.computed.model("plates")
    assert again is not None and again.title == first.title
    # What is not there is told by the check, not by a task that fails.
    context.apply("Type", edits.set_value(path, str(tmp_path / "gone.inp")))
    assert not window.runner.is_busy and context.computed.model("plates") is None
