"""Run ▸ Sweep parameters."""

from collections.abc import Iterator
from typing import Any

from faying.analyses.sweep import Sweep
from faying.project import edits
from faying.project.decisions import Decision, each_decision
from faying.project.specs import Project
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import analysis_at
from faying_app.forms.project_host import responses_of_sweep

# What is varied most often, first.
_USUAL = ("friction_coefficient", "contact_law.stiffness", "force.z", "force.x", "force.y", "duration")
_FACTORS = (0.5, 1.5)


@actions.register("sweep_parameters")
class SweepParameters(Action):
    """Add a sweep of the selected analysis, ready to be told what to vary."""

    title = "Sweep parameters"
    menu = "Run"
    order = 116
    meaning = "Add a sweep of the selected analysis: it is computed again for many values of any decisions."
    entities = ("analysis",)

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        project = context.project
        if all(isinstance(a, Sweep) for a in project.analyses):
            return "There is no analysis yet: Model ▸ Add analysis."
        swept = _swept(context)
        if swept is None:
            return "Select the analysis that is to be swept."
        return "" if any(_numbers(project, swept.name)) else "The project has no numbers to vary yet."

    def trigger(self, context: Context) -> None:
        """Add the sweep, select it, and bring its panel to the front."""
        analysis = _swept(context)
        decision = _first_decision(context.project, analysis.name)
        assert decision is not None  # not enabled otherwise
        name = edits.unused_name(context.project, ("analyses",), f"sweep of {analysis.name}")
        words: dict[str, Any] = {
            "kind": Sweep.kind, "name": name, "analysis": analysis.name,
            "variations": ({"decision": decision.name, **_range(decision)},),
            "responses": ({"quantity": _first_response(context, analysis)},),
        }  # fmt: skip
        if context.apply(f"Add analysis {name!r}", edits.add_analysis(words)):
            context.selection.select(("analyses", len(context.project.analyses) - 1))
            context.window.show_panel(context.window.panel_of(Sweep.kind))


def _swept(context: Context) -> Any:
    """Return the selected analysis, or the only one; None without."""
    chosen = analysis_at(context.project, context.entity)
    others = [a for a in context.project.analyses if not isinstance(a, Sweep)]
    if chosen is not None and not isinstance(chosen, Sweep):
        return chosen
    return others[0] if len(others) == 1 else None


def _numbers(project: Project, analysis: str) -> Iterator[Decision]:
    """Yield the numbers, not zero, that an analysis may depend on."""
    elsewhere = tuple(f"analyses.{a.name}." for a in project.analyses if a.name != analysis)
    for found in each_decision(project):
        is_number = isinstance(found.value, (int, float)) and not isinstance(found.value, bool)
        if is_number and found.value and not found.name.startswith(elsewhere):
            yield found


def _first_decision(project: Project, analysis: str) -> Decision | None:
    """Return a number that is worth varying: what is usual, else any that is not zero."""
    numbers = list(_numbers(project, analysis))
    for ending in _USUAL:
        for found in numbers:
            if found.name.endswith(ending):
                return found
    return numbers[0] if numbers else None


def _range(decision: Decision) -> dict[str, float]:
    ends = sorted(decision.value * factor for factor in _FACTORS)
    return dict(zip(("lowest", "highest"), (float(f"{end:.3g}") for end in ends), strict=True))


def _first_response(context: Context, analysis: Any) -> str:
    """Return the curve that the loads move most directly, or any."""
    known = responses_of_sweep(context, Sweep.model_construct(analysis=analysis.name))
    for load in getattr(analysis, "loads", ()):
        force = getattr(load, "force", ())
        if any(force):
            axis = "xyz"[max(range(3), key=lambda i: abs(force[i]))]
            if f"{getattr(load, 'interface', '')} u{axis}" in known:
                return f"{load.interface} u{axis}"
    return known[0] if known else "steps"
