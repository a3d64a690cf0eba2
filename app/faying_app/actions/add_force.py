"""Model ▸ System ▸ Add force."""

from functools import partial

from faying.multibody.forces import forces
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._marker_guess import marker_parameters
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, can_name, first_names, unused_in_system
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_force")
class AddForce(ChoosingAction):
    """Let something act between markers."""

    title = "Add force"
    menu = "Model/System"
    order = 163
    icon = "force"
    meaning = "Let a force, a spring or a damper act at a marker or between two."
    entities = ("system", "forces", "force", "part")
    needs = (parts,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds that can name what they need."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        return [
            Choice(cls.title or kind, partial(_add, context, kind))
            for kind, cls in forces.items()
            if can_name(system, cls)
        ]


def _add(context: Context, kind: str) -> None:
    system = context.selected_system()
    if system is None:
        return
    cls = forces[kind]
    name = unused_in_system(context, system.name, "forces", (cls.title or kind).lower())
    words = {"kind": kind, "name": name, **marker_parameters(context, system, cls)}
    words |= first_names(context, system, cls)
    if "free_length_as_placed" in cls.model_fields:
        words["free_length_as_placed"] = True  # a new spring does not pull the parts out of their places
    path = (*system_path(context.project, system.name), "forces")
    add_and_select(context, f"Add force {name!r}", edits.add_force(system.name, words), path)
