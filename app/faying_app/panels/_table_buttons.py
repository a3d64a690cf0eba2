"""What panels with a table have around it: buttons that copy and write its rows, and a line where there is nothing."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget


def table_buttons(
    copy: Callable[[], object], export: Callable[[], object], parent: QWidget
) -> tuple[QPushButton, QPushButton]:
    """Return the buttons "Copy" and "CSV…".

    Args:
        copy, export: what they do.
        parent: owns them.
    """
    copies, exports = QPushButton("Copy", parent), QPushButton("CSV…", parent)
    copies.setToolTip("Copy the rows to paste them into a spreadsheet (Ctrl+C in the table)")
    exports.setToolTip("Write the rows to a file of comma-separated values")
    copies.clicked.connect(lambda: copy())
    exports.clicked.connect(lambda: export())
    return copies, exports


def beside(shown: QWidget, buttons: tuple[QPushButton, ...], parent: QWidget) -> QWidget:
    """Return a page of a table, or of several, with buttons at its right."""
    page, row, column = QWidget(parent), QHBoxLayout(), QVBoxLayout()
    column.setContentsMargins(6, 4, 6, 4)
    for button in buttons:
        column.addWidget(button)
    column.addStretch(1)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(shown, 1)
    row.addLayout(column)
    page.setLayout(row)
    return page


def nothing_label(text: str, parent: QWidget) -> QLabel:
    """Return the label for an empty panel."""
    label = QLabel(text, parent)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    label.setProperty("role", "muted")
    return label
