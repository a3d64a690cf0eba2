"""File ▸ Write report…"""

from faying_app.actions import Action, actions
from faying_app.actions._needs import content
from faying_app.context import Context


@actions.register("export_report")
class WriteReport(Action):
    """Write model, pairs, basis, runs, pictures, curves and findings into one HTML file."""

    title = "Write report…"
    menu = "File"
    order = 303
    meaning = "Write model, pairs, basis, runs, pictures, curves and findings into one HTML file."
    needs = (content,)

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        context.window.export("report")
