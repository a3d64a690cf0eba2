"""View ▸ Limits without highest 1 %."""

from faying_app.actions import Action, actions
from faying_app.context import Context


@actions.register("limits_without_peaks")
class LimitsWithoutPeaks(Action):
    """Leave the highest hundredth of the values out of the limits of the colours, or go back to those of the run."""

    title = "Limits without highest 1 %"
    menu = "View"
    order = 220
    shortcut = "Alt+1"
    icon = "legend"
    meaning = "Leave the highest 1 % of the shown values out of the colour limits, so that one peak hides nothing else."
    in_toolbar = True
    checkable = True

    def why_disabled(self, context: Context) -> str:
        """Say that no field is shown."""
        return "" if context.shown_field else "Show a field of results first."

    def is_checked(self, context: Context) -> bool:
        """Return whether they are left out."""
        return context.view.values.limits == "most"

    def trigger(self, context: Context) -> None:
        """Switch."""
        context.view.set(limits="run" if self.is_checked(context) else "most")
