"""File ▸ Open recent."""

from functools import partial

from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.tasks import opening


@actions.register("open_recent")
class OpenRecent(ChoosingAction):
    """Open one of the files used lately."""

    title = "Open recent"
    menu = "File"
    order = 120
    meaning = "Open one of the files used lately."
    offers_files = True

    def why_disabled(self, context: Context) -> str:
        """Say that there are none."""
        return "" if context.settings.recent_files else "No file has been opened yet."

    def choices(self, context: Context) -> list[Choice]:
        """Offer the files, and to forget them."""
        files = [
            Choice(path.name, partial(opening.open_path, context, path), tooltip=str(path))
            for path in context.settings.recent_files
        ]
        return [*files, Choice("Forget these files", context.settings.forget_files)] if files else []
