"""Run ▸ Cancel."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import a_task
from faying_app.context import Context


@actions.register("cancel_task")
class CancelTask(Action):
    """Stop what is being computed."""

    title = "Cancel"
    menu = "Run"
    order = 400
    shortcut = "Ctrl+."
    icon = "cancel"
    meaning = "Stop what is being computed; what is finished stays."
    in_toolbar = True
    needs = (a_task,)

    def trigger(self, context: Context) -> None:
        """Ask it to stop."""
        context.window.cancel_task()
