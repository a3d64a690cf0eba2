"""File ▸ Export video…"""

from faying_app.actions import Action, actions
from faying_app.actions._needs import fields_of_all_frames, frames
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
    needs = (frames, fields_of_all_frames)

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        context.window.export("video")
