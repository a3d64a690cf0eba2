"""Results that another program computed, in the window: chosen in the form, run, looked at beside ours."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from faying.testing.plates import write_plate_deck
from faying_app.forms.editors.file_name import FileNameEditor
from support.windows import choose, drop, settle, trigger, wait_for_frames, wait_idle

pytestmark = pytest.mark.window

BY_CALCULIX = Path(__file__).parents[1] / "support" / "plates_by_calculix.frd"


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_results_file_is_chosen_run_and_shown(qtbot, window, tmp_path, monkeypatch, screenshots):
    context = window.context
    drop(window, write_plate_deck(tmp_path / "plates.inp"))
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=20000)
    wait_idle(qtbot, window)
    window.units_question.take.click()
    path = tmp_path / "run.frd"
    path.write_bytes(BY_CALCULIX.read_bytes())
    context.selection.select(("bodies", 0))
    choose(qtbot, window, "add_analysis", "Results of CalculiX")
    settle(qtbot, 300)
    (theirs,) = context.project.analyses
    assert theirs.kind == "results_of_file" and theirs.body == "plates"
    assert window.widget.grab().save(str(screenshots / "results-of-file-form.png"))
    context.selection.select(("analyses", 0))
    settle(qtbot, 300)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    (editor,) = [each for each in window.widget.findChildren(FileNameEditor) if each.isVisible()]
    editor.button.click()
    assert Path(context.project.analyses[0].file).name == "run.frd"
    trigger(qtbot, window, "run_analysis")
    wait_idle(qtbot, window)
    wait_for_frames(qtbot, window)
    field = window.time_bar.field
    field.setCurrentIndex(field.findData("von_mises"))
    field.activated.emit(field.currentIndex())
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)
    for theme in ("dark", "light"):
        window.choose_theme(theme)
        settle(qtbot, 300)
        assert window.widget.grab().save(str(screenshots / f"results-of-file-{theme}.png"))
