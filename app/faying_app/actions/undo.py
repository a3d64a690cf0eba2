"""Edit ▸ Undo."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("undo")
class Undo(Action):
    """Take back the last edit."""

    title = "Undo"
    menu = "Edit"
    order = 100
    shortcut = "Ctrl+Z"
    icon = "undo"
    meaning = "Take back the last edit; what was computed before it is found again."
    in_toolbar = True

    def text(self, context: Context) -> str:
        """Name the edit."""
        label = context.document.undo_label
        return f"Undo “{label}”" if label else self.title

    def why_disabled(self, context: Context) -> str:
        """Say that there is nothing."""
        return "" if context.document.undo_label is not None else "There is nothing to undo."

    def trigger(self, context: Context) -> None:
        """Go one step back."""
        label = context.document.undo()
        context.say(f"Undone: {label}.")
