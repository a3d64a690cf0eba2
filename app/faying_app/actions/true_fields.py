"""Run ▸ True fields: the fields of an analysis as the FE model has them."""

from faying.analyses.recording.true_fields import WithTrueFields, estimated_seconds
from faying.durations import duration
from faying.project import edits
from faying.project.stage import target_of
from faying_app.actions import Action, actions
from faying_app.actions._checked_run import start_checked
from faying_app.context import Context
from faying_app.entities import analysis_at


@actions.register("true_fields")
class TrueFields(Action):
    """Switch the true fields of an analysis on or off; they are computed when they are switched on."""

    title = "True fields"
    menu = "Run"
    order = 206
    shortcut = "Ctrl+T"
    icon = "results"
    meaning = (
        "Show gaps, pressures and stresses as the FE model has them: all frames are corrected on it and stored with "
        "the project, for pictures, films, tables and the report."
    )
    checkable = True
    entities = ("analysis",)

    def text(self, context: Context) -> str:
        """Say how long it takes."""
        analysis = _correctable(context)
        if analysis is None or analysis.true_fields or (seconds := _estimate(context, analysis)) is None:
            return self.title
        return f"True fields of “{analysis.name}”, about {duration(seconds)}"

    def why_disabled(self, context: Context) -> str:
        """Say what has them."""
        if _correctable(context) is not None:
            return ""
        return (
            "Select a static or transient analysis of a body that has contact joints and was not read reduced, or the "
            "motion of a system with such a part that touches no other one."
        )

    def is_checked(self, context: Context) -> bool:
        """Return whether the selected analysis has them."""
        analysis = analysis_at(context.project, context.entity)
        return bool(getattr(analysis, "true_fields", False))

    def trigger(self, context: Context) -> None:
        """Switch them, and compute what is missing."""
        analysis = _correctable(context)
        assert analysis is not None  # not enabled otherwise
        number, on = context.project.analyses.index(analysis), not analysis.true_fields
        label = f"Show {'true' if on else 'reduced'} fields of {analysis.name!r}"
        if not context.apply(label, edits.set_value(("analyses", number, "true_fields"), on)) or not on:
            return
        targets = [target_of(each) for each in context.project.corrections_of(analysis)]
        missing = [target for target in targets if context.computed.state(target).kind != "ready"]
        if missing:
            panel = context.window.panel_of(analysis.kind)
            start_checked(context, f"True fields of {analysis.name}", missing, panel)


def _correctable(context: Context) -> WithTrueFields | None:
    """Return the selected analysis if it can have true fields."""
    analysis = analysis_at(context.project, context.entity)
    if isinstance(analysis, WithTrueFields) and context.project.corrections_of(analysis):
        return analysis
    return None


def _estimate(context: Context, analysis: WithTrueFields) -> float | None:
    """Return about how many seconds the true fields of an analysis that has run take."""
    results = context.computed.results(analysis.name)
    models = [context.computed.model(each.body) for each in context.project.corrections_of(analysis)]
    if results is None:
        return None
    sizes = [3 * len(model.nodes) for model in models if model is not None]
    return (
        sum(estimated_seconds(size, results.n_frames) for size in sizes)
        if len(sizes) == len(models)
        else None
    )
