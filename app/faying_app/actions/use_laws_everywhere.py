"""Model ▸ Use these laws in all joints."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_joint
from faying_app.context import Context


@actions.register("use_laws_everywhere")
class UseLawsEverywhere(Action):
    """Give all joints the contact law and the friction law of the selected one."""

    title = "Use these laws in all joints"
    menu = "Model"
    order = 132
    icon = "law"
    meaning = "Give all joints with contact, of all bodies, the contact law and the friction law of the selected one."
    entities = ("joint", "contact_law", "friction_law")
    needs = (a_joint,)

    def text(self, context: Context) -> str:
        """Name the joint."""
        if a_joint(context):
            return self.title
        return f"Use the laws of “{context.value(context.entity[:4]).name}” in all joints"

    def why_disabled(self, context: Context) -> str:
        """Say what is missing, also where all joints have these laws already."""
        if why := super().why_disabled(context):
            return why
        own = context.value(context.entity[:4])
        each = [joint for body in context.project.bodies for joint in body.contact_joints]
        differ = [j for j in each if (j.contact_law, j.friction_law) != (own.contact_law, own.friction_law)]
        return "" if differ else "All joints with contact have these laws already."

    def trigger(self, context: Context) -> None:
        """Share them in one step."""
        path = context.entity[:4]
        context.apply(f"Use the laws of {context.value(path).name!r} in all joints", edits.share_laws(path))
