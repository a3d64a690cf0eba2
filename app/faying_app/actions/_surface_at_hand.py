"""The surface of a joint, or for contact, that is selected in the tree, and how it is edited from the 3D view."""

from faying.fem.selections import SurfaceSelection
from faying.fem.selections.combined import CombinedSelection
from faying.fem.selections.facets import FacetSelection
from faying.fem.selections.grown import GrownSelection
from faying.fem.skin import surface_area
from faying.project import edits
from faying.units import unit_text
from faying_app.actions._body_at_hand import why_no_model
from faying_app.context import Context
from faying_app.entities import kind_of
from faying_app.selection import SMOOTH_ANGLE, EntityPath


def why_no_surface(context: Context) -> str:
    """Return why no surface can be edited now, "" when one can."""
    if kind_of(context.entity) != "surface":
        return "Select the master or slave surface of a joint, or a contact surface, in the tree."
    return why_no_model(context)


def picked(context: Context, angle: float = SMOOTH_ANGLE) -> GrownSelection:
    """Return the smooth surface round the face that was picked last."""
    face = context.selection.faces[-1]
    return GrownSelection(element=face.element, face=face.face, angle=angle)


def picked_alone(context: Context) -> FacetSelection:
    """Return the one facet that was picked last."""
    face = context.selection.faces[-1]
    return FacetSelection(facets=((face.element, face.face),))


def set_surface(context: Context, label: str, selection: SurfaceSelection) -> None:
    """Put another selection in place of the surface at hand, as one step, and say how large it is now."""
    path: EntityPath = context.entity
    if context.apply(f"{label}: {surface_name(path)}", edits.set_value(path, selection)):
        context.selection.drop_faces()
        say_area(context, path)


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
    if isinstance(first, CombinedSelection):
        return first.with_(parts=(*first.parts, second))
    return CombinedSelection(parts=(first, second))


def without(first: SurfaceSelection, second: SurfaceSelection) -> CombinedSelection:
    """Return the first selection without the facets of the second."""
    if isinstance(first, CombinedSelection):
        return first.with_(without=(*first.without, second))
    return CombinedSelection(parts=(first,), without=(second,))
