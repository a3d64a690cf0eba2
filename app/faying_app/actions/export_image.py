"""File ▸ Export image…"""

from faying_app.actions import Action, actions
from faying_app.actions._needs import content
from faying_app.context import Context


@actions.register("export_image")
class ExportImage(Action):
    """Write what the 3D view shows to a picture (PNG) of any size."""

    title = "Export image…"
    menu = "File"
    order = 300
    shortcut = "Ctrl+P"
    icon = "image"
    meaning = "Write what the 3D view shows to a picture (PNG) of any size."
    needs = (content,)

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        context.window.export("image")
