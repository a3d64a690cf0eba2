"""Model ▸ System ▸ Add event."""

from faying.multibody.events import events
from faying.project import edits
from faying_app.actions import actions
from faying_app.actions._system_member import AddSystemMember


@actions.register("add_event")
class AddEvent(AddSystemMember):
    """Add something that happens in motions of the system."""

    title = "Add event"
    order = 166
    icon = "event"
    meaning = (
        "Add what happens when a measure crosses a value, or at a time: a motion stops, stores a frame, releases or "
        "activates constraints, switches forces."
    )
    entities = ("system", "events", "event")
    what = "event"
    family = events
    add = edits.add_event
