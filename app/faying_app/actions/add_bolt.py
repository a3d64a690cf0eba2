"""Model ▸ Add bolt."""

from faying.errors import ModelError
from faying.fem.added_bolts import BoltSpec, require_cut
from faying.project import edits
from faying.reduction.preload_loads.bolt_force import BoltForce
from faying_app.actions import Action, actions
from faying_app.actions._needs import something_chosen
from faying_app.actions._surface_at_hand import chosen
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.selection import EntityPath

_CASE = "bolts"  # as decks that have bolts get one
_COARSE = 50.0  # degrees between facets: round a shank of eight sides


@actions.register("add_bolt")
class AddBolt(Action):
    """Cut the shank whose outside was chosen, and tighten it in the preload case of the bolts."""

    title = "Add bolt"
    menu = "Model"
    order = 103
    icon = "joint"
    meaning = (
        "Cut the shank round the picked face, or the chosen surface of the deck, across its middle, and "
        "tighten it in the preload case of the bolts, where its force is given."
    )
    entities = ("body", "bolts", "deck_surface", "face")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        why = something_chosen(context)
        return why and f"{why} It is the round outside of a bolt's shank."

    def trigger(self, context: Context) -> None:
        """Add the bolt and its preload case as one step, and read the model with the cut; refuse what is no shank."""
        body, shank = chosen(context, _COARSE)
        path = (*body_path(context.project, body), "bolts")
        model = context.computed.model(body)
        taken = {b.name for b in model.bolts} if model is not None else set()
        taken |= {b.name for b in context.value(path)}
        name = next(n for i in range(1, len(taken) + 2) if (n := f"bolt {i}") not in taken)
        case = _case_of_bolts(context, (*path[:-1], "preloads"))
        bolt = BoltSpec(name=name, shank=shank)
        skin = context.computed.skin(body)
        if model is not None and skin is not None:
            try:
                require_cut(model, skin, bolt)
            except ModelError as error:
                context.show_error(error)
                return
        if context.apply(f"Add {name}", edits.add_bolt(body, bolt, case)):
            context.selection.drop_faces()
            context.selection.select((*path, len(context.value(path)) - 1))
            context.say(f"Added {name}. Give its force in the preload case {case!r} of the body.")


def _case_of_bolts(context: Context, path: EntityPath) -> str:
    """Return the preload case in which all bolts are tightened; the name of a new one where that has other loads."""
    cases = {case.name: case for case in context.value(path)}
    if _CASE in cases and not all(isinstance(load, BoltForce) for load in cases[_CASE].loads):
        return edits.unused_name(context.project, path, _CASE)
    return _CASE
