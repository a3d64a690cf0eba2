"""Edit ▸ Redo."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("redo")
class Redo(Action):
    """Bring back what was undone."""

    title = "Redo"
    menu = "Edit"
    order = 110
    shortcut = "Ctrl+Shift+Z; Ctrl+Y"
    icon = "redo"
    meaning = "Bring back the edit that was undone."
    in_toolbar = True

    def text(self, context: Context) -> str:
        """Name the edit."""
        label = context.document.redo_label
        return f"Redo “{label}”" if label else self.title

    def why_disabled(self, context: Context) -> str:
        """Say that there is nothing."""
        return "" if context.document.redo_label is not None else "There is nothing to redo."

    def trigger(self, context: Context) -> None:
        """Go one step forward."""
        label = context.document.redo()
        context.say(f"Redone: {label}.")
