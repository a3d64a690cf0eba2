"""Model ▸ Friction law editor."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import joint_path


@actions.register("edit_friction_law")
class EditFrictionLaw(Action):
    """See, compare and match friction laws."""

    title = "Friction law editor…"
    menu = "Model"
    order = 410
    icon = "law"
    meaning = "Hysteresis under a chosen slip as live curves: edit the joint's friction law, compare others."
    entities = ("joint", "friction_law")

    def trigger(self, context: Context) -> None:
        """Open the editor for the selected joint, or the first one."""
        context.window.edit_law((*joint_path(context.project, context.entity), "friction_law"))
