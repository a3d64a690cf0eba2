"""View ▸ Leave."""

from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("leave_mode")
class LeaveMode(Action):
    """What Esc does: one thing at a time, the innermost first; a computation is none of them."""

    title = "Leave"
    menu = "View"
    order = 230
    shortcut = "Esc"
    meaning = (
        "Leave the field with its former value; else stop probing or measuring; else forget the picked faces."
    )

    def trigger(self, context: Context) -> None:
        """Leave the first of them."""
        field = QApplication.focusWidget()
        if isinstance(field, QLineEdit):
            while field.isUndoAvailable():
                field.undo()
            field.clearFocus()
        elif isinstance(field, QPlainTextEdit) and not field.isReadOnly():
            while field.document().isUndoAvailable():
                field.undo()
            field.clearFocus()
        elif context.selection.wanted is not None or context.view.values.pointer != "select":
            context.selection.want(None)
            context.view.set(pointer="select")
        else:
            context.selection.drop_faces()
