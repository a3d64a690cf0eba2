"""Forms made from parameter declarations, without a window around them."""

from typing import Literal

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
)

from faying.analyses.combination import Combination
from faying.errors import ModelError
from faying.fem.mesh_makers import mesh_makers
from faying.joints.search import SearchSpec
from faying.params import Spec, parameter
from faying.project import edits
from faying.project.paths import value_at
from faying.project.specs import Project
from faying_app.forms.declaration import declarations
from faying_app.forms.defaults import first_item
from faying_app.forms.editors import QuietWheel, Surroundings, editor_for, editors
from faying_app.forms.editors.number import unit_in_form
from faying_app.forms.form import SpecForm, shape

WORDS = {
    "bodies": [
        {
            "name": "bar",
            "model": {"path": "bar.inp"},
            "interfaces": [{"name": "hold", "node": 1}, {"name": "tip", "node": 2}],
            "joints": [
                {
                    "name": "lap",
                    "master": {"kind": "deck_surface", "name": "A"},
                    "slave": {"kind": "deck_surface", "name": "B"},
                }
            ],
        }
    ],
    "analyses": [{"kind": "static", "name": "push", "body": "bar", "support": "hold"}],
}
JOINT = ("bodies", 0, "joints", 0)


class Host:
    """A document reduced to what a form needs."""

    def __init__(self) -> None:
        self.project = Project.model_validate(WORDS)
        self.labels: list[str] = []

    @property
    def units(self) -> str:
        return self.project.units

    def value(self, path):
        return value_at(self.project, path)

    def names(self, choices, path):
        return {"interface": ["hold", "tip"], "body": ["bar"], "deck_surface": ["A", "B", "C"]}.get(
            choices, []
        )

    def duration(self, path):
        return 1.0

    def suggestion(self, path):
        return None

    def picker(self, path, what):
        return None

    def opener(self, path):
        return (lambda: self.labels.append("opened")) if path[-1] == "contact_law" else None

    def apply(self, label, edit):
        self.project = edit(self.project)
        self.labels.append(label)


@pytest.fixture
def host(qtbot):
    return Host()


def form_at(qtbot, host, path, **options):
    form = SpecForm(host.value(path), path, host, **options)
    qtbot.addWidget(form)
    form.show()
    return form


def row_of(form, name):
    return next(row for row in form.all_rows() if row.path[-1] == name)


def type_into(line: QLineEdit, text: str) -> None:
    line.setText(text)
    line.editingFinished.emit()


def test_every_parameter_of_every_family_has_an_editor(qtbot):
    from faying.analyses import analyses
    from faying.joints.contact_laws import contact_laws
    from faying.joints.friction_laws import friction_laws
    from faying.reduction.joint_modes import joint_mode_methods
    from faying.reduction.methods import reduction_methods

    seen = 0
    for family in (analyses, contact_laws, friction_laws, joint_mode_methods, reduction_methods):
        for _, member in family.items():
            for declaration in declarations(member):
                if declaration.family is None and not declaration.is_spec and declaration.item_spec is None:
                    assert editor_for(declaration) is not editors["anything"], declaration
                    seen += 1
    assert seen > 15


def test_number_with_unit_is_converted(qtbot, host):
    form = form_at(qtbot, host, (*JOINT, "contact_law"))
    row = row_of(form, "stiffness")
    type_into(row.editor.line, "2 MPa/um")
    assert host.project.bodies[0].joints[0].contact_law.stiffness == pytest.approx(2000.0)
    assert not row.is_wrong
    assert float(row.editor.line.text()) == pytest.approx(2000.0)


def test_wrong_value_keeps_text_and_explains(qtbot, host):
    form = form_at(qtbot, host, (*JOINT, "contact_law"))
    row, before = row_of(form, "stiffness"), host.project
    for text, words in (("-5", "greater"), ("stiff", "contact stiffness"), ("3 kg", "contact stiffness")):
        type_into(row.editor.line, text)
        assert host.project is before
        assert row.is_wrong
        assert words in row.error.text()
        assert row.editor.line.text() == text
        assert row.editor.line.property("wrong") is True
        form.refresh()
        assert row.editor.line.text() == text
    type_into(row.editor.line, "1000")
    assert not row.is_wrong
    assert row.error.text() == ""
    assert host.project.bodies[0].joints[0].contact_law.stiffness == 1000.0


def test_whole_numbers_refuse_fractions(qtbot, host):
    form = form_at(qtbot, host, ("analyses", 0))
    row = row_of(form, "load_steps")
    type_into(row.editor.line, "2.5")
    assert row.is_wrong
    type_into(row.editor.line, "3")
    assert host.project.analyses[0].load_steps == 3


def test_same_text_is_no_edit(qtbot, host):
    form = form_at(qtbot, host, (*JOINT, "contact_law"))
    line = row_of(form, "stiffness").editor.line
    line.editingFinished.emit()
    assert host.labels == []


def test_kind_chooser_replaces_member_and_none_takes_it_away(qtbot, host):
    form = form_at(qtbot, host, JOINT)
    box = next(b for b in form.findChildren(QComboBox) if b.accessibleName() == "Friction law")
    assert box.currentText() == "none"
    index = box.findData("coulomb")
    assert index > 0
    box.setCurrentIndex(index)
    box.activated.emit(index)
    assert host.project.bodies[0].joints[0].friction_law.kind == "coulomb"
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert host.project.bodies[0].joints[0].friction_law is None


def test_names_are_offered_and_set(qtbot, host):
    form = form_at(qtbot, host, ("analyses", 0))
    box = row_of(form, "support").editor.box
    assert [box.itemText(i) for i in range(box.count())] == ["hold", "tip"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert host.project.analyses[0].support == "tip"


def test_files_are_typed_or_chosen(qtbot, host, monkeypatch, tmp_path):
    form = SpecForm(host.value(("bodies", 0, "model")), ("bodies", 0, "model"), host)
    qtbot.addWidget(form)
    rows = {row.declaration.name: row.editor for row in form.all_rows()}
    assert {"path", "stiffness_file", "mass_file"} <= set(rows)
    assert rows["path"].line.text() == "bar.inp" and rows["stiffness_file"].line.text() == ""
    chosen = str(tmp_path / "job.sti")
    monkeypatch.setattr(
        "faying_app.forms.editors.file_name.QFileDialog.getOpenFileName", lambda *_: (chosen, "")
    )
    rows["stiffness_file"].button.click()
    assert host.value(("bodies", 0, "model", "stiffness_file")) == chosen
    rows["mass_file"].line.setText("job.mas")
    rows["mass_file"].line.editingFinished.emit()
    assert host.value(("bodies", 0, "model", "mass_file")) == "job.mas" and len(host.labels) == 2
    # A dialog that is closed without a file changes nothing.
    monkeypatch.setattr("faying_app.forms.editors.file_name.QFileDialog.getOpenFileName", lambda *_: ("", ""))
    rows["stiffness_file"].button.click()
    assert len(host.labels) == 2


def test_list_items_are_added_edited_and_removed(qtbot, host):
    form = form_at(qtbot, host, ("analyses", 0))
    before = shape(host.value(("analyses", 0)), host, ("analyses", 0))
    button = next(b for b in form.findChildren(QPushButton) if b.text() == "Add")
    button.click()
    assert [load.interface for load in host.project.analyses[0].loads] == ["tip"]  # it is held at the other
    assert shape(host.value(("analyses", 0)), host, ("analyses", 0)) != before
    form = form_at(qtbot, host, ("analyses", 0))
    force = row_of(form, "force")
    type_into(force.editor.lines[2], "0.1 kN")
    assert host.project.analyses[0].loads[0].force == (0.0, 0.0, pytest.approx(100.0))
    next(b for b in form.findChildren(QPushButton) if b.text() == "Remove").click()
    assert host.project.analyses[0].loads == ()


def test_components_of_a_displacement_are_given_and_left_free(qtbot, host):
    moved = {"interface": "tip"}
    host.apply("Add", edits.set_value(("analyses", 0, "displacements"), (moved,)))
    at = ("analyses", 0, "displacements", 0)
    assert host.value(at).given == {}
    form = form_at(qtbot, host, ("analyses", 0))
    type_into(row_of(form, "uz").editor.line, "0.1 mm")
    type_into(row_of(form, "ry").editor.line, "90 deg")
    assert host.value(at).given == {2: pytest.approx(0.1), 4: pytest.approx(1.5707963267948966)}
    form = form_at(qtbot, host, ("analyses", 0))
    assert row_of(form, "ux").editor.line.text() == "" and row_of(form, "uz").editor.line.text() == "0.1"
    type_into(row_of(form, "uz").editor.line, "")
    assert set(host.value(at).given) == {4}


def test_advanced_parameters_are_folded(qtbot, host):
    form = form_at(qtbot, host, (*JOINT, "search"))
    shown = {row.path[-1] for row in form.all_rows() if row.editor.isVisible()}
    folded = {row.path[-1] for row in form.all_rows() if not row.editor.isVisible()}
    assert "distance" in shown
    assert "edge_tolerance" in folded


def test_tooltip_says_meaning_unit_and_bounds(qtbot, host):
    form = form_at(qtbot, host, (*JOINT, "contact_law"))
    tip = row_of(form, "stiffness").editor.toolTip()
    assert "N/mm³" in tip
    assert "> 0" in tip


class Odd(Spec):
    """A spec with one parameter of each plain type."""

    flag: bool = parameter(False, title="Flag", meaning="On or off.")
    word: Literal["slow", "quick"] = parameter("slow", title="Word", meaning="One of two.")
    numbers: tuple[int, ...] = parameter((), title="Numbers", meaning="Some.")
    way: tuple[float, float, float] = parameter((1.0, 0.0, 0.0), title="Way", meaning="A direction.")
    name: str = parameter("x", title="Name", meaning="A name.", min_length=1)
    limit: float | None = parameter(None, title="Limit", meaning="None for no limit.", gt=0.0)


class OddHost(Host):
    def __init__(self) -> None:
        self.spec, self.labels = Odd(), []

    units = "mm-t-s"

    def value(self, path):
        return getattr(self.spec, path[0]) if path else self.spec

    def names(self, choices, path):
        return []

    def apply(self, label, edit):
        if edit.name != "set_value":
            raise ModelError("unknown edit")
        path, value = edit.arguments["path"], edit.arguments["value"]
        self.spec = self.spec.with_(**{path[0]: value})


def test_plain_types(qtbot):
    host = OddHost()
    form = form_at(qtbot, host, ())
    row_of(form, "flag").editor.box.click()
    assert host.spec.flag is True
    box = row_of(form, "word").editor.box
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert host.spec.word == "quick"
    type_into(row_of(form, "numbers").editor.line, "3, 4,5")
    assert host.spec.numbers == (3, 4, 5)
    type_into(row_of(form, "numbers").editor.line, "3, x")
    assert row_of(form, "numbers").is_wrong
    type_into(row_of(form, "way").editor.lines[1], "2.5")
    assert host.spec.way == (1.0, 2.5, 0.0)
    type_into(row_of(form, "name").editor.line, "")
    assert row_of(form, "name").is_wrong
    assert host.spec.name == "x"
    type_into(row_of(form, "limit").editor.line, "4")
    assert host.spec.limit == 4.0
    type_into(row_of(form, "limit").editor.line, "")
    assert host.spec.limit is None


def test_the_kind_of_a_list_member_can_be_chosen(qtbot):
    host = Host()
    load = {"kind": "interference", "joint": "lap", "amount": 0.1}
    host.apply("", edits.set_value(("bodies", 0, "preloads"), [{"name": "fit", "loads": [load]}]))
    at = ("bodies", 0, "preloads", 0)
    form = SpecForm(host.value(at), at, host)
    qtbot.addWidget(form)
    chooser = next(c for c in form.findChildren(QComboBox) if c.accessibleName() == "Kind of loads 1")
    assert chooser.currentText() == "Interference"
    chooser.setCurrentIndex(chooser.findData("node_force"))
    chooser.activated.emit(chooser.currentIndex())
    assert host.project.bodies[0].preloads[0].loads[0].kind == "node_force"


def test_a_law_has_a_button_that_opens_its_editor(qtbot, host):
    form = form_at(qtbot, host, JOINT)
    (button,) = [b for b in form.findChildren(QToolButton) if b.accessibleName().startswith("Edit ")]
    assert button.accessibleName() == "Edit contact law"
    button.click()
    assert host.labels == ["opened"]


class _Rows(Spec):
    points: tuple[tuple[float, float], ...] = parameter((), title="Points", meaning="Pairs.")
    interfaces: tuple[str, ...] = parameter((), title="Nodes", meaning="Names.", choices="interface")


def test_rows_of_numbers_are_typed_or_pasted(qtbot):
    points = next(d for d in declarations(_Rows) if d.name == "points")
    editor = editor_for(points)(points, Surroundings("mm-t-s", lambda _: []))
    qtbot.addWidget(editor)
    editor.show()
    proposed = []
    editor.edited.connect(proposed.append)
    editor.show_value(((0.0, 1.0),))
    assert editor.text.toPlainText() == "0, 1"
    editor.text.setPlainText("0\t1\n0.5; 2\n\n1e-3 x\n")
    QApplication.sendEvent(editor.text, QFocusEvent(QEvent.Type.FocusOut))
    assert proposed == [((0.0, 1.0), (0.5, 2.0), (0.001, "x"))]  # the project says what is wrong


def test_named_things_are_ticked_and_what_is_not_there_can_be_taken_away(qtbot):
    names = next(d for d in declarations(_Rows) if d.name == "interfaces")
    editor = editor_for(names)(names, Surroundings("mm-t-s", lambda _: ["hold", "tip"]))
    qtbot.addWidget(editor)
    proposed = []
    editor.edited.connect(proposed.append)
    editor.show_value(("gone", "tip"))
    assert [(b.text(), b.isChecked()) for b in editor.boxes.values()] == [
        ("hold", False), ("tip", True), ("gone (not there)", True)]  # fmt: skip
    editor.boxes["hold"].click()
    editor.show_value(proposed[-1])
    editor.boxes["gone"].click()
    assert proposed == [("hold", "tip", "gone"), ("hold", "tip")]


def test_a_new_item_of_a_list_has_what_it_has_to_hold():
    """A combination of load cases holds at least one, so adding one asks nothing."""
    combinations = next(d for d in declarations(Combination) if d.name == "combinations")
    item = first_item(combinations, lambda choices: ["press"])
    assert [case.analysis for case in item.cases] == ["press"] and item.name == "new"


def test_angles_are_told_in_degrees():
    """Whether files hold them in degrees or in radians: with their unit, and bounds and typed signs likewise."""
    search = next(d for d in declarations(SearchSpec) if d.name == "angle")
    gear = next(d for d in declarations(mesh_makers["spur_gear"]) if d.name == "pressure_angle")
    assert (search.unit, search.bounds) == ("°", "> 0 and ≤ 90")
    assert (unit_in_form(gear.quantity, "mm-t-s"), gear.bounds) == ("°", "> 10 and < 35")
    editor = editor_for(search)(search, Surroundings("mm-t-s", lambda _choices: []))
    editor.show_value(45.0)
    proposed = []
    editor.edited.connect(proposed.append)
    editor.line.setText("30°")
    editor.line.editingFinished.emit()
    assert proposed == ["30"]


@pytest.mark.window
@pytest.mark.parametrize("kind", [QComboBox, QSpinBox, QDoubleSpinBox])
def test_the_wheel_changes_no_value_by_accident(qtbot, kind):
    box = kind()
    qtbot.addWidget(box)
    if kind is QComboBox:
        box.addItems(["a", "b", "c"])
    box.installEventFilter(QuietWheel(box))
    place, none = QPointF(5.0, 5.0), Qt.MouseButton.NoButton
    turn = QWheelEvent(place, place, QPoint(), QPoint(0, -120), none, Qt.KeyboardModifier.NoModifier,
                       Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
    before = box.currentIndex() if kind is QComboBox else box.value()
    QApplication.sendEvent(box, turn)
    turn = QWheelEvent(place, place, QPoint(), QPoint(0, 120), none, Qt.KeyboardModifier.NoModifier,
                       Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
    QApplication.sendEvent(box, turn)
    assert (box.currentIndex() if kind is QComboBox else box.value()) == before
    assert not turn.isAccepted()


def test_a_name_that_may_be_left_out_says_none_and_a_constant_factor_has_no_curve(qtbot, host):
    assert not row_of(form_at(qtbot, host, ("analyses", 0)), "body").editor.declaration.may_be_empty
    words = {"kind": "modes", "name": "modes", "body": "bar", "support": "hold"}
    host.apply("Add analysis", edits.add_analysis(words))
    about = row_of(form_at(qtbot, host, ("analyses", 1)), "equilibrium").editor.box
    assert about.currentText() == "" and about.lineEdit().placeholderText() == "none"
    for history, drawn in (({"kind": "constant"}, 0), ({"kind": "pulse"}, 1)):
        load = {"interface": "tip", "time_history": history}
        host.apply("Load", edits.set_value(("analyses", 0, "loads"), (load,)))
        assert len(list_of_histories(form_at(qtbot, host, ("analyses", 0)))) == drawn


def list_of_histories(form):
    return [*form.curves, *(each for inner in form.inner for each in list_of_histories(inner))]
