"""Edit ▸ Delete."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._selected import selected_of
from faying_app.context import Context
from faying_app.entities import NAMED, counted_entities

_KINDS = (*NAMED, "friction_law", "body_material")


@actions.register("delete_entity")
class DeleteEntity(Action):
    """Remove what is selected from the project."""

    title = "Delete"
    menu = "Edit"
    order = 220
    shortcut = "Del"
    icon = "delete"
    meaning = "Remove all that is selected from the project; undo brings it back with what was computed."
    entities = _KINDS
    in_tree = True

    def text(self, context: Context) -> str:
        """Say how many are selected."""
        paths = selected_of(context, _KINDS)
        return f"Delete {counted_entities(paths)}" if len(paths) > 1 else self.title

    def why_disabled(self, context: Context) -> str:
        """Say what can be removed."""
        paths = selected_of(context, _KINDS)
        if not paths:
            return "Select something with a name: a body, a joint, a part, an analysis."
        return (
            "" if any(context.value(path) is not None for path in paths) else "The joint has no friction law."
        )

    def trigger(self, context: Context) -> None:
        """Remove it, or all that are selected, as one step."""
        paths = [path for path in selected_of(context, _KINDS) if context.value(path) is not None]
        if len(paths) > 1:
            context.apply(f"Delete {counted_entities(paths)}", edits.removals(paths))
            return
        (path,) = paths
        name = getattr(context.value(path), "name", str(path[-1]).replace("_", " "))
        context.apply(f"Delete {name!r}", edits.remove(path))
