"""Model ▸ System ▸ Place marker as."""

from functools import partial

import numpy as np

from faying.multibody.assembly import Assembled
from faying.multibody.placement import seen_from_frame
from faying.multibody.system_spec import GROUND
from faying.project import edits
from faying.spatial.rotations import rotation_matrix
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.entities import system_markers


@actions.register("place_marker")
class PlaceMarker(ChoosingAction):
    """Put the selected marker where another one is, with its axes."""

    title = "Place marker as"
    menu = "Model/System"
    order = 161
    icon = "marker"
    meaning = (
        "Put the selected marker where one of another part or of ground is as the parts start, with its axes."
    )
    entities = ("marker",)

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        system = context.selected_system()
        if context.entity_kind != "marker" or system is None:
            return "Select a marker in the tree."
        if not isinstance(context.computed.assembled(system), Assembled):
            return "Where the markers are is not known: see Findings."
        return ""

    def choices(self, context: Context) -> list[Choice]:
        """Offer the markers of all other parts."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        own = _owner(context)
        others = [n for n in system_markers(context.project, system) if n.partition(".")[0] != own]
        return [Choice(name, partial(_place, context, name)) for name in others]


def _owner(context: Context) -> str:
    path = context.entity
    return GROUND if path[2] == "ground" else str(context.value(path[:4]).name)


def _place(context: Context, other: str) -> None:
    system, path = context.selected_system(), context.entity
    at = None if system is None else context.computed.assembled(system)
    if not isinstance(at, Assembled):
        return
    motion, owner, marker = at.system.motion(other, at.position), _owner(context), context.value(path)
    origin, turn = np.zeros(3), np.eye(3)
    if owner != GROUND:
        pose = at.system.of_part(owner, at.position)
        origin, turn = pose[:3], rotation_matrix(pose[3:7])
    words = seen_from_frame(motion.position, motion.axes, origin, turn)
    if marker.interface:
        del words["position"]  # it sits on its node
        context.say(f"Marker {marker.name!r} sits on an interface node: its axes alone were taken.")
    context.apply(f"Place marker {marker.name!r} as {other!r}", edits.set_values(path, words))
