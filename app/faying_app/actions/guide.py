"""Help ▸ Steps to a first model."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("guide")
class ShowGuide(Action):
    """Show or hide what is still missing of a model, above the view."""

    title = "Steps to a first model"
    menu = "Help"
    order = 110
    meaning = "Show above the 3D view what a model still needs: material, joints, supports, loads, analysis."
    checkable = True

    def is_checked(self, context: Context) -> bool:
        """Return whether they are shown."""
        return context.settings.guides

    def trigger(self, context: Context) -> None:
        """Switch it, for later sessions too."""
        context.settings.guides = not context.settings.guides
        context.changed.emit()
