"""What every editor of a form keeps: it shows a value, returns what is entered, keeps a wrong one, needs no pointer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from faying.params import Spec, parameter
from faying.testing.contracts.members import Contract
from faying_app.forms.declaration import declarations
from faying_app.forms.editors import Editor, editor_for, editors
from faying_app.forms.form import SpecForm
from faying_app.forms.lone_host import LONE, LoneHost
from faying_app.forms.row import Row

NAMES = ("hold", "tip")  # of whatever a parameter may refer to
_TABS = 12  # an editor has fewer fields


class _Number(Spec):
    value: float = parameter(1.0, title="Length", meaning="A length.", quantity="length", gt=0.0)


class _Text(Spec):
    value: str = parameter("first", title="Name", meaning="A name.", min_length=1)


class _File(Spec):
    value: str = parameter("a.inp", title="Deck", meaning="A file.", choices="file", min_length=1)


class _Name(Spec):
    value: str = parameter("hold", title="Support", meaning="A node.", choices="interface", min_length=1)


class _Names(Spec):
    value: tuple[str, ...] = parameter(
        ("tip",), title="Points", meaning="Nodes.", choices="interface", min_length=1
    )


class _Choice(Spec):
    value: Literal["slow", "fast"] = parameter("slow", title="Way", meaning="One of two words.")


class _Toggle(Spec):
    value: bool = parameter(False, title="Friction", meaning="Yes or no.")


class _Vector(Spec):
    value: tuple[float, float, float] = parameter(
        (0.0, 0.0, 1.0), title="Force", meaning="Along x, y, z.", quantity="force"
    )


class _Items(Spec):
    value: tuple[int, ...] = parameter((1, 2), title="Components", meaning="Whole numbers.")


class _Rows(Spec):
    value: tuple[tuple[float, float], ...] = parameter(
        ((0.0, 0.0), (1.0, 2.0)), title="Points", meaning="Of a curve.", min_length=2
    )


class _Anything(Spec):
    value: dict[str, float] = parameter({"a": 1.0}, title="Shares", meaning="What no form can enter.")


@dataclass(frozen=True)
class EditorExample:
    """A parameter that an editor suits, and what is typed into it.

    Attributes:
        spec: has the parameter, called `value`, with a default.
        after: another value of it, which is shown first, and entered then.
        typed: keys that enter it in place of the default: "\\t" goes to the editor's next field, " " ticks a box.
            "" for an editor that only shows.
        wrong: keys that enter in place of that what the project refuses; None where nothing wrong can be entered.
    """

    spec: type[Spec]
    after: Any
    typed: str
    wrong: str | None = None


class _Page(QWidget):
    """A window with a field, a form of one row, and another field: what hands at a keyboard have."""

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.host = LoneHost(spec, names=NAMES)
        # In this order the Tab key goes through them.
        self.first = QLineEdit(self)
        self.form = SpecForm(spec, LONE, self.host, parent=self)
        self.last = QLineEdit(self)
        column = QVBoxLayout(self)
        for widget in (self.first, self.form, self.last):
            column.addWidget(widget)
        column.addStretch(1)
        self.resize(420, 360)

    @property
    def row(self) -> Row:
        """The one row."""
        (row,) = self.form.rows
        return row

    @property
    def value(self) -> Any:
        """What the project has."""
        return self.host.value((*LONE, "value"))

    def go(self) -> None:
        """Go from before the form to the first of the editor's fields, with the keyboard."""
        self.first.setFocus(Qt.FocusReason.TabFocusReason)
        self.press(Qt.Key.Key_Tab)

    def at(self) -> QWidget:
        """Return where the keyboard is."""
        widget = self.focusWidget()
        assert widget is not None
        return widget

    def press(self, key: Qt.Key) -> None:
        """Press a key where the keyboard is: a list of completions that is open takes it first."""
        QTest.keyClick(QApplication.activePopupWidget() or self.at(), key)
        QApplication.processEvents()

    def type(self, keys: str) -> None:
        """Go to the editor, type in place of what its fields have, and leave it."""
        self.go()
        for i, part in enumerate(keys.split("\t")):
            if i:
                self.press(Qt.Key.Key_Tab)
            field = self.at()
            if isinstance(field, (QLineEdit, QPlainTextEdit)) or (
                isinstance(field, QComboBox) and field.isEditable()
            ):
                QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
                QTest.keyClick(field, Qt.Key.Key_Delete)
            for k, line in enumerate(part.split("\n")):
                if k:
                    self.press(Qt.Key.Key_Return)
                for letter in line:
                    QTest.keyClicks(QApplication.activePopupWidget() or field, letter)
        for _ in range(_TABS):
            if not self.row.editor.isAncestorOf(self.at()):
                break
            self.press(Qt.Key.Key_Tab)


def seen(editor: Editor) -> tuple[object, ...]:
    """Return what an editor's fields and labels have."""
    found: list[object] = []
    for widget in editor.findChildren(QWidget):
        if isinstance(widget, (QLineEdit, QLabel)):
            found.append(widget.text())
        elif isinstance(widget, QPlainTextEdit):
            found.append(widget.toPlainText())
        elif isinstance(widget, QComboBox):
            found.append(widget.currentText())
        elif isinstance(widget, QCheckBox):
            found.append((widget.text(), widget.isChecked()))
    return tuple(found)


@pytest.mark.window
class EditorContract(Contract):
    """Each tried as the one row of a form, in a real window, by the keyboard.

    Attributes:
        examples: by kind, what each editor is tried with; those of Faying's own are there.
    """

    family: ClassVar[Any] = editors
    examples: ClassVar[dict[str, EditorExample]] = {
        "anything": EditorExample(_Anything, {"b": 2.0}, ""),
        "choice": EditorExample(_Choice, "fast", "f"),
        "file_name": EditorExample(_File, "b.inp", "b.inp", ""),
        "items": EditorExample(_Items, (3, 4), "3, 4", "three"),
        "name": EditorExample(_Name, "tip", "tip", ""),
        "number": EditorExample(_Number, 20.0, "2 cm", "two"),
        "rows": EditorExample(_Rows, ((0.0, 1.0), (2.0, 3.0)), "0, 1\n2, 3", "0, 1"),
        "text": EditorExample(_Text, "second", "second", ""),
        "ticks": EditorExample(_Names, ("hold", "tip"), " ", " \t "),
        "toggle": EditorExample(_Toggle, True, " "),
        "vector": EditorExample(_Vector, (1.0, 2000.0, -3.0), "1\t2 kN\t-3", "up"),
    }

    @pytest.fixture
    def example(self, kind: str) -> EditorExample:
        """What the editor is tried with."""
        if kind not in self.examples:
            pytest.skip(f"the contract's `examples` have none of {kind!r}")
        return self.examples[kind]

    @pytest.fixture
    def page(self, example: EditorExample, qapp: QApplication) -> Iterator[_Page]:
        """A window whose form has the editor."""
        page = _Page(example.spec())
        page.show()
        page.activateWindow()
        assert QTest.qWaitForWindowActive(page)
        yield page
        page.close()
        page.deleteLater()

    def test_forms_take_it_for_its_parameter(self, kind: str, example: EditorExample) -> None:
        """Of all editors that suit it, this one comes first; something is left for others."""
        (declared,) = declarations(example.spec)
        assert editor_for(declared) is self.family[kind]
        others = (next(declarations(other.spec)) for name, other in self.examples.items() if name != kind)
        assert kind == "anything" or not all(self.family[kind].suits(other) for other in others)

    def test_it_shows_a_value(self, kind: str, example: EditorExample, page: _Page) -> None:
        """Each in its own way, again and again, and without proposing anything."""
        before = page.value
        proposed: list[Any] = []
        page.row.editor.edited.connect(proposed.append)
        first = seen(page.row.editor)
        page.row.editor.show_value(example.after)
        assert seen(page.row.editor) != first
        page.row.editor.show_value(before)
        assert seen(page.row.editor) == first
        assert not proposed and page.value == before and not page.host.edits
        assert not page.row.editor.grab().isNull()

    def test_it_returns_what_is_entered(self, kind: str, example: EditorExample, page: _Page) -> None:
        """By the keyboard; what it then shows is the project's value, and looking at it again changes nothing."""
        if not example.typed:
            page.type("no")
            assert page.value == example.spec().value and not page.host.edits  # type: ignore[attr-defined]
            return
        page.type(example.typed)
        assert page.value == example.after, page.row.error.text()
        assert not page.row.is_wrong
        entered, shown = page.host.edits, seen(page.row.editor)
        page.row.editor.show_value(example.after)
        assert seen(page.row.editor) == shown
        page.go()
        while page.row.editor.isAncestorOf(page.at()):
            page.press(Qt.Key.Key_Tab)
        assert page.host.edits == entered

    def test_a_wrong_value_is_refused_with_a_sentence(
        self, kind: str, example: EditorExample, page: _Page
    ) -> None:
        """What was typed stays, marked, until it is mended; the project keeps its last good value."""
        if example.wrong is None:
            return
        page.type(example.typed)
        page.type(example.wrong)
        kept, sentence = page.value, page.row.error.text()
        assert page.row.is_wrong and sentence.rstrip().endswith(".") and "Traceback" not in sentence
        assert example.spec.model_validate({"value": kept}).value == kept  # type: ignore[attr-defined]
        assert page.row.editor.property("wrong") is True
        typed = seen(page.row.editor)
        page.form.refresh()
        assert seen(page.row.editor) == typed
        page.type(example.typed)
        assert not page.row.is_wrong and page.value == example.after
        assert page.row.editor.property("wrong") is False

    def test_the_keyboard_reaches_and_leaves_it(self, kind: str, example: EditorExample, page: _Page) -> None:
        """Every field that can be used, forwards and backwards; each has a name for who cannot see it."""
        editor = page.row.editor
        fields = {
            widget
            for widget in editor.findChildren(QWidget)
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        } - {line for box in editor.findChildren(QComboBox) for line in box.findChildren(QWidget)}
        for key, start, end in (
            (Qt.Key.Key_Tab, page.first, page.last),
            (Qt.Key.Key_Backtab, page.last, page.first),
        ):
            start.setFocus(Qt.FocusReason.TabFocusReason)
            met = []
            for _ in range(_TABS):
                page.press(key)
                if page.at() is end:
                    break
                met.append(page.at())
            assert page.at() is end, f"{key.name} does not leave it"
            assert {_outermost(widget, fields) for widget in met} == fields
        assert not example.typed or fields
        for widget in fields:
            assert widget.accessibleName() or editor.focusProxy() is widget or isinstance(widget, QCheckBox)

    def test_the_wheel_changes_nothing(self, kind: str, example: EditorExample, page: _Page) -> None:
        """It scrolls the form, whatever is under the pointer."""
        shown = seen(page.row.editor)
        for widget in page.row.editor.findChildren(QWidget):
            if not widget.isVisible():
                continue
            middle = widget.rect().center()
            event = QWheelEvent(
                QPointF(middle), QPointF(widget.mapToGlobal(middle)), QPoint(0, -120), QPoint(0, -120),
                Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(widget, event)
        assert seen(page.row.editor) == shown and not page.host.edits


def _outermost(widget: QWidget, fields: set[QWidget]) -> QWidget:
    """Return the field that a widget is, or is part of."""
    around: QWidget | None = widget
    while around is not None and around not in fields:
        around = around.parentWidget()
    return around or widget
