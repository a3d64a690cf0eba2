"""Model ▸ Search joints."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import a_model
from faying_app.context import Context


@actions.register("search_joints")
class SearchJoints(Action):
    """Look for places where parts face each other."""

    title = "Search joints"
    menu = "Model"
    order = 112
    icon = "joint"
    shortcut = "Ctrl+J"
    meaning = "Propose joints where parts of the body face each other, by distance and angle; hidden parts are ignored."
    entities = ("body", "joints")
    needs = (a_model,)

    def trigger(self, context: Context) -> None:
        """Show the panel and search."""
        context.window.run_panel("joint_search")
