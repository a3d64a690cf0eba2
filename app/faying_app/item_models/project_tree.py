"""The project as a Qt tree model, with a state mark for everything that is computed."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from faying_app.computed import STATE_WORDS, Computed
from faying_app.item_models.tree_nodes import HiddenParts, Node, build_tree
from faying_app.look.icons import icon
from faying_app.look.theme import current_theme
from faying_app.selection import EntityPath

Index = QModelIndex | QPersistentModelIndex

STATE_COLOURS = {
    "missing": "muted", "stale": "warning", "ready": "ok", "running": "running", "partial": "warning",
    "doubtful": "warning", "failed": "error", "blocked": "error",
}  # fmt: skip
DetailRole = Qt.ItemDataRole.UserRole + 1
ENTITY = "application/x-faying-entities"
"""Kind of data of what is dragged from the tree."""


class ProjectTreeModel(QAbstractItemModel):
    """Two columns: what it is, and the state of what is computed for it, or an eye where it is shown.

    Args:
        computed: has the states of results.
        hidden: tells the parts of bodies that are hidden now.

    `renamed(path, name)` asks for a new name typed in the tree.
    """

    renamed = Signal(object, str)

    def __init__(self, computed: Computed, hidden: Callable[[], HiddenParts]) -> None:
        super().__init__()
        self._computed, self._hidden = computed, hidden
        self._root = self._former = Node("", (), "")
        self._nodes: list[Node] = []

    def refresh(self) -> bool:
        """Show the project as it is now; return whether lines came or went (the view has to unfold again)."""
        new = build_tree(self._computed.project, self._computed, self._hidden())
        for node in _all_nodes(new):
            node.mark = self._computed.standing(node.target) if node.target is not None else None
        if new.same_shape(self._root):
            for changed in self._root.take_over(new):
                self.dataChanged.emit(
                    self.createIndex(changed.row, 0, changed), self.createIndex(changed.row, 1, changed)
                )
            return False
        self.beginResetModel()
        # Qt holds bare pointers to nodes: the old ones must outlive the indexes that views still keep.
        self._former, self._root = self._root, new
        self._nodes = _all_nodes(new)
        self.endResetModel()
        return True

    def node(self, index: Index) -> Node:
        """Return the node of an index; the root for an invalid one."""
        found = index.internalPointer() if index.isValid() else self._root
        return found if isinstance(found, Node) else self._root

    def find(self, path: EntityPath) -> QModelIndex:
        """Return the index of an entity or of its nearest ancestor in the tree."""
        best, best_length = QModelIndex(), -1
        for node in self._nodes:
            if node.path == path[: len(node.path)] and len(node.path) > best_length:
                best, best_length = self.createIndex(node.row, 0, node), len(node.path)
        return best

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Return the index of a line below another."""
        node = self.node(parent)
        if 0 <= row < len(node.children) and 0 <= column < 2:
            return self.createIndex(row, column, node.children[row])
        return QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        """Return the index of the line above."""
        node = self.node(index)
        above = node.parent
        return (
            QModelIndex() if above is None or above is self._root else self.createIndex(above.row, 0, above)
        )

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of lines below."""
        return 0 if parent.column() > 0 else len(self.node(parent).children)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return 2."""
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return text, icon, tooltip of a line."""
        if not index.isValid():
            return None
        node = self.node(index)
        return self._state(node, role) if index.column() == 1 else self._name(node, role)

    def _name(self, node: Node, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return node.title
        if role == Qt.ItemDataRole.EditRole:
            return node.title
        if role == DetailRole:
            return node.detail
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(node.icon)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{node.title}: {node.detail}" if node.detail else node.title
        return None

    def _state(self, node: Node, role: int) -> Any:
        if node.shown is not None:
            return _eye(node.shown, role)
        if node.mark is None:
            return None
        state = node.mark
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(f"state_{state.look}", STATE_COLOURS[state.look])
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(state.sentences)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return STATE_WORDS[state.look]
        if role == Qt.ItemDataRole.ForegroundRole:
            return current_theme().colour(STATE_COLOURS[state.look])
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return what can be done with a line."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        if index.isValid() and index.column() == 0 and self.node(index).editable:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def mimeTypes(self) -> list[str]:
        """Return the kind of data of lines that are dragged."""
        return [ENTITY]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the paths of the dragged lines, for `dragged_entities`."""
        paths = [self.node(index).path for index in indexes if index.column() == 0]
        data = QMimeData()
        data.setData(ENTITY, json.dumps(paths).encode())
        return data

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for a new name."""
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not name or name == self.node(index).title:
            return False
        self.renamed.emit(self.node(index).path, name)
        return True


def dragged_entities(data: QMimeData) -> tuple[EntityPath, ...]:
    """Return the paths of what was dragged from the tree; () for other data."""
    if not data.hasFormat(ENTITY):
        return ()
    return tuple(tuple(path) for path in json.loads(bytes(data.data(ENTITY).data())))


def _eye(shown: bool, role: int) -> Any:
    if role == Qt.ItemDataRole.DecorationRole:
        return icon("eye" if shown else "eye_closed", "icon" if shown else "muted")
    if role == Qt.ItemDataRole.ToolTipRole:
        return "Shown; click to hide it" if shown else "Hidden; click to show it"
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return "shown" if shown else "hidden"
    return None


def _all_nodes(root: Node) -> list[Node]:
    """Return all nodes below a root, each before its children."""
    found: list[Node] = []
    for child in root.children:
        found += [child, *_all_nodes(child)]
    return found
