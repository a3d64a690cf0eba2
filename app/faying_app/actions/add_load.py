"""Model ▸ Add load."""

from functools import partial

from faying.project import edits
from faying.reduction.body_loads import body_loads
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_body, something_chosen
from faying_app.actions._surface_at_hand import chosen
from faying_app.context import Context
from faying_app.entities import body_path


@actions.register("add_load")
class AddLoad(ChoosingAction):
    """Let something act on the body, on the smooth surface round the picked face where it is one on a surface."""

    title = "Add load"
    menu = "Model"
    order = 104
    icon = "force"
    meaning = (
        "Add a pressure on the smooth surface round the picked face or on the chosen one of the deck, the weight, a "
        "rotation or another load of the "
        "body; analyses apply it by name."
    )
    entities = ("body", "loads", "load", "deck_surface", "face")
    needs = (a_body,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds, those on a surface once a face is picked."""
        if self.why_disabled(context):
            return []
        return [
            Choice(cls.title or kind, partial(_add, context, kind))
            for kind, cls in body_loads.items()
            if not something_chosen(context) or "surface" not in cls.model_fields
        ]


def _add(context: Context, kind: str) -> None:
    cls = body_loads[kind]
    on_surface = "surface" in cls.model_fields
    if on_surface:
        name_of_body, surface = chosen(context)
    else:
        body = context.selected_body()
        name_of_body = body.name if body is not None else ""
    path = (*body_path(context.project, name_of_body), "loads")
    name = edits.unused_name(context.project, path, (cls.title or kind).lower())
    words = {"kind": kind, "name": name, **({"surface": surface} if on_surface else {})}
    if context.apply(f"Add load {name!r}", edits.add_load(name_of_body, words)):
        if on_surface:
            context.selection.drop_faces()
        context.selection.select((*path, len(context.value(path)) - 1))
        context.say(
            f"Added {name}. Give its size in the form, and apply it in an analysis (Loads of the body)."
        )
