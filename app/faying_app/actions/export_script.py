"""File ▸ Export script."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from faying.errors import FayingError
from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("export_script")
class ExportScript(Action):
    """Write the steps of this session as a Python script."""

    title = "Export steps as script…"
    menu = "File"
    order = 330
    icon = "log"
    meaning = "Write the steps of this session as a Python script that does the same again."

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        proposed = context.folder() / f"{context.project.name}.py"
        chosen, _ = QFileDialog.getSaveFileName(
            context.window.widget, "Export steps as script", str(proposed), "Python (*.py)"
        )
        if not chosen:
            return
        try:
            Path(chosen).write_text(context.document.script(), encoding="utf-8")
        except OSError as error:
            context.show_error(
                FayingError(
                    f"The script could not be written to {chosen} ({error.strerror}).",
                    "Choose another place.",
                )
            )
        else:
            context.say(f"Wrote {Path(chosen).name}.")
