"""Model ▸ System ▸ Add marker."""

from functools import partial

from faying.multibody.system_spec import GROUND
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_system
from faying_app.actions._systems import add_and_select
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.selection import EntityPath


@actions.register("add_marker")
class AddMarker(ChoosingAction):
    """Add a point with axes to a part or to ground."""

    title = "Add marker"
    menu = "Model/System"
    order = 161
    icon = "marker"
    meaning = "Add a point with axes where constraints and forces act, on a part or on ground."
    entities = ("system", "ground", "part", "marker", "picked_part", "picked_surface")
    needs = (a_system,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer the selected part first, then ground and the other parts; on flexible ones their interface nodes."""
        system, project = context.selected_system(), context.project
        if system is None:
            return []
        path, offered = system_path(project, system.name), []
        add = partial(_add, context, system.name)
        for i, part in enumerate(system.parts):
            at = (*path, "parts", i)
            if part.kind == "flexible":
                body = next((b for b in project.bodies if b.name == part.body_name()), None)
                for node in body.interfaces if body is not None else ():
                    title = f"On {part.name} at {node.name}"
                    offered.append((at, Choice(title, partial(add, part.name, (*at, "markers"), node.name))))
            else:
                offered.append((at, Choice(f"On {part.name}", partial(add, part.name, (*at, "markers"), ""))))
        still = (*path, "ground")
        offered.insert(0, (still, Choice("On ground", partial(add, GROUND, still, ""))))
        selected = context.entity
        offered.sort(key=lambda entry: selected[: len(entry[0])] != entry[0])
        return [choice for _, choice in offered]


def _add(context: Context, system: str, part: str, path: EntityPath, interface: str) -> None:
    wish = f"{interface} marker" if interface else "marker"
    name = edits.unused_name(context.project, path, wish)
    words = {"name": name, "interface": interface}
    add_and_select(context, f"Add marker {name!r}", edits.add_marker(system, part, words), path)
