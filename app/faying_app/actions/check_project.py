"""Run ▸ Check."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("check_project")
class CheckProject(Action):
    """Look for what is wrong or doubtful."""

    title = "Check project"
    menu = "Run"
    order = 300
    shortcut = "F7"
    icon = "findings"
    meaning = "Look for what is wrong or doubtful in the project, and show the findings."

    def trigger(self, context: Context) -> None:
        """Check and show the panel."""
        context.refresh_findings()
        context.window.show_panel("findings")
