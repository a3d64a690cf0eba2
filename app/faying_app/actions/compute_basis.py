"""Run ▸ Compute reduction basis."""

from faying.project.stage import Target
from faying_app.actions import Action, actions
from faying_app.actions._checked_run import start_checked
from faying_app.actions._needs import a_body
from faying_app.context import Context
from faying_app.entities import body_path


@actions.register("compute_basis")
class ComputeBasis(Action):
    """Reduce the selected body: component modes, joint modes, reduced matrices."""

    title = "Compute reduction basis"
    menu = "Run"
    order = 110
    shortcut = "Ctrl+B"
    icon = "joint_modes"
    meaning = "Reduce the selected body: component modes, joint modes, and the reduced matrices."
    in_toolbar = True
    entities = ("reduction", "joint_modes", "body")
    needs = (a_body,)

    def trigger(self, context: Context) -> None:
        """Compute it in the background and then show the modes."""
        body = context.selected_body()
        if body is None:
            return

        def show(task: object) -> None:
            if getattr(task, "state", "") == "done" and (path := body_path(context.project, body.name)):
                context.selection.select((*path, "joint_modes"))

        start_checked(context, f"Reduce {body.name}", [Target("body", body.name)], "tasks", show)
