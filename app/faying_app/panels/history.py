"""The history of edits: click one to go there."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from faying_app.context import Context
from faying_app.look.icons import icon
from faying_app.look.theme import current_theme
from faying_app.panels import Panel, panels


@panels.register("history")
class HistoryPanel(Panel):
    """All steps, the present one selected; those that redo would bring are faint."""

    title = "History"
    icon = "history"
    area = "right"
    order = 20

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = QListWidget(self)
        self.list.setAccessibleName("History of edits")
        self.list.setIconSize(QSize(16, 16))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        self.list.itemClicked.connect(lambda item: self.context.document.jump(self.list.row(item)))
        self.list.itemActivated.connect(lambda item: self.context.document.jump(self.list.row(item)))
        context.bridge.changed.connect(lambda _before, _after: self.refresh())
        self.refresh()

    def apply_theme(self) -> None:
        """Draw the lines in the theme's colours."""
        self.refresh()

    def refresh(self) -> None:
        """List the steps as they are now."""
        document, theme = self.context.document, current_theme()
        self.list.clear()
        for i, entry in enumerate(document.history):
            item = QListWidgetItem(icon("project" if i == 0 else "history"), entry.label or "Opened")
            item.setToolTip(item.text())
            if i > document.position:
                item.setForeground(theme.colour("disabled"))
            self.list.addItem(item)
        self.list.setCurrentRow(document.position)
