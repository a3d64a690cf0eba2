"""Edit ▸ Select all with this law."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import counted_entities
from faying_app.selection import EntityPath


@actions.register("select_same_law")
class SelectSameLaw(Action):
    """Select a law wherever the project has the same one, so that it is edited in all those joints."""

    title = "Select all with this law"
    menu = "Edit"
    order = 206
    icon = "law"
    meaning = (
        "Select this law in all joints and contacts that have the same one: the form then edits it in all."
    )
    entities = ("contact_law", "friction_law")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing, also where no other joint has this law."""
        if context.entity_kind not in self.entities or context.value(context.entity) is None:
            return "Select a contact law or a friction law in the tree."
        return "" if len(_same(context)) > 1 else "No other joint or contact has this law."

    def trigger(self, context: Context) -> None:
        """Select them, the one at hand as the current one."""
        paths = _same(context)
        context.selection.select_all(paths, context.entity)
        context.say(f"{counted_entities(paths)} selected; the form edits them together.")


def _same(context: Context) -> list[EntityPath]:
    """Return the paths of all laws that are equal to the selected one."""
    project, name = context.project, str(context.entity[-1])
    law = context.value(context.entity)
    owners: list[EntityPath] = [
        ("bodies", i, "joints", j)
        for i, body in enumerate(project.bodies)
        for j, joint in enumerate(body.joints)
        if not body.is_tied(joint)
    ]
    owners += [
        ("systems", i, "contacts", j)
        for i, system in enumerate(project.systems)
        for j in range(len(system.contacts))
    ]
    return [path for owner in owners if context.value(path := (*owner, name)) == law]
