"""Model ▸ System ▸ Add controller."""

from typing import Any

from faying.multibody.controllers import controllers
from faying.multibody.system_spec import SystemSpec
from faying.params import Member
from faying.project import edits
from faying_app.actions import actions
from faying_app.actions._needs import a_measure
from faying_app.actions._system_member import AddScalar
from faying_app.context import Context


@actions.register("add_controller")
class AddController(AddScalar):
    """Add a controller, whose output forces can follow as a measure."""

    title = "Add controller"
    order = 165
    icon = "loop"
    meaning = (
        "Add a PID, lead-lag, transfer function or state space of measures: actuators can follow its output."
    )
    entities = ("system", "measures", "measure", "controllers", "controller")
    needs = (a_measure,)
    what = "controller"
    family = controllers
    add = edits.add_controller

    def words(self, context: Context, system: SystemSpec, kind: type[Member]) -> dict[str, Any]:
        """Return matrices, where there have to be some, and the input."""
        example = {name: value for name, value in kind.example().items() if name != "name"}
        return {**example, **super().words(context, system, kind)}
