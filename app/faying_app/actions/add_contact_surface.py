"""Model ▸ Add contact surface."""

from functools import partial

from faying.fem.facet_index import build_facet_index
from faying.fem.selections import SurfaceSelection
from faying.fem.selections.connected_part import ConnectedPartSelection
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.project import edits
from faying.project.specs import BodySpec
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_model
from faying_app.actions._surface_at_hand import picked
from faying_app.context import Context
from faying_app.entities import body_path

_MANY = 300  # nodes: more shapes than that make a body slow
_PATCHES, _RADIUS = 60, 2.0  # number, and mean edges


@actions.register("add_contact_surface")
class AddContactSurface(ChoosingAction):
    """Choose a surface of a body that other parts may touch."""

    title = "Add contact surface"
    menu = "Model"
    order = 112
    icon = "surface"
    meaning = (
        "Choose where other parts of a system may touch the body: round a picked face, a whole part, or a surface of "
        "the deck."
    )
    entities = ("body", "contact_surfaces", "contact_surface", "deck_surface", "face")
    needs = (a_model,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer what is picked, and the deck's surfaces."""
        body = context.selected_body()
        model = context.computed.model(body.name) if body is not None else None
        if body is None or model is None:
            return []
        offered: list[tuple[str, SurfaceSelection]] = []
        faces = [face for face in context.selection.faces if face.body == body.name]
        if faces:
            offered.append(("Round the picked face", picked(context)))
            offered.append(
                ("Whole part of the picked face", ConnectedPartSelection(element=faces[-1].element))
            )
        selected = context.entity[4] if context.entity_kind == "deck_surface" else ""
        names = sorted(model.surfaces, key=lambda name: (name != selected, name))
        offered += [(f"Deck surface {name}", DeckSurfaceSelection(name=name)) for name in names]
        return [Choice(title, partial(_add, context, body, chosen)) for title, chosen in offered]


def contact_surface_of(
    context: Context, body: BodySpec, name: str, chosen: SurfaceSelection
) -> ContactSurfaceSpec:
    """Return a new contact surface, with shapes that its number of nodes allows."""
    made = ContactSurfaceSpec(name=name, surface=chosen)
    found = context.computed.contact_surface(body, made)
    if not isinstance(found, tuple) or len(found[1].nodes) <= _MANY:
        return made
    model, surface = found
    radius = float(f"{_RADIUS * build_facet_index(model.nodes, surface).mean_edge:.2g}")
    return ContactSurfaceSpec.model_validate(
        {"name": name, "surface": chosen, "shapes": {"kind": "patches", "radius": radius, "count": _PATCHES}}
    )


def _add(context: Context, body: BodySpec, chosen: SurfaceSelection) -> None:
    path = (*body_path(context.project, body.name), "contact_surfaces")
    name = edits.unused_name(context.project, path, "surface")
    made = contact_surface_of(context, body, name, chosen)
    if context.apply(f"Add contact {name!r}", edits.add_contact_surface(body.name, made)):
        context.selection.drop_faces()
        context.selection.select((*path, len(context.value(path)) - 1))
        if made.shapes.kind == "patches":
            context.say(
                f"It has more than {_MANY} nodes: patches of pressure serve for its local deformation."
            )
