"""A list to choose from, in groups under headings, with a search: a written part of a name leaves what has it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget


class SearchedChooser(QComboBox):
    """Has headings, which cannot be chosen; a typed text that names no entry falls back to the chosen entry."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(32)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumContentsLength(10)  # narrower where there is no room
        search = QCompleter(self.model(), self)
        search.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        search.setFilterMode(Qt.MatchFlag.MatchContains)
        search.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        search.setMaxVisibleItems(16)
        self.setCompleter(search)
        line = self.lineEdit()
        assert line is not None
        line.returnPressed.connect(self._take_first)
        line.editingFinished.connect(self._give_up)

    def add_heading(self, text: str) -> None:
        """Add a line that groups what follows."""
        self.addItem(text)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        item, font = model.item(self.count() - 1), self.font()
        font.setBold(True)
        item.setFont(font)
        item.setEnabled(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Mark the whole text, so that the first letter begins a search."""
        super().focusInEvent(event)
        line = self.lineEdit()
        if line is not None and event.reason() != Qt.FocusReason.PopupFocusReason:
            line.selectAll()

    def _take_first(self) -> None:
        """Choose the first entry that has what is written."""
        written = self.currentText().casefold()
        if not written or written == self.itemText(self.currentIndex()).casefold():
            return
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for row in range(self.count()):
            if written in self.itemText(row).casefold() and model.item(row).isEnabled():
                self.setCurrentIndex(row)
                self.activated.emit(row)
                return

    def _give_up(self) -> None:
        self.setEditText(self.itemText(self.currentIndex()))
