"""Edit ▸ Find in the tree."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("find_in_tree")
class FindInTree(Action):
    """Puts the cursor into the filter of the project tree."""

    title = "Find in the tree"
    menu = "Edit"
    order = 310
    shortcut = "Ctrl+L"
    meaning = "Show only lines of the project tree with the words that you type."

    def trigger(self, context: Context) -> None:
        """Do it."""
        context.window.find_in_tree()
