"""Model ▸ Add bolt."""

from faying.errors import ModelError
from faying.fem.added_bolts import BoltSpec, require_cut
from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._surface_at_hand import picked
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.tasks import opening

_COARSE = 50.0  # degrees between facets: round a shank of eight sides


@actions.register("add_bolt")
class AddBolt(Action):
    """Cut the shank whose outside was picked, and add a preload case that tightens it."""

    title = "Add bolt"
    menu = "Model"
    order = 103
    icon = "joint"
    meaning = (
        "Cut the shank round the picked face across its middle, and add a preload case in which its bolt force is "
        "given."
    )
    entities = ("body", "bolts", "face")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        return (
            ""
            if context.selection.faces
            else "Click the round outside of a bolt's shank in the 3D view first."
        )

    def trigger(self, context: Context) -> None:
        """Add the bolt and its preload case as one step, and read the model with the cut; refuse what is no shank."""
        body = context.selection.faces[-1].body
        path = (*body_path(context.project, body), "bolts")
        model = context.computed.model(body)
        taken = {b.name for b in model.bolts} if model is not None else set()
        taken |= {b.name for b in context.value(path)}
        name = next(n for i in range(1, len(taken) + 2) if (n := f"bolt {i}") not in taken)
        case = edits.unused_name(context.project, (*path[:-1], "preloads"), f"tighten {name}")
        bolt = BoltSpec(name=name, shank=picked(context, _COARSE))
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
            opening.read_models(context)
