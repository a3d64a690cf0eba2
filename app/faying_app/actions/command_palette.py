"""Edit ▸ Find a command."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("command_palette")
class CommandPalette(Action):
    """Lists everything that can be done, to be found by typing."""

    title = "Find a command…"
    menu = "Edit"
    order = 300
    shortcut = "Ctrl+K"
    meaning = (
        "Type some letters of what you want to do: every action, with its key, or why it is not possible now."
    )

    def trigger(self, context: Context) -> None:
        """Do it."""
        context.window.show_palette()
