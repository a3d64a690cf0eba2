"""A form for several entities of one kind: a value that is set is set in all of them, as one step."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from faying.params import Spec
from faying.project import edits
from faying.project.paths import SpecPath
from faying.project.recorded import Edit, RecordedEdit
from faying_app.forms.declaration import Declaration, declarations
from faying_app.forms.editors import editor_for
from faying_app.forms.host import FormHost, Suggestion
from faying_app.forms.kind_chooser import KindChooser
from faying_app.forms.row import Row, tooltip

_UNLIKE = frozenset({"name"})  # each has its own


class ManyHost:
    """The host of one entity, whose edits are applied to several.

    Args:
        host: the project.
        paths: of the entities; the first is the one that is edited, the others follow.
        counted: what they are, for the history: "3 joints".
    """

    def __init__(self, host: FormHost, paths: Sequence[SpecPath], counted: str) -> None:
        self._host, self._paths, self._counted = host, tuple(paths), counted

    @property
    def units(self) -> str:
        """Unit system of the project."""
        return self._host.units

    def value(self, path: SpecPath) -> Any:
        """Return what is at a path of the project."""
        return self._host.value(path)

    def values(self, path: SpecPath) -> list[Any]:
        """Return what is at the path below the first entity, in all of them."""
        return [self._host.value(each) for each in self._everywhere(path)]

    def names(self, choices: str, path: SpecPath) -> list[str]:
        """Return the names that the parameter may refer to in all entities."""
        each = [self._host.names(choices, one) for one in self._everywhere(path)]
        return [name for name in each[0] if all(name in others for others in each[1:])]

    def picker(self, path: SpecPath, what: str) -> Callable[[], None] | None:
        """Return None: nothing is picked for it."""
        return None

    def opener(self, path: SpecPath) -> Callable[[], None] | None:
        """Return None: larger editors are those of one entity."""
        return None

    def suggestion(self, path: SpecPath) -> Suggestion | None:
        """Return None: suggestions are those of one entity."""
        return None

    def duration(self, path: SpecPath) -> float:
        """Return the time over which the load history at a path is of interest."""
        return self._host.duration(path)

    def apply(self, label: str, edit: Edit) -> None:
        """Apply an edit of the first entity to all of them.

        Raises:
            ModelError: when it is not allowed in one of them; then nothing changes.
        """
        assert isinstance(edit, RecordedEdit)
        steps = [
            RecordedEdit(edit.name, {**edit.arguments, "path": path}, edit.function)
            for path in self._everywhere(edit.arguments["path"])
            if not self._is_there(edit, path)
        ]
        self._host.apply(f"{label} of {self._counted}", edits.together(steps))

    def _is_there(self, edit: RecordedEdit, path: SpecPath) -> bool:
        """Return whether a member is of the chosen kind already: it keeps its parameters."""
        if edit.name != "replace_member":
            return False
        return bool(getattr(self._host.value(path), "kind", None) == edit.arguments["kind"])

    def _everywhere(self, path: SpecPath) -> list[SpecPath]:
        inside = path[len(self._paths[0]) :]
        return [(*each, *inside) for each in self._paths]


class ManyForm(QWidget):
    """Rows for the parameters that all entities have; values that differ are shown as "various".

    Args:
        host: the project around them.
        path: of the first entity.
        hidden: names of parameters that are shown elsewhere.
    """

    def __init__(
        self, host: ManyHost, path: SpecPath, hidden: frozenset[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self._host = host
        self._grid = QGridLayout()
        self._grid.setColumnStretch(0, 4)
        self._grid.setColumnStretch(1, 6)
        self._grid.setColumnMinimumWidth(1, 130)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        self._add_all(path, hidden | _UNLIKE, 0)
        self.refresh()

    def refresh(self) -> None:
        """Show the project's present values; the kinds of all members must still be the same."""
        for row in self.rows:
            values = self._host.values(row.path)
            if all(value == values[0] for value in values):
                row.refresh(values[0])
            elif not row.is_wrong:
                row.editor.show_various()

    def _add_all(self, path: SpecPath, hidden: frozenset[str], indent: int) -> None:
        specs = self._host.values(path)
        for declaration in _common(specs):
            below = (*path, declaration.name)
            values = self._host.values(below)
            if declaration.name in hidden:
                continue
            if declaration.family is not None:
                self._add_member(declaration, below, values, indent)
            elif declaration.is_spec and all(isinstance(value, Spec) for value in values):
                self._add_label(declaration, indent)
                self._add_all(below, frozenset(), indent + 1)
            elif declaration.item_spec is None and editor_for(declaration).shows_various:
                row = Row(declaration, below, self._host, self)
                row.label.setContentsMargins(12 * indent, 4, 0, 0)
                row.add_to(self._grid)
                self.rows.append(row)

    def _add_member(self, declaration: Declaration, path: SpecPath, values: list[Any], indent: int) -> None:
        chooser = KindChooser(
            declaration.title, path, self._host, declaration.family, values[0],
            optional=declaration.optional, parent=self,
        )  # fmt: skip
        chooser.advice.hide()
        label = self._add_label(declaration, indent, chooser)
        label.setBuddy(chooser.combo)
        if len({type(value) for value in values}) > 1:
            chooser.show_various()
        elif isinstance(values[0], Spec):
            self._add_all(path, frozenset(), indent + 1)

    def _add_label(self, declaration: Declaration, indent: int, editor: QWidget | None = None) -> QLabel:
        label = QLabel(declaration.title, self)
        label.setWordWrap(True)
        label.setContentsMargins(12 * indent, 4, 0, 0)
        label.setToolTip(tooltip(declaration, self._host.units))
        at = self._grid.rowCount()
        if editor is None:
            label.setProperty("role", "muted")
            self._grid.addWidget(label, at, 0, 1, 2)
        else:
            self._grid.addWidget(label, at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(editor, at, 1)
        return label


def kinds_in(value: Any) -> Any:
    """Return a value that changes exactly when a form of several such entities has to be built again."""
    if isinstance(value, Spec):
        return type(value), tuple(kinds_in(getattr(value, name)) for name in type(value).model_fields)
    return type(value) if value is None else None


def _common(specs: Sequence[Any]) -> list[Declaration]:
    """Return the declarations, in the order of the first spec, that all specs share."""
    if not all(isinstance(spec, Spec) for spec in specs):
        return []
    each = [{d.name: d for d in declarations(spec)} for spec in {type(spec): spec for spec in specs}.values()]
    first, *others = each
    return [
        d for name, d in first.items() if all(_is_same(d, declared.get(name)) for declared in others)
    ]  # fmt: skip


def _is_same(one: Declaration, other: Declaration | None) -> bool:
    if other is None:
        return False
    return (one.title, one.annotation, one.quantity) == (other.title, other.annotation, other.quantity)
