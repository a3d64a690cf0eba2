"""File ▸ Export data…"""

from faying_app.actions import Action, actions
from faying_app.actions._needs import fields_of_all_frames, frames
from faying_app.context import Context


@actions.register("export_data")
class ExportData(Action):
    """Write the shown field at all frames: mesh and field for ParaView (VTKHDF), or a table (CSV)."""

    title = "Export data…"
    menu = "File"
    order = 302
    meaning = "Write the shown field at all frames: mesh and field for ParaView (VTKHDF), or a table (CSV)."
    needs = (frames, fields_of_all_frames)

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        context.window.export("data")
