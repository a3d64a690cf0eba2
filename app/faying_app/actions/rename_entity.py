"""Edit ▸ Rename."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import NAMED

_NAMED = ("project", *NAMED)


@actions.register("rename_entity")
class RenameEntity(Action):
    """Rename what is selected."""

    title = "Rename"
    menu = "Edit"
    order = 200
    shortcut = "F2"
    icon = "rename"
    meaning = "Rename the selected entry of the tree, and update all references to it."
    entities = _NAMED

    def why_disabled(self, context: Context) -> str:
        """Say what can be renamed."""
        if context.entity_kind in _NAMED:
            return ""
        return "Select something with a name: the project, a body, a joint, a part, an analysis."

    def trigger(self, context: Context) -> None:
        """Edit the name in the tree."""
        context.window.rename_selected()
