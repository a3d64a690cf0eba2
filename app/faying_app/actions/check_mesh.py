"""Model ▸ Check mesh."""

from faying_app.actions import Action, actions
from faying_app.actions._body_at_hand import why_no_model
from faying_app.context import Context


@actions.register("check_mesh")
class CheckMesh(Action):
    """Check nodes and elements of the selected body."""

    title = "Check mesh"
    menu = "Model"
    order = 160
    icon = "model"
    shortcut = "Ctrl+Shift+M"
    meaning = "Look for free and doubled nodes, elements inside out, loose parts and badly shaped elements."
    entities = ("body", "model")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        return why_no_model(context)

    def trigger(self, context: Context) -> None:
        """Show the panel and check."""
        context.window.run_panel("model_checks")
