"""View ▸ Panels below the view."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("toggle_below")
class ToggleBelow(Action):
    """Opens and closes the docks below the view."""

    title = "Panels below the view"
    menu = "View"
    order = 610
    shortcut = "Ctrl+Shift+B"
    meaning = (
        "Show the panels below the view, or their tabs alone; a click on the tab in front does the same."
    )

    def trigger(self, context: Context) -> None:
        """Do it."""
        context.window.toggle_below()
