"""Findings where a run is started from the window: errors are asked about, warnings are told."""

import pytest
from PySide6.QtWidgets import QMessageBox

import faying_app.context
from faying.project import edits
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window

INSIDE = "Interface node 'middle' lies on the master surface of joint 'lap'."


def with_node_in_joint(qtbot, window, folder):
    """Import the plates and name a node in the middle of the lower plate's faying surface."""
    plates_in(qtbot, window, folder, analysis=True)
    words = {"name": "middle", "node": 16}
    assert window.context.apply("Add interface", edits.add_interface("plates", words))
    window.context.selection.select(("analyses", 0))
    settle(qtbot)


def box_of(qtbot, window):
    """Return the box that asks."""
    qtbot.waitUntil(lambda: bool(boxes(window)), timeout=20000)
    (box,) = boxes(window)
    return box


def boxes(window):
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def press(qtbot, box, text):
    next(button for button in box.buttons() if button.text() == text).click()
    settle(qtbot)


def test_warnings_are_told_when_a_run_starts_and_when_it_is_done(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    window.context.selection.select(("analyses", 0))
    said = []
    window.context.said.connect(said.append)
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    assert not boxes(window)
    assert said[0].startswith(
        "Run push: Interface node 'hold' makes 5 of the 45 nodes"
    )  # one alone is said in words
    assert said[-1] == "Run push: done, with 2 warnings: see Findings."
    assert window.statusBar().currentMessage() == said[-1]
    panel = window.docks.panels["findings"]
    assert any("miss the reaction that balances" in f.sentence for f in panel.model.findings)  # of the run
    assert any("nodes of the master surface of joint 'lap' rigid" in f.sentence for f in panel.model.findings)


def test_errors_are_asked_about_before_anything_is_computed(qtbot, window, tmp_path, screenshots):
    with_node_in_joint(qtbot, window, tmp_path)
    before = len(window.runner.log)
    trigger(qtbot, window, "run_all")
    box = box_of(qtbot, window)
    assert box.text() == INSIDE and "Hold and load the body away from the joint" in box.informativeText()
    assert box.grab().save(str(screenshots / "run-findings.png"))
    press(qtbot, box, "Show findings")
    assert len(window.runner.log) == before and not boxes(window)
    assert not window.docks.panels["findings"].visibleRegion().isEmpty()
    trigger(qtbot, window, "run_analysis")
    press(qtbot, box_of(qtbot, window), "Run anyway")
    assert len(window.runner.log) == before + 1
    wait_idle(qtbot, window)
    assert window.runner.log[-1].state == "done"


def test_errors_of_other_bodies_and_analyses_are_not_asked_about(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, analysis=True)
    words = {"kind": "static", "name": "idle", "body": "plates", "support": "nowhere"}
    assert window.context.apply("Add analysis", edits.add_analysis(words))
    window.context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    assert not boxes(window) and window.runner.log[-1].state == "done"
    window.context.selection.select(("analyses", 1))
    trigger(qtbot, window, "run_analysis")
    assert "is held at 'nowhere', which is no interface node" in box_of(qtbot, window).text()


def test_checks_are_made_once_for_each_state(qtbot, window, tmp_path, monkeypatch):
    """Neither a second look nor a run that computes nothing makes them again; a deck that has changed does."""
    deck = plates_in(qtbot, window, tmp_path, joint=False)
    window.context.refresh_findings()
    made, inner = [], faying_app.context.run_checks
    monkeypatch.setattr(
        faying_app.context, "run_checks", lambda checked: made.append(checked) or inner(checked)
    )
    window.context.computed.refresh()
    settle(qtbot, 600)
    assert not made
    deck.write_text(deck.read_text() + "** changed\n")
    window.context.refresh_findings()
    assert len(made) == 1
    assert any(finding.check == "deck_file" for finding in window.context.findings)
    window.context.refresh_findings()
    assert len(made) == 1


def test_menus_follow_once_for_all_changes_of_a_press(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path, joint=False)
    wait_idle(qtbot, window)
    told, inner, cancel = [], window.menus.refresh, window.menus.qt_actions["cancel_task"]

    def refresh():
        inner()
        told.append((cancel.isEnabled(), window.runner.is_busy))

    monkeypatch.setattr(window.menus, "refresh", refresh)
    window.menus.qt_actions["compute_basis"].trigger()
    assert not told and window.runner.is_busy
    qtbot.waitUntil(lambda: bool(told))
    wait_idle(qtbot, window)
    assert all(enabled == busy for enabled, busy in told) and told[-1] == (False, False)
