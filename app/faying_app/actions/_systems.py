"""What the actions on multibody systems share."""

from faying.project import edits
from faying.project.recorded import Edit
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.selection import EntityPath

NO_SYSTEM = "Add a multibody system first, or select one."
NO_PART = "Add a part to the system first."


def why_no_system(context: Context, *, parts: bool) -> str:
    """Return why there is no selected system (with parts) to add to; "" when there is one."""
    system = context.selected_system()
    if system is None:
        return NO_SYSTEM
    return NO_PART if parts and not system.parts else ""


def unused_in_system(context: Context, system: str, which: str, wish: str) -> str:
    """Return a name that no member of one of the system's lists has."""
    return edits.unused_name(context.project, (*system_path(context.project, system), which), wish)


def add_and_select(context: Context, label: str, edit: Edit, path: EntityPath) -> None:
    """Apply an edit that adds to the list at a path, and select what was added."""
    if context.apply(label, edit):
        context.selection.select((*path, len(context.value(path)) - 1))
