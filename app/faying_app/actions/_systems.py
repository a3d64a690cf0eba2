"""What the actions on multibody systems share."""

from faying.project import edits
from faying.project.recorded import Edit
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.selection import EntityPath


def unused_in_system(context: Context, system: str, which: str, wish: str) -> str:
    """Return a name that no member of one of the system's lists has."""
    return edits.unused_name(context.project, (*system_path(context.project, system), which), wish)


def add_and_select(context: Context, label: str, edit: Edit, path: EntityPath) -> None:
    """Apply an edit that adds to the list at a path, and select what was added."""
    if context.apply(label, edit):
        context.selection.select((*path, len(context.value(path)) - 1))
