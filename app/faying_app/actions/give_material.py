"""Model ▸ Give material: the library as a table, and which elements get the chosen one."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from faying.fem.material_grades import GRADES
from faying.fem.materials.library import LIBRARY, LibraryName
from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_body
from faying_app.context import Context
from faying_app.entities import body_path, is_deck_item

_HEADS = ("Material", "E [GPa]", "ν", "Density [kg/m³]", "Expansion [10⁻⁶/K]", "Grade", "Source")
_REST = "elements to which nothing else gives a material"


@actions.register("give_material")
class GiveMaterial(Action):
    """Gives elements of the selected body a material of the library."""

    title = "Give material…"
    menu = "Model"
    order = 98
    icon = "material"
    meaning = "Choose steel, cast iron, aluminium … from the library, with its source, and the elements that get it."
    entities = ("body", "model", "materials", "body_material", "element_set", "material")
    needs = (a_body,)

    def trigger(self, context: Context) -> None:
        """Ask which, and give it."""
        body = context.selected_body()
        if body is None:
            return
        model = context.computed.model(body.name)
        sets = [] if model is None else list(model.element_sets)
        path = context.entity
        at_hand = str(path[4]) if is_deck_item(path) and path[3] == "element_set" else ""
        dialog = MaterialDialog(sets, at_hand, context.window.widget)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        words = {"kind": "library", "name": dialog.chosen, "element_set": dialog.element_set}
        name = dialog.chosen.replace("_", " ")
        if context.apply(f"Give material {name!r}", edits.add_material(body.name, words)):
            path = (*body_path(context.project, body.name), "materials")
            context.selection.select((*path, len(context.value(path)) - 1))


class MaterialDialog(QDialog):
    """The library in the units in which people know materials; the project gets them in its own.

    Args:
        element_sets: that may get the material.
        at_hand: the one that is proposed, "" for elements without a material.
        parent: of the dialog.
    """

    def __init__(self, element_sets: list[str], at_hand: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Give material")
        self.filter, self.table, self.sets = QLineEdit(self), QTableWidget(self), QComboBox(self)
        self.filter.setPlaceholderText("Filter: name or grade …")
        self.filter.setAccessibleName("Filter of materials")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._narrow)
        self._fill()
        self.sets.setAccessibleName("Element set")
        self.sets.addItem(_REST, "")
        for name in element_sets:
            self.sets.addItem(f"element set {name}", name)
        self.sets.setCurrentIndex(max(self.sets.findData(at_hand), 0))
        to = QHBoxLayout()
        to.addWidget(QLabel("Given to", self))
        to.addWidget(self.sets, 1)
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel, self)
        self._give = buttons.button(standard.Ok)
        self._give.setText("Give")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        note = QLabel(
            "Nominal values of these designations at room temperature, none of a certain batch: the source is where to "
            "check them before results are relied upon. Another material: “By its constants” in its form.",
            self,
        )
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        column = QVBoxLayout(self)
        for widget, stretch in ((self.filter, 0), (self.table, 1), (note, 0)):
            column.addWidget(widget, stretch)
        column.addLayout(to)
        column.addWidget(buttons)
        self.table.doubleClicked.connect(lambda _index: self.accept())

    def sizeHint(self) -> QSize:
        """Return a size in which sources are read, on a small screen too."""
        return QSize(940, 520)

    @property
    def chosen(self) -> LibraryName:
        """Name of the chosen material."""
        return tuple(LIBRARY)[self.table.currentRow()]

    @property
    def element_set(self) -> str:
        """The set that gets it, "" for elements without a material."""
        return str(self.sets.currentData())

    def _fill(self) -> None:
        table = self.table
        table.setAccessibleName("Materials")
        table.setColumnCount(len(_HEADS))
        table.setHorizontalHeaderLabels(_HEADS)
        table.setRowCount(len(LIBRARY))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.verticalHeader().hide()
        table.horizontalHeader().setStretchLastSection(True)
        for row, (name, (modulus, ratio, density, expansion)) in enumerate(LIBRARY.items()):
            numbers = (f"{modulus / 1e9:g}", f"{ratio:g}", f"{density:g}", f"{expansion * 1e6:.3g}")
            for column, text in enumerate((name.replace("_", " "), *numbers, *GRADES[name])):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if 0 < column < 5:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                table.setItem(row, column, item)
        table.resizeColumnsToContents()
        table.setColumnWidth(5, min(table.columnWidth(5), 260))
        table.setCurrentCell(0, 0)

    def _narrow(self, typed: str) -> None:
        words, first = typed.lower().split(), -1
        for row, name in enumerate(LIBRARY):
            text = f"{name} {GRADES[name][0]}".replace("_", " ").lower()
            hidden = not all(word in text for word in words)
            self.table.setRowHidden(row, hidden)
            first = row if first < 0 and not hidden else first
        self._give.setEnabled(first >= 0)
        if first >= 0:
            self.table.setCurrentCell(first, 0)
