"""View ▸ Select: the pointer that picks."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("select_pointer")
class SelectPointer(Action):
    """Let clicks in the 3D view pick faces, contact pairs and parts again."""

    title = "Select"
    menu = "View"
    order = 210
    shortcut = "S"
    icon = "pick"
    meaning = "Click faces, contact pairs and parts to pick them; the right button offers what can be done with them."
    in_toolbar = True
    checkable = True

    def is_checked(self, context: Context) -> bool:
        """Return whether clicks pick."""
        return context.view.values.pointer == "select"

    def trigger(self, context: Context) -> None:
        """Pick from now on."""
        context.view.set(pointer="select")
