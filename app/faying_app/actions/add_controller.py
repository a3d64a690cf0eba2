"""Model ▸ System ▸ Add controller."""

from functools import partial

from faying.multibody.controllers import controllers
from faying.params import unused_name
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_measure
from faying_app.actions._systems import add_and_select, can_name, first_names
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_controller")
class AddController(ChoosingAction):
    """Add a controller, whose output forces can follow as a measure."""

    title = "Add controller"
    menu = "Model/System"
    order = 165
    icon = "loop"
    meaning = (
        "Add a PID, lead-lag, transfer function or state space of measures: actuators can follow its output."
    )
    entities = ("system", "measures", "measure", "controllers", "controller")
    needs = (a_measure,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds, once there is a measure."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        return [
            Choice(cls.title, partial(_add, context, kind))
            for kind, cls in controllers.items()
            if can_name(system, cls)
        ]


def _add(context: Context, kind: str) -> None:
    system = context.selected_system()
    if system is None:
        return
    cls = controllers[kind]
    name = unused_name(kind.replace("_", " "), {each.name for each in system.scalars})
    words = {"kind": kind, **cls.example(), "name": name, **first_names(context, system, cls)}
    path = (*system_path(context.project, system.name), "controllers")
    add_and_select(context, f"Add controller {name!r}", edits.add_controller(system.name, words), path)
