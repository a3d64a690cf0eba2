"""Edit ▸ Duplicate."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import NAMED


@actions.register("duplicate_entity")
class DuplicateEntity(Action):
    """Copy what is selected under another name."""

    title = "Duplicate"
    menu = "Edit"
    order = 210
    shortcut = "Ctrl+D"
    icon = "add"
    meaning = "Add a copy of what is selected, under another name."
    entities = NAMED

    def why_disabled(self, context: Context) -> str:
        """Say what can be copied."""
        return (
            ""
            if context.entity_kind in NAMED
            else "Select something with a name: a body, a joint, a part, an analysis."
        )

    def trigger(self, context: Context) -> None:
        """Add the copy behind it and select it."""
        path = context.entity
        old = context.value(path).name
        name = edits.unused_name(context.project, path[:-1], f"{old} copy")
        if context.apply(f"Duplicate {old!r}", edits.duplicate(path, name)):
            context.selection.select((*path[:-1], int(path[-1]) + 1))
