"""A form for any spec, made from its parameter declarations."""

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from faying.errors import FayingError
from faying.fem.selections import surface_selections
from faying.params import Spec
from faying.project import edits
from faying.project.paths import SpecPath
from faying_app.forms.declaration import Declaration, declarations
from faying_app.forms.defaults import first_item
from faying_app.forms.fold import Fold
from faying_app.forms.host import FormHost
from faying_app.forms.kind_chooser import KindChooser
from faying_app.forms.member_curve import MemberCurve, is_drawn
from faying_app.forms.pick_button import PickButton, with_button
from faying_app.forms.row import Row, tooltip
from faying_app.forms.suggestion_line import SuggestionLine
from faying_app.forms.wrong_sentence import WrongSentence
from faying_app.look.icons import icon


class _Placed(Protocol):
    """Edits what is at a path."""

    def move_to(self, path: SpecPath) -> None:
        """Edit what is at another path from now on."""


class SpecForm(QWidget):
    """Rows for the parameters of one spec; members, specs and lists inside it are forms of their own.

    Args:
        spec: what to show now.
        path: where it is in the project.
        host: the project around it.
        hidden: names of parameters that are shown elsewhere.
    """

    def __init__(
        self,
        spec: Spec,
        path: SpecPath,
        host: FormHost,
        hidden: frozenset[str] = frozenset(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.path, self._host = path, host
        self.rows: list[Row] = []
        self.inner: list[SpecForm] = []
        self.suggestions: list[SuggestionLine] = []
        self.curves: list[MemberCurve] = []
        self._placed: list[
            tuple[SpecPath, _Placed]
        ] = []  # what edits something inside, by its path from here
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._grid: QGridLayout | None = None
        shown = [d for d in declarations(spec) if d.name not in hidden]
        # Lists of members grow: what is decided once stands before them.
        for declaration in sorted(
            (d for d in shown if not d.advanced), key=lambda d: d.item_family is not None
        ):
            self._add(declaration, getattr(spec, declaration.name))
        if folded := [d for d in shown if d.advanced]:
            self._add_advanced(folded, spec)

    def move_to(self, path: SpecPath) -> None:
        """Edit another spec of the same shape from now on."""
        self.path = path
        for inside, each in self._placed:
            each.move_to((*path, *inside))
        self.refresh()

    def refresh(self) -> None:
        """Show the project's present values; the shape must still be the same."""
        for row in self.rows:
            row.refresh(self._host.value(row.path))
        for line in self.suggestions:
            line.refresh()
        for curve in self.curves:
            curve.refresh()
        for form in self.inner:
            form.refresh()

    def all_rows(self) -> list[Row]:
        """Return the rows of this form and of all forms inside it."""
        return [*self.rows, *(row for form in self.inner for row in form.all_rows())]

    def _add(self, declaration: Declaration, value: Any) -> None:
        if declaration.family is not None:
            self._add_member(declaration, value)
        elif declaration.is_spec and isinstance(value, Spec):
            self._add_spec(declaration, value)
        elif declaration.item_spec is not None:
            self._add_list(declaration, value)
        else:
            row = Row(declaration, (*self.path, declaration.name), self._host, self)
            row.editor.show_value(value)
            row.add_to(self._rows_grid())
            self.rows.append(row)
            self._placed.append(((declaration.name,), row))

    def _rows_grid(self) -> QGridLayout:
        if self._grid is None:
            self._grid = QGridLayout()
            self._grid.setColumnStretch(0, 4)
            self._grid.setColumnStretch(1, 6)
            self._grid.setColumnMinimumWidth(1, 130)
            self._grid.setHorizontalSpacing(8)
            self._grid.setVerticalSpacing(4)
            self._column.addLayout(self._grid)
        return self._grid

    def _add_member(self, declaration: Declaration, member: Any) -> None:
        path = (*self.path, declaration.name)
        chooser = KindChooser(
            declaration.title, path, self._host, declaration.family, member,
            optional=declaration.optional, parent=self,
        )  # fmt: skip
        self._placed.append(((declaration.name,), chooser))
        label = QLabel(declaration.title, self)
        label.setWordWrap(True)
        label.setBuddy(chooser.combo)
        for widget in (label, chooser.combo):
            widget.setToolTip(tooltip(declaration, self._host.units))
        grid = self._rows_grid()
        at = grid.rowCount()
        grid.addLayout(self._with_opener(label, declaration), at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._with_picker(chooser, declaration), at, 1)
        grid.addWidget(chooser.advice, at + 1, 0, 1, 2)  # over both columns: a sentence needs room
        chooser.advice.setContentsMargins(12, 0, 0, 2)
        if isinstance(member, Spec) and type(member).model_fields:
            inner = SpecForm(member, path, self._host, parent=self)
            self._add_inner(inner, (declaration.name,), self._column)
            self._grid = None
        if is_drawn(member):
            self.curves.append(MemberCurve(declaration, path, self._host, self))
            self._placed.append(((declaration.name,), self.curves[-1]))
            self._column.addWidget(self.curves[-1])
            self._grid = None
        if member is not None:
            self._add_suggestion((declaration.name,), self._column)
            self._grid = None

    def _add_suggestion(self, inside: SpecPath, column: QVBoxLayout) -> None:
        self.suggestions.append(SuggestionLine((*self.path, *inside), self._host, self))
        self._placed.append((inside, self.suggestions[-1]))
        column.addWidget(self.suggestions[-1])

    def _with_opener(self, label: QLabel, declaration: Declaration) -> QHBoxLayout:
        """Return the label of a row, with a button next to it if the member has a larger editor."""
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(label, 1)
        title = declaration.title.lower()

        def opener() -> Callable[[], None] | None:
            return self._host.opener((*self.path, declaration.name))

        if opener() is not None:
            button = QToolButton(self)
            button.setIcon(icon("law"))
            button.setToolTip(f"Open the editor with live curves: {title}")
            button.setAccessibleName(f"Edit {title}")
            button.clicked.connect(lambda _checked=False: (opened := opener()) and opened())
            row.addWidget(button)
        return row

    def _with_picker(self, chooser: KindChooser, declaration: Declaration) -> QWidget:
        """Return a chooser, with a button next to it that picks the surface in the 3D view if it is one of a body."""
        if declaration.family is not surface_selections:
            return chooser

        def picker() -> Callable[[], None] | None:
            return self._host.picker((*self.path, declaration.name), "face")

        if picker() is None:
            return chooser
        return with_button(chooser, PickButton(declaration.title, "face", picker, self), self)

    def _add_spec(self, declaration: Declaration, spec: Spec) -> None:
        fold = Fold(declaration.title, open_=True, parent=self)
        fold.setToolTip(tooltip(declaration, self._host.units))
        holder = QWidget(fold)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        inner = SpecForm(spec, (*self.path, declaration.name), self._host, parent=holder)
        self._add_inner(inner, (declaration.name,), column)
        fold.set_content(holder)
        self._column.addWidget(fold)
        self._grid = None

    def _add_advanced(self, folded: list[Declaration], spec: Spec) -> None:
        fold = Fold("Advanced", open_=False, parent=self)
        names = frozenset(type(spec).model_fields) - {d.name for d in folded}
        inner = _Folded(spec, self.path, self._host, hidden=names, parent=fold)
        self.inner.append(inner)
        self._placed.append(((), inner))
        fold.set_content(inner)
        self._column.addWidget(fold)
        self._grid = None

    def _add_list(self, declaration: Declaration, items: tuple[Any, ...]) -> None:
        name, path = declaration.name, (*self.path, declaration.name)
        fold = Fold(f"{declaration.title} ({len(items)})", open_=True, parent=self)
        fold.setToolTip(tooltip(declaration, self._host.units))
        add = QPushButton("Add", fold)
        fold.add_button(add)
        holder = QWidget(fold)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        for i, item in enumerate(items):
            part = Fold(f"{i + 1}.", open_=True, parent=holder)
            take = QPushButton("Remove", part)
            part.add_button(take)
            take.clicked.connect(
                lambda _checked=False, i=i: self._host.apply(
                    f"Remove {declaration.title.lower()} {i + 1}", edits.remove((*self.path, name, i))
                )
            )
            box = QWidget(part)
            inside = QVBoxLayout(box)
            inside.setContentsMargins(0, 0, 0, 0)
            if declaration.item_family is not None:
                title = f"Kind of {declaration.title.lower()} {i + 1}"
                family = declaration.item_family
                chooser = KindChooser(title, (*path, i), self._host, family, item, parent=box)
                inside.addWidget(chooser)
                self._placed.append(((name, i), chooser))
            self._add_inner(SpecForm(item, (*path, i), self._host, parent=box), (name, i), inside)
            if declaration.item_family is not None:
                self._add_suggestion((name, i), inside)
            part.set_content(box)
            column.addWidget(part)
        fold.set_content(holder)
        problem = WrongSentence(add)

        def append(_checked: bool = False) -> None:
            problem.tell("")
            path = (*self.path, name)
            try:
                items, held_at = self._host.value(path), getattr(self._host.value(self.path), "support", "")
                avoided = {held_at, *(word for item in items for _, word in item if isinstance(word, str))}
                new = first_item(declaration, lambda choices: self._host.names(choices, path), avoided)
                label = f"Add to {declaration.title.lower()}"
                self._host.apply(label, edits.set_value(path, (*items, new)))
            except FayingError as error:
                problem.tell(str(error))

        add.clicked.connect(append)
        self._column.addWidget(fold)
        self._grid = None

    def _add_inner(self, form: "SpecForm", inside: SpecPath, column: QVBoxLayout) -> None:
        self._placed.append((inside, form))
        frame = QFrame(self)
        frame.setFrameShape(QFrame.Shape.NoFrame)
        around = QVBoxLayout(frame)
        around.setContentsMargins(12, 0, 0, 4)
        around.addWidget(form)
        column.addWidget(frame)
        self.inner.append(form)


class _Folded(SpecForm):
    """The advanced parameters of a spec, shown as ordinary ones once unfolded."""

    def __init__(
        self, spec: Spec, path: SpecPath, host: FormHost, hidden: frozenset[str], parent: QWidget
    ) -> None:
        self._folded = True
        super().__init__(spec, path, host, hidden, parent)

    def _add_advanced(self, folded: list[Declaration], spec: Spec) -> None:
        for declaration in folded:
            self._add(declaration, getattr(spec, declaration.name))


def shape(spec: Any, host: FormHost, path: SpecPath) -> Any:
    """Return a value that changes exactly when a form for the spec has to be built again."""
    if isinstance(spec, Spec):
        parts: list[Any] = [type(spec).__qualname__]
        for declaration in declarations(spec):
            below = (*path, declaration.name)
            if declaration.choices:
                parts.append(tuple(host.names(declaration.choices, below)))
            parts.append(shape(getattr(spec, declaration.name), host, below))
        return tuple(parts)
    if isinstance(spec, tuple) and any(isinstance(item, Spec) for item in spec):
        return tuple(
            (getattr(item, "name", ""), shape(item, host, (*path, i))) for i, item in enumerate(spec)
        )
    return None
