"""The first deck of a project raises the question of its units once: guessed, answered by a click, undone."""

import pytest
from PySide6.QtCore import Qt

from faying.project import edits
from support.plate_deck import write_plate_deck
from support.windows import drop, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def import_plates(qtbot, window, path, modulus=210000.0, density=7.85e-9):
    """Drop the deck of the two plates, and wait until they are a body."""
    deck = write_plate_deck(path, modulus=modulus, density=density)
    n_bodies = len(window.context.project.bodies)
    drop(window, deck)
    qtbot.waitUntil(lambda: len(window.context.project.bodies) > n_bodies, timeout=20000)
    wait_idle(qtbot, window)


def test_the_guess_is_chosen_and_a_click_answers(qtbot, window, tmp_path, shoot):
    question = window.units_question
    assert not question.isVisible()
    import_plates(qtbot, window, tmp_path / "plates.inp")
    assert question.isVisible()
    assert question.systems.currentData() == "mm-t-s"
    assert "likely" in question.systems.currentText()
    said = question._meaning.text()
    assert "plates.inp" in said and "210 GPa, 7850 kg/m³" in said
    for theme in ("light", "dark"):
        window.choose_theme(theme)
        shoot(window, "units-question", theme, (1280, 800))
    steps = len(window.context.document.history)
    qtbot.mouseClick(question.take, Qt.MouseButton.LeftButton)
    assert not question.isVisible()
    assert len(window.context.document.history) == steps  # they were the project's units already
    import_plates(qtbot, window, tmp_path / "more.inp")
    assert not question.isVisible()  # asked once


def test_another_answer_is_one_step_that_can_be_undone(qtbot, window, tmp_path):
    import_plates(qtbot, window, tmp_path / "plates.inp")
    question = window.units_question
    question.systems.setCurrentIndex(question.systems.findData("m-kg-s"))
    assert "0.00021 GPa" in question._meaning.text()
    qtbot.mouseClick(question.take, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert window.context.project.units == "m-kg-s"
    assert window.context.document.history[-1].label == "Count in m-kg-s"
    assert "mm" not in window.status.units.text()
    trigger(qtbot, window, "undo")
    assert window.context.project.units == "mm-t-s"


def test_a_deck_in_metres_is_guessed_and_an_undone_import_asks_no_more(qtbot, window, tmp_path):
    import_plates(qtbot, window, tmp_path / "plates.inp", modulus=2.1e11, density=7850.0)
    question = window.units_question
    assert question.systems.currentData() == window.context.project.units == "m-kg-s"
    trigger(qtbot, window, "undo")
    trigger(qtbot, window, "undo")
    settle(qtbot)
    assert window.context.project.bodies == ()
    assert not question.isVisible()


def test_numbers_that_are_there_keep_their_units(qtbot, window, tmp_path):
    window.context.apply("Add system", edits.add_system({"name": "rig", "gravity": (0.0, 0.0, -9810.0)}))
    import_plates(qtbot, window, tmp_path / "plates.inp", modulus=2.1e11, density=7850.0)
    assert window.context.project.units == "mm-t-s" and not window.units_question.isVisible()
    window.context.refresh_findings()
    assert any("m-kg-s" in finding.sentence for finding in window.context.findings)
