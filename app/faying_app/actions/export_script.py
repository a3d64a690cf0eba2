"""File ▸ Export script."""

from faying.atomic import write_text
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.output_file import ask_for_output, writing


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
        kinds = [("Python", (".py",))]
        path = ask_for_output(context, "Export steps as script", context.project.name, kinds)
        if path is not None:
            with writing(context, path):
                write_text(path, context.document.script())
