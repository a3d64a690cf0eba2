"""File ▸ Save."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.tasks import saving


@actions.register("save_project")
class SaveProject(Action):
    """Save the project with everything that was computed for it."""

    title = "Save"
    menu = "File"
    order = 200
    shortcut = "Ctrl+S"
    icon = "save"
    meaning = "Save the project with everything that was computed for it."
    in_toolbar = True

    def trigger(self, context: Context) -> None:
        """Save in place, or ask for a file the first time."""
        saving.save(context)
