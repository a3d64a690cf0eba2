"""A problem that the user can fix: its sentence, its hint, and the traceback only under Details."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from faying.errors import FayingError


def show_problem(
    error: FayingError, details: str, parent: QWidget, all_the_same: Callable[[], None] | None = None
) -> QMessageBox:
    """Show a problem without blocking the window; return the box.

    Args:
        error: what is the matter.
        details: the traceback; "" without one.
        parent: the window.
        all_the_same: called by a button, for what was refused and may be tried.
    """
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Faying")
    box.setText(error.message)
    if error.hint:
        box.setInformativeText(error.hint)
    if details:
        box.setDetailedText(details)
    if all_the_same is not None:
        close = box.addButton(QMessageBox.StandardButton.Close)
        box.addButton("Try anyway", QMessageBox.ButtonRole.AcceptRole).clicked.connect(all_the_same)
        box.setDefaultButton(close)
        box.setEscapeButton(close)
    box.setModal(False)
    box.open()
    return box
