"""Model ▸ Contact law editor."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import contact_path, joint_path


@actions.register("edit_contact_law")
class EditContactLaw(Action):
    """See, compare and match contact laws."""

    title = "Contact law editor…"
    menu = "Model"
    order = 400
    icon = "law"
    meaning = "Pressure over gap as live curves: edit the joint's contact law, compare others."
    entities = ("joint", "contact", "contact_law")

    def trigger(self, context: Context) -> None:
        """Open the editor for the selected joint, or the first one."""
        at = contact_path(context.project, context.entity) or joint_path(context.project, context.entity)
        context.window.edit_law((*at, "contact_law"))
