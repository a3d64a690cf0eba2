"""Model ▸ Tie all joints."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._needs import joints
from faying_app.context import Context
from faying_app.entities import body_path


@actions.register("tie_all_joints")
class TieAllJoints(Action):
    """Take every joint of the body as tied, for a first linear answer, or as each of them says."""

    title = "Tie all joints"
    menu = "Model"
    order = 132
    icon = "joint"
    meaning = "Take every joint of the selected body as tied, for a first linear answer without contact."
    entities = ("body", "joints")
    checkable = True
    needs = (joints,)

    def is_checked(self, context: Context) -> bool:
        """Return whether all joints are tied."""
        body = context.selected_body()
        return body is not None and body.joints_tied

    def trigger(self, context: Context) -> None:
        """Switch it."""
        body = context.selected_body()
        if body is None:
            return
        path = (*body_path(context.project, body.name), "joints_tied")
        label = "Take joints as each says" if body.joints_tied else "Tie all joints"
        context.apply(f"{label} of {body.name!r}", edits.set_value(path, not body.joints_tied))
