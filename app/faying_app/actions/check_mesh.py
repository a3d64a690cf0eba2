"""Model ▸ Check mesh."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import a_model
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
    needs = (a_model,)

    def trigger(self, context: Context) -> None:
        """Show the panel and check."""
        context.window.run_panel("model_checks")
