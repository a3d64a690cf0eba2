"""Edit ▸ History."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("show_history")
class ShowHistory(Action):
    """Show the list of edits."""

    title = "History"
    menu = "Edit"
    order = 120
    icon = "history"
    meaning = "Show the list of edits; click one to return to that step."

    def trigger(self, context: Context) -> None:
        """Bring the panel to the front."""
        context.window.show_panel("history")
