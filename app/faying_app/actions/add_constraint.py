"""Model ▸ System ▸ Add constraint."""

from faying.multibody.constraints import constraints
from faying.project import edits
from faying_app.actions import actions
from faying_app.actions._system_member import AddSystemMember


@actions.register("add_constraint")
class AddConstraint(AddSystemMember):
    """Tie markers of two parts."""

    title = "Add constraint"
    order = 162
    icon = "constraint"
    meaning = "Tie a marker to one of another part or of ground: a hinge, a slide, a prescribed motion."
    entities = ("system", "constraints", "constraint", "part", "picked_part")
    what = "constraint"
    family = constraints
    add = edits.add_constraint
