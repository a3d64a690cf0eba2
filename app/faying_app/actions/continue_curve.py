"""Run ▸ Continue curve: a harmonic balance goes on past its end, the other way, or in finer steps."""

from functools import partial
from typing import Any

from faying.project import edits
from faying.project.stage import target_of
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._checked_run import start_checked
from faying_app.context import Context
from faying_app.entities import analysis_at

# Their modules are loaded by projects that have one.
_KINDS = ("harmonic_balance", "system_harmonic_balance")
_FINER = 4.0  # by which the longest step from the shown point on is shorter
_FEW = 60  # points of it


@actions.register("continue_curve")
class ContinueCurve(ChoosingAction):
    """Add an analysis that continues the curve of a harmonic balance, and run it."""

    title = "Continue curve"
    menu = "Run"
    order = 207
    icon = "run"
    meaning = "Follow the curve of a harmonic balance past its end, before its beginning, or in finer steps."
    entities = ("analysis",)

    def why_disabled(self, context: Context) -> str:
        """Say what to select or to wait for."""
        analysis = analysis_at(context.project, context.entity)
        if analysis is None or analysis.kind not in _KINDS:
            return "Select a harmonic balance in the tree."
        results = context.computed.results(analysis.name)
        if results is None or results.n_frames < 2:
            return f"“{analysis.name}” has no curve yet: run it first."
        if not results.complete:
            return f"“{analysis.name}” has not come to its end yet: wait for it, or run it."
        return ""

    def choices(self, context: Context) -> list[Choice]:
        """Offer the three ways."""
        analysis = analysis_at(context.project, context.entity)
        if analysis is None or self.why_disabled(context):
            return []
        shown = min(context.view.values.frame, context.n_frames - 1)
        return [
            Choice("Go on past the end", partial(_add, context, analysis, "on", -1)),
            Choice("The other way, from the first point", partial(_add, context, analysis, "back", 0)),
            Choice(
                f"Finer here, from point {shown} on",
                partial(_add, context, analysis, "on", shown, finer=True),
            ),
        ]


def _add(context: Context, analysis: Any, way: str, frame: int, *, finer: bool = False) -> None:
    """Add the analysis, run it in the background, and show it."""
    results = context.computed.results(analysis.name)
    assert results is not None  # not enabled otherwise
    what = f"from point {frame}, finer" if finer else {"on": "gone on", "back": "the other way"}[way]
    name = edits.unused_name(context.project, ("analyses",), f"{analysis.name}, {what}")
    words: dict[str, Any] = {
        **analysis.model_dump(), "name": name, "backbone": False,
        **dict(zip(analysis.continued_by, (analysis.name, frame, way), strict=True)),
    }  # fmt: skip
    if finer:
        words |= {"finer": _FINER * analysis.finer, "most_points": _FEW}
    else:
        words |= _longer(analysis, float(results.values[frame]))
    if context.apply(f"Add analysis {name!r}", edits.add_analysis(words)):
        context.selection.select(("analyses", len(context.project.analyses) - 1))
        added = context.project.analyses[-1]
        start_checked(context, f"Run {name}", [target_of(added)], context.window.panel_of(added.kind))


def _longer(analysis: Any, end: float) -> dict[str, float]:
    """Return a range that is longer by half at the end where the curve ends; the same where it ends within."""
    low, high = analysis.lowest_frequency, analysis.highest_frequency
    if abs(end - high) <= abs(end - low):
        return {"highest_frequency": high + 0.5 * (high - low)}
    return {"lowest_frequency": max(low - 0.5 * (high - low), 0.5 * low)}
