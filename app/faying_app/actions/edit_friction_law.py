"""Model ▸ Friction law editor."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import contact_path, joint_path


@actions.register("edit_friction_law")
class EditFrictionLaw(Action):
    """See, compare and match friction laws."""

    title = "Friction law editor…"
    menu = "Model"
    order = 410
    icon = "law"
    meaning = "Hysteresis under a chosen slip as live curves: edit the joint's friction law, compare others."
    entities = ("joint", "contact", "friction_law")

    def trigger(self, context: Context) -> None:
        """Open the editor for the selected joint, or the first one."""
        at = contact_path(context.project, context.entity) or joint_path(context.project, context.entity)
        context.window.edit_law((*at, "friction_law"))
