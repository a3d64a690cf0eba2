"""Help ▸ Shortcuts."""

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from faying_app.actions import MENUS, Action, actions
from faying_app.context import Context


@actions.register("show_shortcuts")
class ShowShortcuts(Action):
    """List all keys."""

    title = "Keyboard shortcuts"
    menu = "Help"
    order = 100
    shortcut = "Ctrl+F1"
    icon = "keyboard"
    meaning = "List all keys."

    def trigger(self, context: Context) -> None:
        """Show the list."""
        dialog = QDialog(context.window.widget)
        dialog.setWindowTitle("Keyboard shortcuts")
        dialog.resize(520, 560)
        page = QWidget()
        grid = QGridLayout(page)
        grid.setVerticalSpacing(4)
        row = 0
        for menu in MENUS:
            keyed = sorted(
                (a for _, a in actions.items() if a.shortcut and a.menu.split("/")[0] == menu),
                key=lambda a: a.order,
            )
            if keyed:
                heading = QLabel(menu)
                heading.setProperty("role", "title")
                grid.addWidget(heading, row, 0)
                row += 1
            for action in keyed:
                keys = ", ".join(
                    QKeySequence(k.strip()).toString(QKeySequence.SequenceFormat.NativeText)
                    for k in action.shortcut.split(";")
                )
                key = QLabel(keys)
                key.setProperty("role", "key")
                grid.addWidget(QLabel(action.title), row, 0)
                grid.addWidget(key, row, 1)
                row += 1
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(page)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(dialog.reject)
        column = QVBoxLayout(dialog)
        column.addWidget(area)
        column.addWidget(buttons)
        dialog.exec()
