"""Model ▸ System ▸ Add measure."""

from faying.multibody.measures import measures
from faying.project import edits
from faying_app.actions import actions
from faying_app.actions._system_member import AddScalar


@actions.register("add_measure")
class AddMeasure(AddScalar):
    """Add a scalar of the system that becomes a curve."""

    title = "Add measure"
    order = 164
    icon = "measure"
    meaning = (
        "Add a distance, an angle, a reaction, a formula: it becomes a curve of every analysis of the system."
    )
    entities = ("system", "measures", "measure")
    what = "measure"
    family = measures
    add = edits.add_measure
