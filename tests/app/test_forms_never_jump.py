"""A refused value is explained beside its field, and nothing in the form moves for it."""

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from faying.project import edits
from faying.project.stage import target_of
from faying.project.study import write_study
from faying.testing.plates import plates, write_plate_deck
from faying_app.forms.wrong_sentence import WrongSentence
from faying_app.tasks import opening
from support.windows import move_pointer, settle, trigger, wait_idle

pytestmark = pytest.mark.window

HINGE = {"kind": "revolute", "name": "hinge", "first": "ground.origin", "second": "arm.a"}
SYSTEM = {
    "name": "swing",
    "parts": [{"kind": "rigid", "name": "arm", "markers": [{"name": "a"}]}],
    "constraints": [HINGE],
}
PLACES = (
    ("bodies", 0, "joints", 0), ("bodies", 0, "joints", 0, "contact_law"), ("bodies", 0, "reduction"),
    ("bodies", 0, "joint_modes"), ("analyses", 0), ("analyses", 1), ("systems", 0, "parts", 0),
)  # fmt: skip


@pytest.fixture
def plates_window(qtbot, window, tmp_path):
    study = tmp_path / "plates.toml"
    write_study(plates(write_plate_deck(tmp_path / "plates.inp")), study)
    opening.open_path(window.context, study)
    wait_idle(qtbot, window)
    window.context.apply("Add a system", edits.set_value(("systems",), (SYSTEM,)))
    window.docks.arrange()
    window.show_panel("properties")
    window.activateWindow()  # fields of a window behind others have no focus
    qtbot.waitUntil(window.isActiveWindow)
    return window


def shown_form(qtbot, window, path):
    window.context.selection.select(path)
    settle(qtbot, 60)
    return window.docks.panels["properties"].form


def numbers(form):
    """Return the rows with a line for a number that are seen."""
    rows = [row for row in form.all_rows() if row.declaration.annotation in (float, int)]
    return [row for row in rows if row.editor.isVisible() and isinstance(row.editor.focusProxy(), QLineEdit)]


def places(form):
    """Return where all that is seen of a form is, but for slips."""
    seen = [w for w in form.findChildren(QWidget) if w.isVisible() and not isinstance(w, WrongSentence)]
    return [QRect(w.mapTo(form, QPoint(0, 0)), w.size()) for w in seen]


def slips(window):
    return [slip for slip in window.findChildren(WrongSentence) if slip.isVisible()]


def type_wrong(line, text="no number"):
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Tab)


@pytest.mark.parametrize("path", PLACES, ids=lambda path: str(path[-1 if isinstance(path[-1], str) else -2]))
def test_nothing_moves_when_a_value_is_refused(qtbot, plates_window, path):
    form = shown_form(qtbot, plates_window, path)
    area = form.parentWidget().parentWidget()
    assert numbers(form)
    for row in numbers(form):
        line, before = row.editor.focusProxy(), places(form)
        good = line.text()
        plates_window.docks.panels["properties"]._area.ensureWidgetVisible(row.editor)
        type_wrong(line)
        settle(qtbot, 20)
        assert row.is_wrong and places(form) == before, row.path
        (slip,) = slips(plates_window)  # after Tab too, while another field has the focus
        assert slip is row.error and row.editor.accessibleDescription() == slip.text()
        page = slip.parentWidget()
        at = slip.geometry()
        assert area.rect().contains(QRect(slip.mapTo(area, QPoint(0, 0)), slip.size())), row.path
        assert slip.heightForWidth(slip.width()) <= slip.height()
        for field in (
            line,
            QApplication.focusWidget(),
        ):  # neither the wrong field nor the one in use is covered
            if page.isAncestorOf(field):
                assert not at.intersects(QRect(field.mapTo(page, QPoint(0, 0)), field.size())), row.path
        line.setFocus()
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)  # nothing is typed where nothing stood
        QTest.keyClicks(line, good)
        line.editingFinished.emit()
        settle(qtbot, 5)
        assert not row.is_wrong and not slips(plates_window) and places(form) == before
        assert row.editor.accessibleDescription() == ""


def test_it_steps_aside_and_comes_back(qtbot, plates_window):
    form = shown_form(qtbot, plates_window, ("analyses", 1))
    rows = numbers(form)
    first, second, third = (row.editor.focusProxy() for row in rows[:3])
    type_wrong(first)
    assert slips(plates_window) == [rows[0].error]
    third.setFocus()
    second.setFocus()
    assert not slips(plates_window) and first.property("wrong")
    QApplication.sendEvent(rows[0].editor, QEvent(QEvent.Type.Enter))
    assert slips(plates_window) == [rows[0].error]
    QApplication.sendEvent(rows[0].editor, QEvent(QEvent.Type.Leave))
    assert not slips(plates_window)
    type_wrong(second)  # one at a time
    assert slips(plates_window) == [rows[1].error]
    first.setFocus()
    assert slips(plates_window) == [rows[0].error] and rows[1].is_wrong


def test_refused_kinds_items_and_buttons_move_nothing(qtbot, plates_window):
    context, refused = plates_window.context, 0
    form = shown_form(qtbot, plates_window, ("analyses", 0))
    for k in range(sum(b.text() == "Add" for b in form.findChildren(QPushButton))):
        form = shown_form(qtbot, plates_window, ("analyses", 0))
        before, project = places(form), context.project
        add = [b for b in form.findChildren(QPushButton) if b.text() == "Add"][k]
        if not add.isVisible():
            continue
        add.click()
        settle(qtbot, 20)
        if context.project is project:  # there is nothing that it could refer to
            refused += 1
            assert places(form) == before and "There is no" in slips(plates_window)[0].text()
    assert refused
    form = shown_form(qtbot, plates_window, ("systems", 0, "constraints", 0))
    strip, before = plates_window.docks.panels["properties"].strip, places(form)
    top = form.mapTo(plates_window, QPoint(0, 0))
    strip.buttons["Picked face"].click()
    settle(qtbot, 20)
    assert [slip.text() for slip in slips(plates_window)] == [strip.problem.text()]
    assert "Ctrl+click" in strip.problem.text()
    assert places(form) == before and form.mapTo(plates_window, QPoint(0, 0)) == top


def test_no_slip_outlives_its_form(qtbot, plates_window):
    def alive():
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
        return sum(isinstance(w, WrongSentence) and bool(w.text()) for w in QApplication.allWidgets())

    before = alive()
    for path in PLACES[1:]:
        form = shown_form(qtbot, plates_window, path)
        row = numbers(form)[0]
        type_wrong(row.editor.focusProxy())
        assert row.is_wrong and alive() == before + 1
    shown_form(qtbot, plates_window, ())
    assert alive() == before
    move_pointer(plates_window.viewport, QPoint(5, 5))
    plates_window.docks.panels["tasks"].setFocus()  # nobody listens any more


@pytest.mark.slow  # pictures for people to look at
def test_pictures_of_a_refused_value(qtbot, plates_window, screenshots):
    for theme in ("light", "dark"):
        plates_window.choose_theme(theme)
        form = shown_form(qtbot, plates_window, ("bodies", 0, "joints", 0))
        row = next(row for row in form.all_rows() if row.path[-1] == "stiffness")
        plates_window.docks.panels["properties"]._area.ensureWidgetVisible(row.editor, 0, 90)
        row.editor.focusProxy().setText("3 kg")
        QTest.keyClick(row.editor.focusProxy(), Qt.Key.Key_Return)
        settle(qtbot, 200)
        assert slips(plates_window) == [row.error]
        assert plates_window.grab().save(str(screenshots / f"7-refused-{theme}.png"))
        shown_form(qtbot, plates_window, ())


def test_nothing_runs_with_the_former_value_of_a_refused_field(qtbot, plates_window):
    """It ran, and said "Up to date", below a field in red."""
    context, path = plates_window.context, ("analyses", 0)
    form = shown_form(qtbot, plates_window, path)
    row = next(row for row in form.all_rows() if row.path[-1] == "load_steps")
    type_wrong(row.editor.focusProxy())
    settle(qtbot, 20)
    assert row.is_wrong
    plates_window.problems.clear()
    for action in ("run_analysis", "run_all", "compute_basis", "update_pairs"):
        if plates_window.menus.qt_actions[action].isEnabled():
            trigger(qtbot, plates_window, action)
            settle(qtbot, 20)
        assert not plates_window.runner.is_busy, action
    (said, *_) = (box.text() for box in plates_window.problems)
    assert f"“{row.declaration.title}” holds a value that was not taken" in said
    assert plates_window.context.computed.state(target_of(context.value(path))).kind == "missing"
    for box in plates_window.problems:
        box.close()


def test_a_run_takes_what_is_being_typed(qtbot, plates_window):
    context, path = plates_window.context, ("analyses", 0)
    form = shown_form(qtbot, plates_window, path)
    row = next(row for row in form.all_rows() if row.path[-1] == "load_steps")
    line, before = row.editor.focusProxy(), context.value(path).load_steps
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(before + 3))
    assert context.value(path).load_steps == before
    trigger(qtbot, plates_window, "run_analysis")
    assert context.value(path).load_steps == before + 3
    wait_idle(qtbot, plates_window)
    assert context.n_frames == before + 3


def test_the_form_of_a_joint_goes_on_to_the_next_joint(qtbot, plates_window):
    """The same fields show another joint: what is typed then is of that one, what was refused is dropped."""
    window, context = plates_window, plates_window.context
    context.apply("Copy", edits.duplicate(("bodies", 0, "joints", 0), "other"))
    first, second = ("bodies", 0, "joints", 0), ("bodies", 0, "joints", 1)
    form = shown_form(qtbot, window, first)
    row = next(row for row in numbers(form) if row.path[-2:] == ("contact_law", "stiffness"))
    line = row.editor.focusProxy()
    kept = context.value(first).contact_law.stiffness
    line.setText("nonsense")
    line.editingFinished.emit()
    assert row.is_wrong
    assert shown_form(qtbot, window, second) is form
    assert not row.is_wrong and row.path[:4] == second and float(line.text()) == kept
    line.setText("777")
    line.editingFinished.emit()
    assert context.value(second).contact_law.stiffness == 777.0
    assert context.value(first).contact_law.stiffness == kept
    assert shown_form(qtbot, window, first) is form and float(line.text()) == kept
    # What is being typed when another joint is selected belongs to the one before.
    line.setFocus()
    line.setText("888")
    shown_form(qtbot, window, second)
    assert context.value(first).contact_law.stiffness == 888.0 and float(line.text()) == 777.0
    # A joint with other fields has a form of its own.
    other = None if context.value(first).friction_law else {"kind": "coulomb", "friction_coefficient": 0.2}
    context.apply("Friction", edits.set_value((*first, "friction_law"), other))
    assert shown_form(qtbot, window, first) is not form
