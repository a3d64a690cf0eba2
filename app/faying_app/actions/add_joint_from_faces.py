"""Model ▸ System ▸ Joint from two faces."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import parts
from faying_app.actions._systems import show_system_at_start
from faying_app.context import Context


@actions.register("add_joint_from_faces")
class AddJointFromFaces(Action):
    """Let two faces or edges be clicked, and propose the joint between them."""

    title = "Joint from two faces…"
    menu = "Model/System"
    order = 162
    icon = "constraint"
    meaning = (
        "Click a face or edge of two parts: a hinge, slide or ball joint that fits them is proposed, with its markers "
        "and the motions that it leaves."
    )
    entities = ("system", "constraints", "constraint", "part", "picked_part", "picked_surface")
    needs = (parts,)

    def trigger(self, context: Context) -> None:
        """Show the system as it starts, and let clicks mean faces."""
        show_system_at_start(context)
        context.view.set(pointer="joint")
