"""Model ▸ System ▸ Add part."""

from functools import partial
from typing import Any

import numpy as np

from faying.fem.materials.library import FromLibrary
from faying.multibody.part_kinds import part_kinds
from faying.multibody.part_kinds.rigid import RigidPartSpec, RigidShapeSpec
from faying.multibody.part_shapes import part_shapes
from faying.params import build
from faying.project import edits
from faying.units import UnitSystemName, factor_to_si
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_system
from faying_app.actions._systems import add_and_select, unused_in_system
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_part")
class AddPart(ChoosingAction):
    """Add a rigid part by numbers or by its shape, or one made of a body."""

    title = "Add part"
    menu = "Model/System"
    order = 160
    icon = "part"
    meaning = (
        "Add a moving part to the system: rigid by mass and inertia, or by its shape and density, or a body of the "
        "project."
    )
    entities = ("system", "parts", "part")
    needs = (a_system,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer rigid parts by numbers and by shapes, and every body flexible and rigid."""
        system = context.selected_system()
        if system is None:
            return []
        add = partial(_add, context, system.name)
        rigid = {"kind": "rigid", "name": "part"}
        offered = [Choice("Rigid part by mass and inertia", partial(add, rigid))]
        units = context.project.units
        offered += [
            Choice(f"Rigid part: {cls.title or kind}", partial(add, _shaped(kind, units)))
            for kind, cls in part_shapes.items()
        ]
        for body in context.project.bodies:
            words = {"name": body.name.replace(".", " "), "body": body.name}
            offered.append(
                Choice(f"Flexible part from {body.name}", partial(add, {"kind": "flexible", **words}))
            )
            offered.append(
                Choice(f"Rigid part from {body.name}", partial(add, {"kind": "rigid_body", **words}))
            )
        return offered


def _shaped(kind: str, units: UnitSystemName) -> dict[str, Any]:
    """Return a part of steel with a first shape of a few centimetres; the form changes both."""

    def length(millimetres: float) -> float:
        return float(f"{1e-3 * millimetres / factor_to_si('length', units):.6g}")

    far, near = length(100.0), length(10.0)
    shapes: dict[str, dict[str, Any]] = {
        "box": {"edges": (5 * near, 5 * near, 5 * near)},
        "cylinder": {"start": (0.0, 0.0, -2.5 * near), "end": (0.0, 0.0, 2.5 * near), "radius": near},
        "sphere": {"radius": 2 * near},
        "link": {"first": "part.a", "second": "part.b", "width": near, "depth": near},
    }
    density = float(f"{FromLibrary(name='steel').material(units).density:.6g}")
    words = {
        "kind": "rigid_shape",
        "name": "part",
        "density": density,
        "shape": {"kind": kind, **shapes.get(kind, {})},
    }
    if kind == "link":
        words["markers"] = ({"name": "a"}, {"name": "b", "position": (far, 0.0, 0.0)})
    return words


def _beside(context: Context, system: str, words: dict[str, Any]) -> float:
    """Return x of a new part beside all that the view shows of the system; 0 for the first part.

    Bodies of FE models stay where their decks have them, as those of one design fit together.
    """
    extent, spec = context.shown_extent, context.project.system(system)
    shown = context.entity[:2] == system_path(context.project, system)
    if not spec.parts or extent is None or not shown or "body" in words:
        return 0.0
    part = build(part_kinds[words["kind"]], {k: v for k, v in words.items() if k != "kind"})
    if isinstance(part, RigidShapeSpec):
        low, high = (float(v) for v in (f(part.solid().points[:, 0]) for f in (np.min, np.max)))
    elif isinstance(part, RigidPartSpec):
        # The box of its inertia: the squares of its edges are 6 (Ixx + Iyy + Izz)/m together.
        high = 0.5 * float(np.sqrt(6.0 * sum(part.moments_of_inertia) / part.mass))
        low = -high
    else:
        return 0.0
    gap = 0.2 * max(high - low, 0.2 * float(np.ptp(extent[:, 0])))
    return float(f"{extent[1, 0] + gap - low:.3g}")


def _add(context: Context, system: str, words: dict[str, Any]) -> None:
    name = unused_in_system(context, system, "parts", words["name"])
    if words.get("shape", {}).get("kind") == "link":  # its markers are known by the part's name
        words = {**words, "shape": {**words["shape"], "first": f"{name}.a", "second": f"{name}.b"}}
    path = (*system_path(context.project, system), "parts")
    words = {**words, "placement": {"position": (_beside(context, system, words), 0.0, 0.0)}}
    add_and_select(context, f"Add part {name!r}", edits.add_part(system, {**words, "name": name}), path)
