"""Model ▸ System ▸ Add controller."""

from faying.multibody.controllers import controllers
from faying.project import edits
from faying_app.actions import actions
from faying_app.actions._system_member import AddScalar


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
    what = "controller"
    family = controllers
    add = edits.add_controller
