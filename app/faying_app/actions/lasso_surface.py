"""Model ▸ Surface ▸ Lasso."""

from functools import partial

from faying.fem.selections.lasso import LassoSelection
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._surface_at_hand import set_surface, together, why_no_surface, without
from faying_app.context import Context, Vector


@actions.register("lasso_surface")
class LassoSurface(ChoosingAction):
    """Draw an outline over the 3D view; the facets seen within become, join or leave the selected surface."""

    title = "Lasso"
    menu = "Model/Surface"
    order = 139
    icon = "pick"
    meaning = (
        "Draw an outline over the 3D view with the left mouse button; the facets seen within it are taken."
    )
    entities = ("surface",)

    def why_disabled(self, context: Context) -> str:
        """Say what to select."""
        return why_no_surface(context)

    def choices(self, context: Context) -> list[Choice]:
        """Offer what is done with the facets."""
        ways = ("Choose anew", "Add", "Take away", "Choose anew, through the body")
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
        found = LassoSelection(
            outline=tuple(outline), towards=towards, through=way.endswith("through the body")
        )
        now = context.value(path)
        chosen = (
            together(now, found) if way == "Add" else without(now, found) if way == "Take away" else found
        )
        set_surface(context, "Lasso", chosen)

    context.say("Draw round the facets with the left mouse button; Esc leaves everything as it is.")
    context.window.draw_lasso(take)
