"""Model ▸ System ▸ Add part."""

from functools import partial
from typing import Any

from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._systems import add_and_select, unused_in_system, why_no_system
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_part")
class AddPart(ChoosingAction):
    """Add a rigid part, or one made of a body."""

    title = "Add part"
    menu = "Model/System"
    order = 160
    icon = "part"
    meaning = "Add a moving part to the system: rigid by mass and inertia, or a body of the project."
    entities = ("system", "parts", "part")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        return why_no_system(context, parts=False)

    def choices(self, context: Context) -> list[Choice]:
        """Offer a rigid part, and every body flexible and rigid."""
        system = context.selected_system()
        if system is None:
            return []
        add = partial(_add, context, system.name)
        rigid = {"kind": "rigid", "name": "part"}
        offered = [Choice("Rigid part by mass and inertia", partial(add, rigid))]
        for body in context.project.bodies:
            words = {"name": body.name.replace(".", " "), "body": body.name}
            offered.append(
                Choice(f"Flexible part from {body.name}", partial(add, {"kind": "flexible", **words}))
            )
            offered.append(
                Choice(f"Rigid part from {body.name}", partial(add, {"kind": "rigid_body", **words}))
            )
        return offered


def _add(context: Context, system: str, words: dict[str, Any]) -> None:
    name = unused_in_system(context, system, "parts", words["name"])
    path = (*system_path(context.project, system), "parts")
    add_and_select(context, f"Add part {name!r}", edits.add_part(system, {**words, "name": name}), path)
