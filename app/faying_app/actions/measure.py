"""View ▸ Measure."""

from functools import partial

from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.view_state import PointerMode

_WAYS: tuple[tuple[str, PointerMode, str], ...] = (
    ("Distance of two points", "distance", "Click two points; near a node it is the node that counts."),
    ("Angle at three points", "angle", "Click a point, the corner, and another point."),
    (
        "Angle between two faces",
        "face angle",
        "Click two flat faces; if they are parallel, their distance is shown as well.",
    ),
    ("Radius of a round face", "radius", "Click the inside of a hole or the outside of a shaft."),
)


@actions.register("measure")
class MeasureInView(ChoosingAction):
    """Measure on the model with the pointer."""

    title = "Measure"
    menu = "View"
    order = 225
    icon = "measure"
    meaning = (
        "Measure distances, angles and radii with the pointer, on the undeformed model and in the frame that is shown. "
        "Esc ends it."
    )
    in_toolbar = True
    entities = ("face", "picked_part")

    def choices(self, context: Context) -> list[Choice]:
        """Offer the picked faces first, then what is clicked next."""
        faces, pointer = context.selection.faces, context.view.values.pointer
        at_once = []
        if len(faces) == 2:
            at_once = [Choice("Angle between the two picked faces", context.selection.measure_faces)]
        elif faces:
            at_once = [Choice("Radius of the picked face", context.selection.measure_faces)]
        return at_once + [
            Choice(title, partial(context.view.set, pointer=mode), checked=pointer == mode, tooltip=meaning)
            for title, mode, meaning in _WAYS
        ]
