"""The surface of a joint, or for contact, that is selected in the tree, and how it is edited from the 3D view."""

import numpy as np

from faying.errors import FayingError
from faying.fem.facet_sets import facets_of
from faying.fem.selections import SurfaceSelection
from faying.fem.selections.combined import CombinedSelection
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.selections.facets import FacetSelection
from faying.fem.selections.grown import GrownSelection
from faying.fem.skin import surface_area
from faying.project import edits
from faying.units import unit_text
from faying_app.context import Context
from faying_app.selection import SMOOTH_ANGLE, EntityPath


def picked(context: Context, angle: float = SMOOTH_ANGLE) -> GrownSelection:
    """Return the smooth surface round the face that was picked last."""
    face = context.selection.faces[-1]
    return GrownSelection(element=face.element, face=face.face, angle=angle)


def chosen(context: Context, angle: float = SMOOTH_ANGLE) -> tuple[str, SurfaceSelection]:
    """Return body and surface for something new: round the face that was picked last, else the tree's of the deck."""
    if context.selection.faces:
        return context.selection.faces[-1].body, picked(context, angle)
    body, (*_, name) = context.selected_body(), context.entity
    assert body is not None  # as the action's needs have told
    return body.name, DeckSurfaceSelection(name=str(name))


def picked_alone(context: Context) -> FacetSelection:
    """Return the one facet that was picked last."""
    face = context.selection.faces[-1]
    return FacetSelection(facets=((face.element, face.face),))


def set_surface(context: Context, label: str, selection: SurfaceSelection) -> None:
    """Put another selection in place of the surface at hand, as one step, and say how large it is now.

    One that holds the same facets is no step: nothing would be computed again for it.
    """
    path: EntityPath = context.entity
    before = facets_at_hand(context)
    after = _facets_of(context, selection)
    if before is not None and after is not None and np.array_equal(before, after) and label != "Choose":
        context.selection.drop_faces()
        context.say(f"That changes nothing: the {surface_name(path)} keeps its {len(before)} facets.")
        return
    if context.apply(f"{label}: {surface_name(path)}", edits.set_value(path, selection)):
        context.selection.drop_faces()
        say_area(context, path)


def facets_at_hand(context: Context) -> np.ndarray | None:
    """Return the facets (n,) on the body's skin of the surface at hand, None when it cannot be chosen."""
    return _facets_of(context, context.value(context.entity))


def _facets_of(context: Context, selection: SurfaceSelection) -> np.ndarray | None:
    body = context.selected_body()
    model, skin = (
        (None, None)
        if body is None
        else (context.computed.model(body.name), context.computed.skin(body.name))
    )
    if model is None or skin is None:
        return None
    try:
        return np.unique(facets_of(skin, selection.select(model, skin)))
    except FayingError:
        return None


def surface_name(path: EntityPath) -> str:
    """Return what a surface at a path is called: "master surface", "contact surface"."""
    return "contact surface" if path[2] == "contact_surfaces" else f"{path[4]} surface"


def say_area(context: Context, path: EntityPath) -> None:
    """Say how many facets a surface has, and their area."""
    body, owner, role = context.selected_body(), context.value(path[:4]), str(path[4])
    model = context.computed.model(body.name) if body is not None else None
    if body is None or model is None:
        return
    if path[2] == "contact_surfaces":
        found = context.computed.contact_surface(body, owner)
        surface = found[1] if isinstance(found, tuple) else None
    else:
        surface = context.computed.surface(body.name, owner, "master" if role == "master" else "slave")
    name = surface_name(path)
    if surface is None:
        context.say(f"The {name} holds no facet now.")
        return
    unit = unit_text("area", context.project.units)
    area = surface_area(surface, model.nodes)
    context.say(f"{name.capitalize()}: {surface.n_facets} facets, {area:.5g} {unit}.")


def together(first: SurfaceSelection, second: SurfaceSelection) -> CombinedSelection:
    """Return both selections as one."""
    # What was left out before is left out last: to add it again takes a selection of its own round the whole.
    if isinstance(first, CombinedSelection) and not first.without:
        return first.with_(parts=(*first.parts, second))
    return CombinedSelection(parts=(first, second))


def without(first: SurfaceSelection, second: SurfaceSelection) -> CombinedSelection:
    """Return the first selection without the facets of the second."""
    if isinstance(first, CombinedSelection):
        return first.with_(without=(*first.without, second))
    return CombinedSelection(parts=(first,), without=(second,))
