"""Run ▸ Run analysis."""

from faying.project.stage import target_of
from faying_app.actions import Action, actions
from faying_app.actions._checked_run import start_checked
from faying_app.actions._needs import an_analysis
from faying_app.context import Context
from faying_app.entities import analysis_at


@actions.register("run_analysis")
class RunAnalysis(Action):
    """Run the selected analysis, after everything it needs."""

    title = "Run analysis"
    menu = "Run"
    order = 200
    shortcut = "F5"
    icon = "run"
    meaning = "Run the selected analysis, after everything it needs."
    in_toolbar = True
    entities = ("analysis",)

    def text(self, context: Context) -> str:
        """Name the analysis."""
        analysis = analysis_at(context.project, context.entity)
        if analysis is None:
            return self.title
        frames = context.computed.frames_so_far(target_of(analysis))
        if frames:
            return f"Go on with “{analysis.name}” from frame {frames}"
        return f"Run analysis “{analysis.name}”"

    def why_disabled(self, context: Context) -> str:
        """Say what to select."""
        if analysis_at(context.project, context.entity) is None and len(context.project.analyses) > 1:
            return "Select an analysis in the tree."
        return an_analysis(context)

    def trigger(self, context: Context) -> None:
        """Run it in the background; its results are shown as they come."""
        analysis = analysis_at(context.project, context.entity) or context.project.analyses[0]
        index = [a.name for a in context.project.analyses].index(analysis.name)
        context.selection.select(("analyses", index))
        targets = [target_of(one) for one in (analysis, *context.project.true_fields_of(analysis))]
        start_checked(context, f"Run {analysis.name}", targets, context.window.panel_of(analysis.kind))
