"""File ▸ New."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.tasks import opening


@actions.register("new_project")
class NewProject(Action):
    """Begin an empty project."""

    title = "New project"
    menu = "File"
    order = 100
    shortcut = "Ctrl+N"
    icon = "new"
    meaning = "Begin an empty project."

    def trigger(self, context: Context) -> None:
        """Ask about unsaved changes, then start a new project."""
        opening.new_project(context)
