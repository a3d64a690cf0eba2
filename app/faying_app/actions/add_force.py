"""Model ▸ System ▸ Add force."""

from typing import Any

from faying.multibody.forces import forces
from faying.multibody.system_spec import SystemSpec
from faying.params import Member
from faying.project import edits
from faying_app.actions import actions
from faying_app.actions._system_member import AddSystemMember
from faying_app.context import Context


@actions.register("add_force")
class AddForce(AddSystemMember):
    """Let something act between markers."""

    title = "Add force"
    order = 163
    icon = "force"
    meaning = "Let a force, a spring or a damper act at a marker or between two."
    entities = ("system", "forces", "force", "part")
    what = "force"
    family = forces
    add = edits.add_force

    def words(self, context: Context, system: SystemSpec, kind: type[Member]) -> dict[str, Any]:
        """Return a first choice of what the force names; a new spring does not pull the parts out of their places."""
        placed = {"free_length_as_placed": True} if "free_length_as_placed" in kind.model_fields else {}
        return {**super().words(context, system, kind), **placed}
