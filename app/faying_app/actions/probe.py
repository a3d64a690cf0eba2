"""View ▸ Probe values, and no more probes."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("probe")
class ProbeValues(Action):
    """Let clicks in the 3D view write values beside nodes, and draw them over time."""

    title = "Probe values"
    menu = "View"
    order = 220
    shortcut = "P"
    icon = "probe"
    meaning = (
        "Click nodes to write their values next to them and draw them among the curves; click again to remove them. "
        "On a model without results, numbers and coordinates of nodes are written."
    )
    in_toolbar = True
    checkable = True

    def is_checked(self, context: Context) -> bool:
        """Return whether clicks probe."""
        return context.view.values.pointer == "probe"

    def trigger(self, context: Context) -> None:
        """Switch it."""
        probing = context.view.values.pointer == "probe"
        context.view.set(pointer="select" if probing else "probe")
        if not probing and context.n_frames:
            context.window.show_panel("curves")


@actions.register("drop_probes")
class DropProbes(Action):
    """Take all probes away."""

    title = "Drop all probes"
    menu = "View"
    order = 221
    shortcut = "Shift+P"
    meaning = "Take all probed values out of the 3D view and the curves."

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        return "" if context.view.values.probes else "Nothing is probed."

    def trigger(self, context: Context) -> None:
        """Drop them."""
        context.view.set(probes=())
