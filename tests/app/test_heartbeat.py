"""The window answers all the way from a deck to a film: how long its thread works without a look at the mouse."""

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QFileDialog

from faying.project import edits
from faying_app import main
from faying_app.scene.picture import Photographer
from support.clocks import ThreadWork, slowness
from support.pads_deck import write_pads_deck
from support.windows import choose, drop, settle, trigger, type_in, wait_for_frames, wait_idle

pytestmark = [pytest.mark.window, pytest.mark.slow]

# Seconds of the thread's own work between two beats. 0.15 is wanted; on busy machines the processor time of the same
# work grows by half.
LONGEST = 0.25
# Not there yet: at the first frames of a run the store looks several times whether its results are sound.
LONGER = {"run": 0.4}
JOINTS = ("bodies", 0, "joints")


class Heartbeat(QObject):
    """Beats in the window's thread and keeps the longest work between two beats, with what was done meanwhile.

    What the thread works counts, not the clock (`support.clocks.ThreadWork`).
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps: dict[str, float] = {}
        self.work = ThreadWork()
        self.doing, self._last = "start", self.work.now()
        self._timer = QTimer(self, interval=5)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    def beat(self) -> None:
        now = self.work.now()
        self.gaps[self.doing] = max(self.gaps.get(self.doing, 0.0), now - self._last)
        self._last = now

    def begin(self, doing: str) -> None:
        """Count from now on for another thing that is done."""
        self.beat()
        self.doing = doing


@pytest.mark.parametrize(
    ("pads", "cells"), [((1, 1), (60, 48)), ((6, 5), (36, 30))], ids=["12000 nodes", "30 joints"]
)
def test_no_step_from_the_deck_to_the_film_keeps_the_window_waiting(
    qtbot, make_window, tmp_path, monkeypatch, pads, cells
):
    window = make_window((1440, 900))
    monkeypatch.setattr(main, "_IDLE", 0)
    main.load_the_rest(window)  # as it does while a window that was opened waits for its user
    settle(qtbot, 3000)
    context, heart = window.context, Heartbeat()
    view = window.viewport.view
    monkeypatch.setattr(view, "_draw", heart.work.leaving_out(view._draw))
    monkeypatch.setattr(Photographer, "take", heart.work.leaving_out(Photographer.take))

    def doing(what: str) -> None:
        settle(qtbot, 700)  # what follows a while after the step before: checks, the session on the disk
        heart.begin(what)

    doing("import")
    drop(window, write_pads_deck(tmp_path / "pads.inp", pads, cells))
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=120_000)
    wait_idle(qtbot, window)
    window.units_question.take.click()

    doing("search joints")
    trigger(qtbot, window, "search_joints")
    panel = window.docks.panels["joint_search"]
    qtbot.waitUntil(lambda: panel.search is not None, timeout=60_000)
    qtbot.waitUntil(lambda: panel.table.next_unmeasured() is None, timeout=120_000)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60_000)
    settle(qtbot, 300)
    doing("create joints")
    panel.create_button.click()
    assert len(context.project.bodies[0].joints) == pads[0] * pads[1]

    doing("add joints")  # of the surfaces that the deck names, in place of those that were found
    trigger(qtbot, window, "undo")
    for number in range(1, pads[0] * pads[1] + 1):
        sides = {"master": f"BASE_{number}", "slave": f"PAD_{number}"}
        words = {side: {"kind": "deck_surface", "name": name} for side, name in sides.items()}
        context.apply("Add joint", edits.add_joint("pads", {"name": f"pad {number}", **words}))
        settle(qtbot, 20)

    doing("select and commit")
    context.selection.select(("bodies", 0, "reduction"))
    settle(qtbot, 200)
    type_in(qtbot, window, "vibration_modes", "4")
    few = {"kind": "weighted_pod", "count": 3}
    context.apply("Fewer joint modes", edits.set_value(("bodies", 0, "joint_modes"), few))
    for number in range(pads[0] * pads[1]):
        context.selection.select((*JOINTS, number))
        settle(qtbot, 20)

    doing("find pairs")
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window, 120)

    doing("look at pairs")
    for panel in ("pairs", "quality", "findings"):
        window.show_panel(panel)
        settle(qtbot, 300)
    for number in range(pads[0] * pads[1]):
        context.selection.select((*JOINTS, number))
        settle(qtbot, 20)

    doing("compute joint modes")
    context.selection.select(("bodies", 0, "reduction"))
    trigger(qtbot, window, "compute_basis")
    wait_idle(qtbot, window, 400)
    doing("look at joint modes")
    context.selection.select(("bodies", 0, "joint_modes"))
    wait_for_frames(qtbot, window)
    for mode in range(min(context.n_frames, 5)):
        context.view.set(frame=mode)
        settle(qtbot, 100)

    doing("add analysis")
    context.selection.select(("bodies", 0))
    choose(qtbot, window, "add_analysis", "Static equilibrium")
    settle(qtbot, 400)
    type_in(qtbot, window, "force", "-20", line=2)

    doing("run")
    context.selection.select(("analyses", 0))
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window, 400)
    assert not window.problems, [box.text() for box in window.problems]
    wait_for_frames(qtbot, window)

    doing("look at results")
    for field in ("pressure", "displacement", "von_mises"):
        context.view.set(field=field)
        settle(qtbot, 300)
    window.show_panel("curves")
    settle(qtbot, 300)
    window.play("toggle")
    settle(qtbot, 1500)
    window.play("toggle")

    monkeypatch.setattr(QDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "pads.mp4"), ""))
    doing("film")
    trigger(qtbot, window, "export_video")
    qtbot.waitUntil((tmp_path / "pads.mp4").is_file, timeout=120_000)
    wait_idle(qtbot, window)
    doing("end")
    slow = slowness()
    gaps = {what: round(gap / slow, 3) for what, gap in heart.gaps.items()}
    assert not {what: gap for what, gap in gaps.items() if gap >= LONGER.get(what, LONGEST)}
