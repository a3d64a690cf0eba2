"""Model ▸ System ▸ Add event."""

from functools import partial

from faying.multibody.events import events
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import parts
from faying_app.actions._systems import add_and_select, can_name, first_names, unused_in_system
from faying_app.context import Context
from faying_app.entities import system_path


@actions.register("add_event")
class AddEvent(ChoosingAction):
    """Add something that happens in motions of the system."""

    title = "Add event"
    menu = "Model/System"
    order = 166
    icon = "event"
    meaning = (
        "Add what happens when a measure crosses a value, or at a time: a motion stops, stores a frame, releases or "
        "activates constraints, switches forces."
    )
    entities = ("system", "events", "event")
    needs = (parts,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds that can name what they need."""
        system = context.selected_system()
        if self.why_disabled(context) or system is None:
            return []
        return [
            Choice(cls.title, partial(_add, context, kind))
            for kind, cls in events.items()
            if can_name(system, cls)
        ]


def _add(context: Context, kind: str) -> None:
    system = context.selected_system()
    if system is None:
        return
    name = unused_in_system(context, system.name, "events", events[kind].title.lower())
    words = {"kind": kind, "name": name, **first_names(context, system, events[kind])}
    path = (*system_path(context.project, system.name), "events")
    add_and_select(context, f"Add event {name!r}", edits.add_event(system.name, words), path)
