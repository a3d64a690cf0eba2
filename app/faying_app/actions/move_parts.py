"""Model ▸ System ▸ Move parts."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import parts
from faying_app.actions._systems import show_system_at_start
from faying_app.context import Context


@actions.register("move_parts")
class MoveParts(Action):
    """Let parts be dragged and turned in the view."""

    title = "Move parts"
    menu = "Model/System"
    order = 160
    icon = "part"
    meaning = (
        "Drag parts in the 3D view, or the selected one by its arrows and rings; each drag is a step to undo. "
        "Constraints go on to hold. Esc ends it."
    )
    checkable = True
    entities = ("system", "parts", "part", "picked_part", "picked_surface")
    needs = (parts,)

    def is_checked(self, context: Context) -> bool:
        """Return whether parts are dragged now."""
        return context.view.values.pointer == "move"

    def trigger(self, context: Context) -> None:
        """Begin or end it."""
        if self.is_checked(context):
            context.view.set(pointer="select")
            return
        show_system_at_start(context)
        context.view.set(pointer="move")
