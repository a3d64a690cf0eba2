"""File ▸ Save as."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.tasks import saving


@actions.register("save_project_as")
class SaveProjectAs(Action):
    """Save the project under another name."""

    title = "Save as…"
    menu = "File"
    order = 210
    shortcut = "Ctrl+Shift+S"
    meaning = "Save the project to another file and continue with that file."

    def trigger(self, context: Context) -> None:
        """Ask for the file."""
        saving.save_as(context)
