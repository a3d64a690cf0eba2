"""Help ▸ Open log."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from faying.errors import FayingError
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.logs import log_path


@actions.register("open_log")
class OpenLog(Action):
    """Open the program's log file."""

    title = "Open log"
    menu = "Help"
    order = 200
    icon = "log"
    meaning = "Open the program's log file, to be attached to a report of a problem."

    def trigger(self, context: Context) -> None:
        """Open it with the desktop's program for texts."""
        path = log_path()
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            context.show_error(
                FayingError(f"No program here opens the log {path}.", "Open it with a text editor.")
            )
