"""Edit ▸ Duplicate."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._selected import selected_of
from faying_app.context import Context
from faying_app.entities import NAMED, counted_entities


@actions.register("duplicate_entity")
class DuplicateEntity(Action):
    """Copy what is selected under another name."""

    title = "Duplicate"
    menu = "Edit"
    order = 210
    shortcut = "Ctrl+D"
    icon = "add"
    meaning = "Add a copy of all that is selected, under other names."
    entities = NAMED

    def text(self, context: Context) -> str:
        """Say how many are selected."""
        paths = selected_of(context, NAMED)
        return f"Duplicate {counted_entities(paths)}" if len(paths) > 1 else self.title

    def why_disabled(self, context: Context) -> str:
        """Say what can be copied."""
        if selected_of(context, NAMED):
            return ""
        return "Select something with a name: a body, a joint, a part, an analysis."

    def trigger(self, context: Context) -> None:
        """Add a copy after each that is selected, as one step, and select the copies."""
        paths = sorted(selected_of(context, NAMED))
        what = repr(context.value(paths[0]).name) if len(paths) == 1 else counted_entities(paths)
        if context.apply(f"Duplicate {what}", edits.duplicates(context.project, paths)):
            before = [sum(other[:-1] == path[:-1] and other < path for other in paths) for path in paths]
            copies = [(*path[:-1], int(path[-1]) + 1 + n) for path, n in zip(paths, before, strict=True)]
            context.selection.select_all(copies)
