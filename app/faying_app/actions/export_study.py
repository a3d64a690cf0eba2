"""File ▸ Export study."""

from faying.project.study import write_study
from faying_app.actions import Action, actions
from faying_app.actions._needs import content
from faying_app.context import Context
from faying_app.output_file import ask_for_output, writing


@actions.register("export_study")
class ExportStudy(Action):
    """Write the decisions as a text file that the command line runs."""

    title = "Export study…"
    menu = "File"
    order = 320
    icon = "study"
    meaning = "Write the project's decisions as a TOML text that `faying run` understands."
    needs = (content,)

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        path = ask_for_output(context, "Export study", context.project.name, [("Studies", (".toml",))])
        if path is not None:
            with writing(context, path):
                write_study(context.project, path, context.computed.base)
