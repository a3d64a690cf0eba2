"""Run ▸ Correct this frame on the FE model."""

from typing import Any

from faying.analyses import SystemAnalysis
from faying.analyses.fe_correction import FeCorrection
from faying.analyses.part_correction import PartCorrection
from faying.project import edits
from faying.project.stage import target_of
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import analysis_at

_SELECT = (
    "Select a static or transient analysis of a body in the tree, or the motion of a system with a part that has "
    "contact joints and touches no other part."
)


@actions.register("correct_frame")
class CorrectFrame(Action):
    """Add a correction of the shown frame to the project and run it."""

    title = "Correct this frame on the FE model"
    menu = "Run"
    order = 205
    meaning = "Compute gaps, pressures and stresses of the shown frame as the unreduced model has them, and show them."
    entities = ("analysis",)

    def text(self, context: Context) -> str:
        """Say which frame of what."""
        analysis = _correctable(context)
        if analysis is None or not context.n_frames:
            return self.title
        part = _what(context, analysis).get("part")
        of = f"part “{part}” in frame {_frame(context)}" if part else f"frame {_frame(context)}"
        return f"Correct {of} of “{analysis.name}” on the FE model"

    def why_disabled(self, context: Context) -> str:
        """Say what to select."""
        if _correctable(context) is None:
            return _SELECT
        return "" if context.n_frames else "Run the analysis first: there is no frame to correct yet."

    def trigger(self, context: Context) -> None:
        """Add the analysis, run it in the background, and show it."""
        frame, analysis = _frame(context), _correctable(context)
        assert analysis is not None  # not enabled otherwise
        if context.window.has_refused_field():
            return
        name = edits.unused_name(context.project, ("analyses",), f"{analysis.name}, frame {frame} corrected")
        words = {"name": name, "corrects": analysis.name, **_what(context, analysis)}
        if not context.apply(f"Add analysis {name!r}", edits.add_analysis({**words, "frames": (frame,)})):
            return
        context.selection.select(("analyses", len(context.project.analyses) - 1))
        context.tasks.run(f"Run {name}", [target_of(context.project.analyses[-1])], context.project)


def _correctable(context: Context) -> Any:
    """Return the selected analysis if its frames can be corrected, else None."""
    analysis = analysis_at(context.project, context.entity)
    return analysis if analysis is not None and _what(context, analysis) else None


def _what(context: Context, analysis: Any) -> dict[str, str]:
    """Return kind, body and part of the correction of an analysis; {} where it has none.

    Of a motion it is that of the first part that can be corrected; the form offers the others.
    """
    if analysis.kind in FeCorrection.follows:
        return {"kind": FeCorrection.kind, "body": analysis.body}
    if analysis.kind not in PartCorrection.follows or not isinstance(analysis, SystemAnalysis):
        return {}
    parts = context.project.corrections_of(analysis)
    return {name: getattr(parts[0], name) for name in ("kind", "body", "part")} if parts else {}


def _frame(context: Context) -> int:
    return min(context.view.values.frame, context.n_frames - 1)
