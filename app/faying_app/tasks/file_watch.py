"""Watches the project file: a run on the command line or another window may write to it meanwhile."""

from PySide6.QtCore import QObject, QTimer

from faying_app.context import Context

_EVERY = 2000  # ms; asked, because network drives tell nobody of changes


class FileWatch(QObject):
    """Shows what a run on the command line computed, and says when somebody else has changed decisions."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._timer = QTimer(self, interval=_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Look at the file now."""
        workspace = self._context.session.workspace
        news = workspace.news()
        if not news or workspace.path is None:
            return
        name = workspace.path.name
        if news == "results":
            self._context.say(f"{name} was written by another program: its results are shown here too.")
        else:
            self._context.say(
                f"{name} was changed by another program: it holds other decisions than this window."
            )
        self._context.computed.refresh()
