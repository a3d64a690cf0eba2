"""File ▸ Export video…"""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("export_video")
class ExportVideo(Action):
    """Write the animation to a film (MP4 or GIF)."""

    title = "Export video…"
    menu = "File"
    order = 310
    shortcut = "Ctrl+Shift+P"
    icon = "video"
    meaning = "Write the animation to a film (MP4 or GIF)."

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        return "" if context.n_frames else "Select an analysis with results, or the modes of a reduced body."

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        context.window.export("video")
