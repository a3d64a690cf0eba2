"""Run ▸ Pause and continue."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import a_task
from faying_app.context import Context


@actions.register("pause_task")
class PauseTask(Action):
    """Let what is being computed wait, or continue."""

    title = "Pause"
    menu = "Run"
    order = 390
    shortcut = "Ctrl+Shift+Space; Pause"
    icon = "pause"
    meaning = "Let what is being computed wait at its next step, or continue; its frames so far can be shown meanwhile."
    in_toolbar = True
    checkable = True
    needs = (a_task,)

    def text(self, context: Context) -> str:
        """Say what it would do."""
        return "Continue" if self.is_checked(context) else "Pause"

    def is_checked(self, context: Context) -> bool:
        """Return whether it waits."""
        return context.tasks.current is not None and context.tasks.current.state == "paused"

    def trigger(self, context: Context) -> None:
        """Let it wait or continue."""
        if self.is_checked(context):
            context.tasks.go_on()
            context.say("It continues.")
        else:
            context.tasks.pause()
            context.say("It waits; continue with Ctrl+Shift+Space.")
