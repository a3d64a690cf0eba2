"""View ▸ Fit."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import content
from faying_app.context import Context


@actions.register("fit_view")
class FitView(Action):
    """Show the whole body."""

    title = "Fit"
    menu = "View"
    order = 110
    shortcut = "Ctrl+F"
    icon = "fit"
    meaning = "Move the camera so that the whole body is seen."
    in_toolbar = True
    needs = (content,)

    def trigger(self, context: Context) -> None:
        """Ask the 3D view."""
        context.view.turn("fit")
