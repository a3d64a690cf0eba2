"""Model ▸ Tie joint."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_joint
from faying_app.context import Context


@actions.register("tie_joint")
class TieJoint(Action):
    """Bond the surfaces of the selected joint, or let it be a joint with contact again."""

    title = "Tie joint"
    menu = "Model"
    order = 131
    icon = "joint"
    meaning = "Bond the surfaces of the selected joint to each other, as a weld does; its laws are kept for contact."
    entities = ("joint", "surface")
    checkable = True

    def why_disabled(self, context: Context) -> str:
        """Say what to select."""
        body = context.selected_body()
        if body is not None and body.joints_tied and not a_joint(context):
            return "All joints of the body are tied: Model ▸ Tie all joints switches that off."
        return a_joint(context)

    def is_checked(self, context: Context) -> bool:
        """Return whether the selected joint is tied."""
        body = context.selected_body()
        return body is not None and not a_joint(context) and body.is_tied(context.value(context.entity[:4]))

    def trigger(self, context: Context) -> None:
        """Switch its treatment."""
        path = context.entity[:4]
        joint = context.value(path)
        wanted = "contact" if joint.treatment == "tied" else "tied"
        label = f"Tie {joint.name!r}" if wanted == "tied" else f"Untie {joint.name!r}"
        context.apply(label, edits.set_value((*path, "treatment"), wanted))
