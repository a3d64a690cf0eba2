"""Model ▸ System ▸ Add measure."""

from functools import partial

from faying.multibody.measures import measures
from faying.params import unused_name
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._marker_guess import marker_parameters
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, can_name, first_names
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_measure")
class AddMeasure(ChoosingAction):
    """Add a scalar of the system that becomes a curve."""

    title = "Add measure"
    menu = "Model/System"
    order = 164
    icon = "measure"
    meaning = (
        "Add a distance, an angle, a reaction, a formula: it becomes a curve of every analysis of the system."
    )
    entities = ("system", "measures", "measure")
    needs = (parts,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds that can name what they need."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        return [
            Choice(cls.title, partial(_add, context, kind))
            for kind, cls in measures.items()
            if can_name(system, cls)
        ]


def _add(context: Context, kind: str) -> None:
    system = context.selected_system()
    if system is None:
        return
    cls = measures[kind]
    name = unused_name(cls.title.lower(), {each.name for each in system.scalars})
    words = {
        "kind": kind, "name": name, **marker_parameters(context, system, cls), **first_names(context, system, cls),
    }  # fmt: skip
    path = (*system_path(context.project, system.name), "measures")
    add_and_select(context, f"Add measure {name!r}", edits.add_measure(system.name, words), path)
