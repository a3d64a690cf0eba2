"""Model ▸ Add analysis."""

from functools import partial
from typing import Any

from faying.analyses import analyses
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context


@actions.register("add_analysis")
class AddAnalysis(ChoosingAction):
    """Add something to be computed with the body."""

    title = "Add analysis"
    menu = "Model"
    order = 200
    icon = "analysis"
    meaning = "Add something to be computed with the body: statics, or a transient."
    in_toolbar = True
    entities = ("analyses", "analysis", "body")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        body = context.selected_body()
        if body is None:
            return "Import a deck first."
        return "" if body.interfaces else f"Body {body.name!r} has no interface node to be held at yet."

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds of analyses."""
        if self.why_disabled(context):
            return []
        return [Choice(cls.title or kind, partial(_add, context, kind)) for kind, cls in analyses.items()]


def _add(context: Context, kind: str) -> None:
    body = context.selected_body()
    if body is None:
        return
    held, loaded = body.interfaces[0].name, body.interfaces[-1].name
    name = edits.unused_name(context.project, ("analyses",), kind.replace("_", " "))
    known = analyses[kind].model_fields
    words: dict[str, Any] = {"kind": kind, "name": name, "body": body.name}
    if "support" in known:
        words["support"] = held
    if "loads" in known:
        words["loads"] = ({"interface": loaded},)
    if context.apply(f"Add analysis {name!r}", edits.add_analysis(words)):
        context.selection.select(("analyses", len(context.project.analyses) - 1))
