"""Model ▸ Surface ▸ Lasso."""

from functools import partial

import numpy as np

from faying.fem.facet_names import names_of_facets
from faying.fem.selections import SurfaceSelection
from faying.fem.selections.combined import CombinedSelection
from faying.fem.selections.grown import GrownSelection
from faying.fem.selections.lasso import LassoSelection
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_surface
from faying_app.actions._surface_at_hand import (
    facets_at_hand,
    set_surface,
    together,
    without,
)
from faying_app.context import Context, Vector
from faying_app.selection import SMOOTH_ANGLE

_MOST_FACES = 12


@actions.register("lasso_surface")
class LassoSurface(ChoosingAction):
    """Draw an outline over the 3D view; the facets seen within become, join or leave the selected surface."""

    title = "Lasso"
    menu = "Model/Surface"
    order = 139
    icon = "pick"
    meaning = (
        "Draw an outline over the 3D view with the left mouse button; the facets seen within it are taken. Add and "
        "Take away look through the glass body, as the picture does, at the faces that the surface is on."
    )
    entities = ("surface",)
    needs = (a_surface,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer what is done with the facets."""
        ways = ("Replace the selection", "Add", "Take away", "Replace the selection, through the body")
        return (
            [Choice(way, partial(_draw, context, way)) for way in ways]
            if not self.why_disabled(context)
            else []
        )


def _draw(context: Context, way: str) -> None:
    path = context.entity

    def take(outline: list[Vector], towards: Vector) -> None:
        if context.entity != path:
            return
        among = _seen_through_glass(context) if way in ("Add", "Take away") else None
        found = LassoSelection(
            outline=tuple(outline), towards=towards, through=way.endswith("through the body"), among=among
        )
        now = context.value(path)
        chosen = (
            together(now, found) if way == "Add" else without(now, found) if way == "Take away" else found
        )
        set_surface(context, "Lasso", chosen)

    context.say("Draw round the facets with the left mouse button; Esc leaves everything as it is.")
    context.window.draw_lasso(take)


def _seen_through_glass(context: Context) -> SurfaceSelection | None:
    """Return the smooth faces that the surface at hand is part of, where it is drawn through the glass body.

    One looks through the body at them, so what covers them there covers them for the lasso neither. None where the body
    is drawn solid, or the surface lies on so many faces that it is no part of some.
    """
    body, facets = context.selected_body(), facets_at_hand(context)
    if body is None or facets is None or not len(facets) or not context.view.values.ghost:
        return None
    model, skin = context.computed.model(body.name), context.computed.skin(body.name)
    labels = context.computed.smooth_faces(body.name)
    if model is None or skin is None or labels is None:
        return None
    _, firsts = np.unique(labels[facets], return_index=True)
    if len(firsts) > _MOST_FACES:
        return None
    faces = tuple(
        GrownSelection(element=element, face=face, angle=SMOOTH_ANGLE)
        for element, face in names_of_facets(model, skin, facets[np.sort(firsts)].tolist())
    )
    return faces[0] if len(faces) == 1 else CombinedSelection(parts=faces)
