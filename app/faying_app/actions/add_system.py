"""Model ▸ Add multibody system."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("add_system")
class AddSystem(Action):
    """Begin a system of moving parts."""

    title = "Add multibody system"
    menu = "Model"
    order = 150
    icon = "system"
    meaning = "Begin a system of parts in motion, with constraints and forces between their markers."
    entities = ("project", "systems", "system")

    def trigger(self, context: Context) -> None:
        """Add it empty and select it."""
        name = edits.unused_name(context.project, ("systems",), "system")
        if context.apply(f"Add system {name!r}", edits.add_system({"name": name})):
            context.selection.select(("systems", len(context.project.systems) - 1))
