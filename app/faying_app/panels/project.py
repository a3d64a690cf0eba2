"""The project as a tree: decisions, and the state of everything that is computed from them."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QTreeView, QVBoxLayout, QWidget

from faying.project import edits
from faying_app.context import Context
from faying_app.entities import body_at, kind_of
from faying_app.item_models.detail_delegate import DetailDelegate
from faying_app.item_models.project_tree import ProjectTreeModel
from faying_app.panels import Panel, panels
from faying_app.selection import EntityPath

_UNFOLDED = {
    "project",
    "bodies",
    "body",
    "interfaces",
    "joints",
    "analyses",
    "system",
    "ground",
    "parts",
    "constraints",
    "forces",
    "measures",
    "controllers",
    "events",
}


@panels.register("project")
class ProjectPanel(Panel):
    """Selecting lines selects their entities; F2 renames; the right button offers what can be done with them."""

    title = "Project"
    icon = "tree"
    area = "left"
    order = 10

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.model = ProjectTreeModel(context.computed, lambda: context.view.values.hidden_parts)
        self.view = QTreeView(self)
        self.view.setModel(self.model)
        self.view.setHeaderHidden(True)
        self.view.setAccessibleName("Project tree")
        self.view.setIconSize(QSize(18, 18))
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setUniformRowHeights(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.view.setItemDelegateForColumn(0, DetailDelegate(self.view))
        self.view.setIndentation(16)
        head = self.view.header()
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(20)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        head.resizeSection(1, 28)
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText("Filter: names, kinds …")
        self.filter.setAccessibleName("Filter of the project tree")
        self.filter.setToolTip("Show only lines that have all of these words, and what is above and below")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(lambda _text: self._narrow())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.view)
        self._folded: set[EntityPath] = set()
        self._unfolded: set[EntityPath] = set()
        self.view.collapsed.connect(lambda index: self._remember(index, open_=False))
        self.view.expanded.connect(lambda index: self._remember(index, open_=True))
        self.view.selectionModel().currentChanged.connect(lambda _now, _before: self._selected())
        self.view.selectionModel().selectionChanged.connect(lambda _now, _before: self._selected())
        self.view.customContextMenuRequested.connect(self._menu)
        self.view.clicked.connect(self._clicked)
        self.model.renamed.connect(self._rename)
        context.selection.entities_changed.connect(lambda _paths: self._show_selected())
        context.changed.connect(self.refresh)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Return a width at which names are read."""
        return QSize(290, 400)

    def begin_project(self) -> None:
        """Show all lines of another project, folded as in a new window."""
        self._folded.clear()
        self._unfolded.clear()
        self.filter.clear()

    def refresh(self) -> None:
        """Show the project as it is now, unfolded as it was."""
        if self.model.refresh():
            self._narrow()
        self._show_selected()

    def apply_theme(self) -> None:
        """Redraw the icons."""
        self.model.refresh()
        self.view.viewport().update()

    def rename_selected(self) -> None:
        """Edit the name of the selected line."""
        self.view.setFocus()
        self.view.edit(self.view.currentIndex().siblingAtColumn(0))

    def begin_filter(self) -> None:
        """Put the cursor into the filter."""
        self.filter.setFocus()
        self.filter.selectAll()

    def _narrow(self) -> None:
        """Show the lines that the filter lets through, unfolded; without one fold as the user had it."""
        words = self.filter.text().lower().split()
        self.view.blockSignals(True)  # what is unfolded for the filter is not what the user unfolds
        self._show_lines(QModelIndex(), words, inside=not words)
        if not words:
            self._unfold(QModelIndex())
        self.view.blockSignals(False)

    def _show_lines(self, parent: QModelIndex, words: list[str], *, inside: bool) -> bool:
        """Hide lines below a parent that have nothing to do with the words; return whether one is left."""
        left = False
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            node = self.model.node(index)
            text = f"{node.title} {node.detail}".lower()
            here = inside or all(word in text for word in words)
            below = self._show_lines(index, words, inside=here)
            self.view.setRowHidden(row, parent, not (here or below))
            if words and (here or below):
                self.view.setExpanded(index, below and not here)
            left = left or here or below
        return left

    def _unfold(self, parent: QModelIndex) -> None:
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            path = self.model.node(index).path
            wanted = path in self._unfolded or (kind_of(path) in _UNFOLDED and path not in self._folded)
            if wanted != self.view.isExpanded(index):
                self.view.setExpanded(index, wanted)
            self._unfold(index)

    def _remember(self, index: QModelIndex, *, open_: bool) -> None:
        path = self.model.node(index).path
        (self._unfolded if open_ else self._folded).add(path)
        (self._folded if open_ else self._unfolded).discard(path)

    def _selected(self) -> None:
        """Select what is selected in the tree; Ctrl and Shift add to it."""
        rows = self.view.selectionModel().selectedRows(0)
        current = self.view.currentIndex().siblingAtColumn(0)
        if not rows:
            return
        paths = [self.model.node(index).path for index in rows]
        self.context.selection.select_all(paths, self.model.node(current).path if current in rows else None)
        if len(rows) == 1 or current in rows:
            self.context.window.raise_panel("properties")

    def _show_selected(self) -> None:
        """Mark the selected entities in the tree, each by its line or the nearest line above."""
        marks = self.view.selectionModel()
        wanted = [index for path in self.context.entities if (index := self.model.find(path)).isValid()]
        current = self.model.find(self.context.entity)
        places = {self.model.node(index).path for index in wanted}
        marked = {self.model.node(index).path for index in marks.selectedRows(0)}
        at = self.model.node(self.view.currentIndex()).path
        if not wanted or (places == marked and at == self.model.node(current).path):
            return
        flag = QItemSelectionModel.SelectionFlag
        marks.blockSignals(True)
        marks.setCurrentIndex(current, flag.ClearAndSelect | flag.Rows)
        for index in wanted:
            marks.select(index, flag.Select | flag.Rows)
        marks.blockSignals(False)
        self.view.scrollTo(current)
        self.view.viewport().update()

    def _rename(self, path: EntityPath, name: str) -> None:
        if path == ():
            self.context.apply(f"Rename project to {name!r}", edits.set_value(("name",), name))
        else:
            self.context.apply(f"Rename to {name!r}", edits.rename(path, name))

    def _clicked(self, index: QModelIndex) -> None:
        """Show or hide a part by its eye."""
        node = self.model.node(index)
        body = body_at(self.context.project, node.path)
        if index.column() == 1 and node.shown is not None and body is not None:
            self.context.view.show_part(body.name, int(node.path[-1]) - 1, shown=not node.shown)

    def _menu(self, position: QPoint) -> None:
        index = self.view.indexAt(position)
        if index.isValid():
            path = self.model.node(index).path
            if path not in self.context.entities:
                self.context.selection.select(path)
            self.context.window.show_entity_menu(self.view.viewport().mapToGlobal(position))
