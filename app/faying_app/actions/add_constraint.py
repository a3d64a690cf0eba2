"""Model ▸ System ▸ Add constraint."""

from functools import partial

from faying.multibody.constraints import constraints
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._marker_guess import marker_parameters
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, unused_in_system
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_constraint")
class AddConstraint(ChoosingAction):
    """Tie markers of two parts."""

    title = "Add constraint"
    menu = "Model/System"
    order = 162
    icon = "constraint"
    meaning = "Tie a marker to one of another part or of ground: a hinge, a slide, a prescribed motion."
    entities = ("system", "constraints", "constraint", "part", "picked_part")
    needs = (parts,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds."""
        if self.why_disabled(context):
            return []
        return [Choice(cls.title or kind, partial(_add, context, kind)) for kind, cls in constraints.items()]


def _add(context: Context, kind: str) -> None:
    system = context.selected_system()
    if system is None:
        return
    cls = constraints[kind]
    name = unused_in_system(context, system.name, "constraints", (cls.title or kind).lower())
    words = {"kind": kind, "name": name, **marker_parameters(context, system, cls)}
    path = (*system_path(context.project, system.name), "constraints")
    add_and_select(context, f"Add constraint {name!r}", edits.add_constraint(system.name, words), path)
