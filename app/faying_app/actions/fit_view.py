"""View ▸ Fit."""

from faying_app.actions import Action, actions
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

    def why_disabled(self, context: Context) -> str:
        """Say that there is nothing."""
        return "" if context.project.bodies or context.project.systems else "There is nothing to look at yet."

    def trigger(self, context: Context) -> None:
        """Ask the 3D view."""
        context.view.turn("fit")
