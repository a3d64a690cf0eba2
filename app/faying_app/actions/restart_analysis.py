"""Run ▸ Run analysis from its start."""

from faying.project.stage import target_of
from faying_app.actions import Action, actions
from faying_app.actions._checked_run import start_checked
from faying_app.context import Context
from faying_app.entities import analysis_at


@actions.register("restart_analysis")
class RestartAnalysis(Action):
    """Run the selected interrupted analysis from its start; “Run analysis” continues it instead."""

    title = "Run analysis from its start"
    menu = "Run"
    order = 202
    icon = "run"
    meaning = (
        "Run the selected interrupted analysis again from its start. “Run analysis” continues it instead."
    )
    entities = ("analysis",)

    def why_disabled(self, context: Context) -> str:
        """Say why there is nothing to restart."""
        analysis = analysis_at(context.project, context.entity)
        if analysis is None:
            return "Select an analysis in the tree."
        if context.computed.state(target_of(analysis)).kind not in ("partial", "failed"):
            return "The analysis was not interrupted: Run analysis begins at its start."
        return ""

    def trigger(self, context: Context) -> None:
        """Run it in the background; the frames so far are dropped."""
        analysis = analysis_at(context.project, context.entity)
        assert analysis is not None  # it is disabled otherwise
        label = f"Run {analysis.name} from its start"
        start_checked(
            context, label, [target_of(analysis)], context.window.panel_of(analysis.kind), restart=True
        )
