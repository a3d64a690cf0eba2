"""Help ▸ Manual."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("show_manual")
class ShowManual(Action):
    """Open the manual at the page of what has the focus."""

    title = "Manual"
    menu = "Help"
    order = 90
    shortcut = "F1"
    icon = "note"
    meaning = "Open the manual at the page about what has the focus: a form, a panel, the selected thing."

    def trigger(self, context: Context) -> None:
        """Ask the window, which knows what has the focus."""
        context.window.show_manual()
