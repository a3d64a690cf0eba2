"""Model ▸ System ▸ Add rigid surface."""

from functools import partial
from typing import Any

import numpy as np

from faying.multibody.part_kinds.rigid import RigidPartSpec
from faying.multibody.rigid_surfaces import rigid_surfaces
from faying.multibody.system_spec import GROUND
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_system
from faying_app.actions._systems import add_and_select
from faying_app.context import Context
from faying_app.entities import system_path
from faying_app.selection import EntityPath


@actions.register("add_rigid_surface")
class AddRigidSurface(ChoosingAction):
    """Give a rigid part, or ground, a surface that other parts may touch."""

    title = "Add rigid surface"
    menu = "Model/System"
    order = 164
    icon = "surface"
    meaning = (
        "Give a rigid part, or ground, a surface that other parts may touch: a sphere, plane or cylinder, or triangles "
        "from an STL or OBJ file."
    )
    entities = ("system", "part", "picked_part", "ground", "ground_surfaces", "rigid_surface")
    needs = (a_system,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds for the selected rigid part, ground, and the other rigid parts."""
        system = context.selected_system()
        if system is None:
            return []
        path, selected = system_path(context.project, system.name), context.entity
        owners: list[tuple[EntityPath, str, EntityPath]] = [
            ((*path, "ground"), GROUND, (*path, "ground_surfaces"))
        ]
        owners += [
            ((*path, "parts", i), part.name, (*path, "parts", i, "contact_surfaces"))
            for i, part in enumerate(system.parts)
            if "contact_surfaces" in type(part).model_fields
        ]
        owners.sort(key=lambda owner: selected[: len(owner[0])] != owner[0] and selected[:3] != owner[2])
        add = partial(_add, context, system.name)
        return [
            Choice(f"{cls.title or kind} on {owner}", partial(add, owner, kind, at))
            for _, owner, at in owners
            for kind, cls in rigid_surfaces.items()
        ]


def _add(context: Context, system: str, owner: str, kind: str, path: EntityPath) -> None:
    name = edits.unused_name(context.project, path, kind.replace("_", " "))
    words: dict[str, Any] = {"kind": kind, "name": name}
    part = next((p for p in context.project.system(system).parts if p.name == owner), None)
    if kind == "sphere" and isinstance(part, RigidPartSpec):
        # The ball of the part's mass and mean inertia: I = 2/5 m r².
        radius = float(np.sqrt(2.5 * np.mean(part.moments_of_inertia) / part.mass))
        words |= {"centre": part.centre_of_mass, "radius": float(f"{radius:.4g}")}
    add_and_select(context, f"Add {name!r}", edits.add_rigid_surface(system, owner, words), path)
