"""Model ▸ Swap master and slave."""

from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_joint
from faying_app.context import Context


@actions.register("swap_surfaces")
class SwapSurfaces(Action):
    """Make the master surface the slave and the other way round."""

    title = "Swap master and slave"
    menu = "Model"
    order = 130
    icon = "swap"
    shortcut = "F8"
    meaning = "Make the master surface of the selected joint the slave, and the other way round."
    entities = ("joint", "surface")
    needs = (a_joint,)

    def trigger(self, context: Context) -> None:
        """Swap them."""
        path = context.entity[:4]
        context.apply(f"Swap master and slave of {context.value(path).name!r}", edits.swap_surfaces(path))
