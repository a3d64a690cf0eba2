"""File ▸ Quit."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("quit_program")
class QuitProgram(Action):
    """Close the window."""

    title = "Quit"
    menu = "File"
    order = 900
    shortcut = "Ctrl+Q"
    meaning = "Close the window; unsaved changes are asked about."

    def trigger(self, context: Context) -> None:
        """Close it."""
        context.window.close()
