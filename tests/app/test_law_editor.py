"""The law editor in the real window: compare, match, use in the joint, export."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QProgressDialog,
    QToolButton,
    QWidget,
)

from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.law_curves import pressure_at
from faying.joints.law_plots import PlotUnits
from faying.project import edits
from faying_app.context import Context
from faying_app.law_editor import patience
from faying_app.law_editor.benches import Condition
from faying_app.law_editor.dialog import LawEditor
from faying_app.law_editor.quantity_line import QuantityLine
from faying_app.look.theme import wear
from faying_app.session import WindowSession
from faying_app.settings import Settings
from support.windows import move_pointer, settle, trigger

pytestmark = pytest.mark.window

JOINT = ("bodies", 0, "joints", 0)


WORDS = {
    "bodies": [
        {
            "name": "plates",
            "model": {"path": "plates.inp"},
            "joints": [
                {
                    "name": "lap",
                    "master": {"kind": "deck_surface", "name": "LOWER"},
                    "slave": {"kind": "deck_surface", "name": "UPPER"},
                }
            ],
        }
    ]
}


@pytest.fixture
def plates(qtbot, window):
    """The window with a joint; laws need no deck to be read."""
    window.context.apply("Begin", edits.replace_project(WORDS))
    window.context.selection.select(JOINT)
    settle(qtbot)
    return window


@pytest.fixture
def context(qtbot, tmp_path, monkeypatch):
    """The same joint without the window around it."""
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    holder = QWidget()
    qtbot.addWidget(holder)
    session = WindowSession(holder)
    context = Context(session, Settings(), holder)
    context.document.apply("Begin", edits.replace_project(WORDS))
    yield context
    session.close()


@pytest.fixture
def edit(qtbot, context):
    """Return a function that opens the editor of the joint's contact law, or friction law."""

    def open_editor(slot="contact_law"):
        editor = LawEditor(context, (*JOINT, slot), context.parent())
        editor.show()
        settle(qtbot)
        return editor

    return open_editor


def editor_of(qtbot, window, kind="edit_contact_law"):
    trigger(qtbot, window, kind)
    settle(qtbot, 150)
    return window.findChildren(LawEditor)[-1]


def type_into(qtbot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot)


def row_of(editor, name):
    return next(row for row in editor.parameters.form.all_rows() if row.path[-1] == name)


def line_of(editor, title) -> QLineEdit:
    return next(line.line for line in editor.view.lines if line.condition.title == title)


def test_the_button_beside_a_law_opens_its_editor(qtbot, plates):
    buttons = plates.docks.panels["properties"].findChildren(QToolButton)
    button = next(b for b in buttons if b.accessibleName() == "Edit contact law")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    (editor,) = plates.findChildren(LawEditor)  # the second click brings the first to the front
    assert editor.isVisible()
    assert not editor.isModal()
    assert editor.windowTitle() == "Contact laws – lap"
    (curve,) = editor.view.plot.curves
    law = plates.context.value((*JOINT, "contact_law"))
    x, y = curve.getData()
    assert x.min() == pytest.approx(-5.0)
    assert y.max() == pytest.approx(law.stiffness * 0.005)  # MPa


def test_typing_a_parameter_moves_the_curve_and_using_it_is_one_step(qtbot, plates):
    editor = editor_of(qtbot, plates)
    context = plates.context
    before, steps = context.project, context.document.position
    type_into(qtbot, row_of(editor, "stiffness").editor.line, "400 N/mm^3")
    assert editor.isVisible()  # Enter in a line closes nothing
    assert editor.laws.list.item(0).text() == "Linear penalty"
    assert editor.view.plot.curves[0].getData()[1].max() == pytest.approx(2.0)
    assert context.project == before
    qtbot.mouseClick(editor._use_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert context.value((*JOINT, "contact_law")).stiffness == pytest.approx(400.0)
    assert context.document.position == steps + 1
    assert context.document.undo_label == "Set contact law of 'lap'"
    names = {}
    exec(context.document.script(), names)
    assert names["document"].project == context.project
    assert not [e for e in plates.findChildren(LawEditor) if e.isVisible()]
    trigger(qtbot, plates, "undo")
    assert context.project == before


def test_a_wrong_value_is_said_and_cancel_leaves_nothing(qtbot, context, edit):
    editor = edit()
    before, steps = context.project, context.document.position
    row = row_of(editor, "stiffness")
    type_into(qtbot, row.editor.line, "-3")
    assert row.is_wrong
    editor.use()
    assert "correct it first" in editor.message.text()
    assert editor.isVisible()
    type_into(qtbot, row.editor.line, "77")
    assert not row.is_wrong
    assert editor.laws.current.law.stiffness == 77.0
    editor.reject()
    settle(qtbot)
    assert context.project == before
    assert context.document.position == steps


def test_every_kind_is_added_and_matched(qtbot, edit):
    editor = edit()
    kinds = [kind for kind in contact_laws if not _needs_a_file(contact_laws[kind])]
    for action in editor.laws.add_button.menu().actions():
        if any(action.text() == contact_laws[kind].title for kind in kinds):
            action.trigger()
    settle(qtbot)
    assert len(editor.laws.candidates) == 1 + len(kinds)
    type_into(qtbot, line_of(editor, "at penetration"), "2.5")
    type_into(qtbot, line_of(editor, "with pressure"), "1 N/mm^2")
    qtbot.mouseClick(editor.view.match_all_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert editor.message.text() == ""
    for candidate in editor.laws.candidates:
        assert pressure_at(candidate.law, -0.0025) == pytest.approx(1.0, rel=1e-9)
    assert len(editor.view.plot.curves) == 1 + len(kinds)
    for curve in editor.view.plot.curves:
        x, y = curve.getData()
        assert np.interp(-2.5, x, y) == pytest.approx(1.0, rel=2e-3)
    mark = editor.view.plot.mark.pos()
    assert (mark.x(), mark.y()) == pytest.approx((-2.5, 1.0))


def _needs_a_file(law) -> bool:
    return any(field.annotation is str for field in law.model_fields.values())


def test_one_law_follows_another(qtbot, edit):
    """Duplicate, stiffen, take the joint's own pressure as the aim, match the chosen one."""
    editor = edit()
    own = editor.laws.candidates[0].law
    qtbot.mouseClick(editor.laws.duplicate_button, Qt.MouseButton.LeftButton)
    type_into(qtbot, row_of(editor, "stiffness").editor.line, "123")
    editor.laws.list.setCurrentRow(0)
    qtbot.mouseClick(editor.view.take_button, Qt.MouseButton.LeftButton)
    editor.laws.list.setCurrentRow(1)
    settle(qtbot)
    assert editor.view.parameter_box.currentText() == "Contact stiffness"
    qtbot.mouseClick(editor.view.match_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert editor.laws.candidates[1].law.stiffness == pytest.approx(own.stiffness, rel=1e-9)
    assert editor.laws.candidates[0].law is own
    qtbot.mouseClick(editor.laws.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert len(editor.laws.candidates) == len(editor.view.plot.curves) == 1
    assert not editor.laws.remove_button.isEnabled()


def test_a_law_is_hidden_by_its_tick(qtbot, edit):
    editor = edit()
    editor.laws.add("linear_penalty")
    assert len(editor.view.plot.curves) == 2
    kept = editor.view.plot.curves[1].opts["pen"].color()
    editor.laws.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    settle(qtbot)
    (curve,) = editor.view.plot.curves
    assert curve.opts["pen"].color() == kept


def test_the_mark_is_dragged_with_the_mouse(qtbot, edit):
    editor = edit()
    plot = editor.view.plot
    box = plot.widget.plotItem.vb
    view = plot.widget

    def place(x, y):
        return view.mapFromScene(box.mapViewToScene(QPointF(x, y)))

    start, end = place(plot.mark.pos().x(), plot.mark.pos().y()), place(-4.0, 50.0)
    port = view.viewport()
    move_pointer(port, start)
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for share in np.linspace(0.1, 1.0, 10):
        qtbot.mouseMove(port, start + (end - start) * float(share))
        settle(qtbot, 20)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)
    settle(qtbot)
    assert editor.bench.penetration.value == pytest.approx(0.004, rel=0.03)
    assert editor.bench.pressure.value == pytest.approx(50.0, rel=0.05)
    assert line_of(editor, "at penetration").text().endswith("µm")


def test_other_units_show_the_same_curve(qtbot, edit):
    editor = edit()
    tallest = editor.view.plot.curves[0].getData()[1].max()
    for box, unit in ((editor.view.length_box, "nm"), (editor.view.stress_box, "GPa")):
        box.setCurrentText(unit)
        box.activated.emit(box.currentIndex())
    settle(qtbot)
    x, y = editor.view.plot.curves[0].getData()
    assert x.min() == pytest.approx(-5000.0)
    assert y.max() == pytest.approx(1e-3 * tallest)
    assert line_of(editor, "Penetration to").text() == "5000 nm"
    type_into(qtbot, line_of(editor, "Penetration to"), "nonsense")
    assert "not a length" in editor.message.text()
    type_into(qtbot, line_of(editor, "Penetration to"), "2 um")
    assert editor.view.plot.curves[0].getData()[0].min() == pytest.approx(-2000.0)


def test_friction_begins_with_none_and_gets_every_law(qtbot, context, edit):
    editor = edit("friction_law")
    assert editor.laws.current.law is None
    assert editor.view.plot.curves == []
    chooser = next(
        b for b in editor.parameters.form.findChildren(QComboBox) if b.accessibleName() == "Friction law"
    )
    chooser.setCurrentIndex(chooser.findData("coulomb"))
    chooser.activated.emit(chooser.currentIndex())
    settle(qtbot)
    assert editor.laws.current.law == friction_laws["coulomb"]()
    assert len(editor.view.plot.curves) == 1
    # Five times the slip to its end, with the stiffness that follows from the contact law.
    sticking = 0.7 / 0.85 * context.value((*JOINT, "contact_law")).stiffness
    assert editor.bench.amplitude.value == pytest.approx(5 * 0.15 * 10 / sticking, rel=1e-3)
    type_into(qtbot, line_of(editor, "Slip amplitude"), "1")
    editor.laws.duplicate()
    type_into(qtbot, row_of(editor, "sticking_stiffness").editor.line, "2000")
    type_into(qtbot, line_of(editor, "in work per cycle"), "0.5")
    qtbot.mouseClick(editor.view.match_all_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert editor.message.text() == ""
    for curve in editor.view.plot.curves:
        x, y = curve.getData()
        last = slice(np.argmax(x), None)
        assert np.trapezoid(y[last], x[last]) == pytest.approx(0.5, rel=1e-6)  # MPa µm are J/m²
    editor.laws.list.setCurrentRow(0)
    qtbot.mouseClick(editor._use_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert context.value((*JOINT, "friction_law")).kind == "coulomb"


def test_conditions_of_the_user_stay_when_the_first_law_comes(qtbot, edit):
    editor = edit("friction_law")
    type_into(qtbot, line_of(editor, "Slip amplitude"), "3")
    editor.laws.add("coulomb")
    assert editor.bench.amplitude.value == pytest.approx(3e-3)
    assert line_of(editor, "Slip amplitude").text() == "3 µm"


def test_what_cannot_be_reached_is_said(qtbot, context, edit):
    context.document.apply("Friction", edits.set_value((*JOINT, "friction_law"), {"kind": "coulomb"}))
    editor = edit("friction_law")
    type_into(qtbot, line_of(editor, "in work per cycle"), "1e9")
    qtbot.mouseClick(editor.view.match_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert "no value of the friction coefficient" in editor.message.text()
    assert editor.laws.current.law == friction_laws["coulomb"]()


def test_curves_are_written(qtbot, edit, tmp_path, monkeypatch):
    editor = edit()
    for ending in ("csv", "png", "svg"):
        editor.write(tmp_path / f"laws.{ending}")
    heads = next(csv.reader((tmp_path / "laws.csv").open(encoding="utf-8")))
    assert heads == ["Gap [µm]", "Linear penalty: Pressure [MPa]"]
    assert (tmp_path / "laws.png").stat().st_size > 5000
    assert "Gap [µm]" in (tmp_path / "laws.svg").read_text(encoding="utf-8")
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *words: (str(tmp_path / "typed"), "Table (CSV) (*.csv)")
    )
    editor.export()
    assert (tmp_path / "typed.csv").read_bytes() == (tmp_path / "laws.csv").read_bytes()
    editor.write(tmp_path / "laws.docx")
    assert "Known are" in editor.message.text()


def test_it_follows_the_project(qtbot, context, edit):
    editor = edit()
    assert editor.laws.list.item(0).text() == "Linear penalty (in the joint)"
    context.document.apply("Stiffer", edits.set_value((*JOINT, "contact_law", "stiffness"), 9.0))
    settle(qtbot)
    assert editor.laws.list.item(0).text() == "Linear penalty"
    assert editor._use_button.isEnabled()
    context.document.apply("Remove joint", edits.remove(JOINT))
    settle(qtbot)
    assert not editor._use_button.isEnabled()
    assert "not in the project any more" in editor._use_button.toolTip()
    assert len(editor.view.plot.curves) == 1


def test_laws_are_compared_without_a_project(qtbot, window):
    editor = editor_of(qtbot, window)
    assert len(editor.view.plot.curves) == 1
    assert not editor._use_button.isEnabled()
    editor.laws.add("linear_penalty")
    type_into(qtbot, row_of(editor, "stiffness").editor.line, "10")
    assert len(editor.view.plot.curves) == 2


def test_a_table_is_found_from_the_folder_of_the_project(qtbot, context, edit, tmp_path):
    (tmp_path / "measured.csv").write_text("gap;pressure\n0;0\n-0.0025;1\n-0.005;4\n")
    context.document.mark_saved(tmp_path / "plates.faying")
    context.document.apply(
        "Table", edits.set_value((*JOINT, "contact_law"), {"kind": "tabulated", "path": "measured.csv"})
    )
    editor = edit()
    assert editor.message.text() == ""
    x, y = editor.view.plot.curves[0].getData()
    assert np.interp(-2.5, x, y) == pytest.approx(1.0, rel=1e-3)
    type_into(qtbot, row_of(editor, "path").editor.line, "gone.csv")
    assert "gone.csv" in editor.message.text()
    assert editor.view.plot.curves == []
    assert editor.laws.current.law.path == "gone.csv"


@pytest.mark.slow  # seconds in the window, and not what decides alone
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1200)])
@pytest.mark.parametrize("slot", ["contact_law", "friction_law"])
def test_pictures_of_the_editor(qtbot, edit, screenshots, slot, size):
    """Written to be looked at; here it is checked that no button is cut off and the axes stay inside."""
    editor = edit(slot)
    contact = ("power_function", "quadratic_linear", "joint_adapted_exponential")
    for kind in contact if slot == "contact_law" else ("coulomb", "dahl", "masing"):
        editor.laws.add(kind)
    qtbot.mouseClick(editor.view.match_all_button, Qt.MouseButton.LeftButton)
    for theme in ("light", "dark"):
        wear(QApplication.instance(), theme)
        editor.resize(*size)
        settle(qtbot, 150)
        assert editor.grab().save(str(screenshots / f"6-{slot}-{theme}-{size[0]}x{size[1]}.png"))
        for button in editor.findChildren(QAbstractButton):
            wide = button.fontMetrics().horizontalAdvance(button.text())
            assert not button.isVisible() or button.width() >= wide, button.text()
        axes, view = editor.view.plot.widget.plotItem.vb.sceneBoundingRect(), editor.view.plot.rect()
        assert axes.right() <= view.right()
        assert axes.width() > 0.8 * view.width()
    wear(QApplication.instance(), "light")


def test_a_long_search_shows_a_box_and_can_be_cancelled(qtbot, context, edit, monkeypatch):
    monkeypatch.setattr(patience, "_PATIENCE", 0.0)
    monkeypatch.setattr(patience, "_PAUSE", 0.0)
    context.document.apply("Friction", edits.set_value((*JOINT, "friction_law"), {"kind": "bouc_wen"}))
    editor = edit("friction_law")
    before = editor.laws.current.law
    seen = []

    def cancelled(box):
        seen.append((box.isVisible(), box.labelText()))
        return len(seen) > 3

    monkeypatch.setattr(QProgressDialog, "wasCanceled", cancelled)
    editor.bench.work.value *= 0.5
    qtbot.mouseClick(editor.view.match_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert seen[0] == (True, "Hysteresis: Bouc-Wen")
    assert editor.message.text() == "Matching laws was cancelled."
    assert editor.laws.current.law == before
    assert QApplication.activeModalWidget() is None


def test_what_is_still_being_typed_counts(qtbot, context, edit):
    editor = edit()
    line = row_of(editor, "stiffness").editor.line
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "321")
    editor.use()
    settle(qtbot)
    assert context.value((*JOINT, "contact_law")).stiffness == 321.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nan", "Write a number"),
        ("inf", "Write a number"),
        ("-1", "Give a positive number"),
        ("0", "Give a positive number"),
    ],
)
def test_a_condition_is_a_positive_number(qtbot, text, sentence):
    line = QuantityLine(Condition("Penetration to", "How deep.", "length", 1.0), PlotUnits("mm-t-s"))
    qtbot.addWidget(line)
    told = []
    line.refused.connect(told.append)
    type_into(qtbot, line.line, text)
    assert line.condition.value == 1.0 and sentence in told[-1]
