"""Run ▸ Update contact pairs."""

from faying.project.stage import Target
from faying_app.actions import Action, actions
from faying_app.actions._needs import joints
from faying_app.context import Context


@actions.register("update_pairs")
class UpdatePairs(Action):
    """Find the contact pairs of the selected body's joints."""

    title = "Update contact pairs"
    menu = "Run"
    order = 100
    shortcut = "Ctrl+U"
    icon = "pairs"
    meaning = "Find the contact pairs of all joints of the selected body."
    in_toolbar = True
    entities = ("joint", "joints", "surface", "search")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        body = context.selected_body()
        if body is None or not body.joints:
            return joints(context)
        return (
            "" if body.contact_joints else f"All joints of body {body.name!r} are tied: they have no pairs."
        )

    def trigger(self, context: Context) -> None:
        """Compute them in the background and show the table."""
        body = context.selected_body()
        if body is not None and not context.window.has_refused_field():
            targets = [Target("pairs", body.name, joint.name) for joint in body.contact_joints]
            context.tasks.run(f"Contact pairs of {body.name}", targets, context.project)
            context.window.show_panel("pairs")
