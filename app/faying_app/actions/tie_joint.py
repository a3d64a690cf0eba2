"""Model ▸ Tie joint."""

from faying.project import edits
from faying_app.actions import Action, actions
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
        path = context.entity
        if len(path) < 4 or path[2] != "joints":
            return "Select a joint in the tree."
        body = context.selected_body()
        tied = body is not None and body.joints_tied
        return "All joints of the body are tied: Model ▸ Tie all joints switches that off." if tied else ""

    def is_checked(self, context: Context) -> bool:
        """Return whether the selected joint is tied."""
        path, body = context.entity, context.selected_body()
        if body is None or len(path) < 4 or path[2] != "joints":
            return False
        return bool(body.is_tied(context.value(path[:4])))

    def trigger(self, context: Context) -> None:
        """Switch its treatment."""
        path = context.entity[:4]
        joint = context.value(path)
        wanted = "contact" if joint.treatment == "tied" else "tied"
        label = f"Tie {joint.name!r}" if wanted == "tied" else f"Untie {joint.name!r}"
        context.apply(label, edits.set_value((*path, "treatment"), wanted))
