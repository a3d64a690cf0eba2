"""Run ▸ Compare reduction methods."""

from faying.analyses.reduction_study import ReductionStudy
from faying.project import edits
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_body
from faying_app.context import Context

_MODES = 6  # that the range holds where frequencies of the body are known


@actions.register("compare_methods")
class CompareMethods(Action):
    """Add a reduction study of the selected body, ready to be run."""

    title = "Compare reduction methods"
    menu = "Run"
    order = 115
    meaning = "Add a study of three methods in three sizes for the selected body, which is ready to be run."
    entities = ("reduction", "body")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        body = context.selected_body()
        if body is None:
            return a_body(context)
        return "" if body.interfaces else f"Body {body.name!r} has no interface nodes to compare motions of."

    def trigger(self, context: Context) -> None:
        """Add the study, select it, and bring its panel to the front."""
        body = context.selected_body()
        assert body is not None  # not enabled otherwise
        name = edits.unused_name(context.project, ("analyses",), f"methods for {body.name}")
        words = {"kind": ReductionStudy.kind, "name": name, "body": body.name, **_range(context, body.name)}
        if context.apply(f"Add analysis {name!r}", edits.add_analysis(words)):
            context.selection.select(("analyses", len(context.project.analyses) - 1))
            context.window.show_panel(context.window.panel_of(ReductionStudy.kind))


def _range(context: Context, body: str) -> dict[str, float]:
    """Return a range that holds the body's first frequencies, in two digits; nothing while they are not known."""
    basis = context.computed.basis(body)
    known = [] if basis is None else sorted(f for f in basis.frequencies if f > 0.0)
    if not known:
        return {}
    last = float(known[:_MODES][-1])
    return {"highest_frequency": float(f"{1.1 * last:.1e}")}
