"""Edit ▸ Delete."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import NAMED

_KINDS = (*NAMED, "friction_law", "body_material")


@actions.register("delete_entity")
class DeleteEntity(Action):
    """Remove what is selected from the project."""

    title = "Delete"
    menu = "Edit"
    order = 220
    shortcut = "Del"
    icon = "delete"
    meaning = "Remove what is selected from the project; undo brings it back with what was computed."
    entities = _KINDS
    in_tree = True

    def why_disabled(self, context: Context) -> str:
        """Say what can be removed."""
        if context.entity_kind == "friction_law" and context.value(context.entity) is None:
            return "The joint has no friction law."
        return (
            ""
            if context.entity_kind in _KINDS
            else "Select something with a name: a body, a joint, a part, an analysis."
        )

    def trigger(self, context: Context) -> None:
        """Remove it."""
        path = context.entity
        name = getattr(context.value(path), "name", str(path[-1]).replace("_", " "))
        context.apply(f"Delete {name!r}", edits.remove(path))
