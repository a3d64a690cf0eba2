"""File ▸ Open."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.tasks import opening


@actions.register("open_file")
class OpenFile(Action):
    """Open a project or a study, or import a deck."""

    title = "Open…"
    menu = "File"
    order = 110
    shortcut = "Ctrl+O"
    icon = "open"
    meaning = "Open a project (.faying) or a study (.toml), or import a deck (.inp)."
    in_toolbar = True

    def trigger(self, context: Context) -> None:
        """Ask for the file."""
        opening.ask_for_file(context, "Open", opening.openable_files(), opening.open_path)
