"""Model ▸ Couple face."""

from functools import partial
from typing import Literal

from faying.fem.added_couplings import CouplingSpec
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.project import edits
from faying.reduction.interior import ALL_COMPONENTS
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import something_chosen
from faying_app.actions._surface_at_hand import chosen
from faying_app.context import Context
from faying_app.entities import body_path

Behaviour = Literal["rigid", "distributing"]


@actions.register("couple_face")
class CoupleFace(ChoosingAction):
    """Couple the chosen surface to a new node, which becomes an interface node."""

    title = "Couple face"
    menu = "Model"
    order = 102
    icon = "interface"
    meaning = (
        "Couple the smooth surface round the picked face, or the chosen surface of the deck, to a new node in its "
        "middle, where the body is then held or loaded. A marker alone has no modes of its own: for measures, and for "
        "forces where the body is stiff."
    )
    entities = ("body", "interfaces", "couplings", "deck_surface", "face")
    needs = (something_chosen,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer both behaviours, and the mean of the face as a marker alone."""
        if self.why_disabled(context):
            return []
        return [
            Choice("Rigid", partial(_couple, context, "rigid")),
            Choice("Distributing", partial(_couple, context, "distributing")),
            Choice("Marker alone", partial(_couple, context, "distributing", ())),
        ]


def _couple(context: Context, behaviour: Behaviour, components: tuple[int, ...] = ALL_COMPONENTS) -> None:
    body, surface = chosen(context)
    path = body_path(context.project, body)
    model = context.computed.model(body)
    sets = set() if model is None else set(model.node_sets)
    taken = sets | {c.name for c in context.value((*path, "couplings"))}
    # A surface of the deck has a name, which says more than a number.
    wanted = f"{surface.name} node" if isinstance(surface, DeckSurfaceSelection) else "coupling 1"
    numbered = (f"coupling {i}" for i in range(1, len(taken) + 2))
    name = next(each for each in (wanted, *numbered) if each not in taken)
    interface = edits.unused_name(context.project, (*path, "interfaces"), name)
    coupling = CouplingSpec(name=name, surface=surface, behaviour=behaviour)
    if context.apply(f"Couple a face: {name}", edits.add_coupling(body, coupling, interface, components)):
        context.selection.drop_faces()
        context.view.set(couplings=True)
        context.selection.select((*path, "couplings", len(context.value((*path, "couplings"))) - 1))
