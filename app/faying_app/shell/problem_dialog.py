"""A problem that the user can mend: its sentence, its hint, and the traceback only under Details."""

from PySide6.QtWidgets import QMessageBox, QWidget

from faying.errors import FayingError


def show_problem(error: FayingError, details: str, parent: QWidget) -> QMessageBox:
    """Show a problem without blocking the window; return the box."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Faying")
    box.setText(error.message)
    if error.hint:
        box.setInformativeText(error.hint)
    if details:
        box.setDetailedText(details)
    box.setModal(False)
    box.open()
    return box
