"""Model ▸ Add analysis."""

from functools import partial
from typing import Any

from faying.analyses import BodyAnalysis, SystemAnalysis, analyses
from faying.project import edits
from faying.project.specs import BodySpec, Project
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context


@actions.register("add_analysis")
class AddAnalysis(ChoosingAction):
    """Add something to be computed with the body or the system."""

    title = "Add analysis"
    menu = "Model"
    order = 200
    icon = "analysis"
    meaning = "Add something to be computed: statics or a transient of the body, or the motion of a system."
    in_toolbar = True
    entities = ("analyses", "analysis", "body", "system")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        if context.selected_system() is not None:
            return ""
        body = context.selected_body()
        if body is None:
            return "Import a deck or add a multibody system first."
        held = f"Body {body.name!r} has no interface node to be held at yet; in a multibody system it may fly freely."
        return "" if body.interfaces else held

    def choices(self, context: Context) -> list[Choice]:
        """Offer all kinds of analyses that the selected system or body can have; those of a system first."""
        system, body = context.selected_system(), context.selected_body()
        known = sorted(analyses.items(), key=lambda item: (item[1].order, item[0]))
        offered = []
        if system is not None:
            words = {"system": system.name}
            offered = [
                Choice(f"{cls.title or kind}: {system.name}", partial(_add, context, kind, words))
                for kind, cls in known
                if issubclass(cls, SystemAnalysis)
            ]
        if body is not None and body.interfaces:
            offered += [
                Choice(cls.title or kind, partial(_add, context, kind, first))
                for kind, cls in known
                if issubclass(cls, BodyAnalysis)
                and (first := _body_parameters(cls, body, context.project)) is not None
            ]
        return offered


def _body_parameters(cls: type[BodyAnalysis], body: BodySpec, project: Project) -> dict[str, Any] | None:
    """Return first decisions; None without what the analysis builds on.

    The body is held at its first interface node and bears all that it declares: loads, preload cases. Where it declares
    no loads, its last node is there to be loaded.
    """
    followed = [a.name for a in project.analyses if a.kind in cls.follows and a.owner == body.name]
    if (first := cls.first_parameters(followed)) is None:
        return None
    words: dict[str, Any] = {"body": body.name, **first}
    if "support" in cls.model_fields:
        words["support"] = body.interfaces[0].name
    if "preloads" in cls.model_fields:
        words["preloads"] = tuple(case.name for case in body.preloads)
    if "body_loads" in cls.model_fields:
        words["body_loads"] = tuple({"load": load.name} for load in body.loads)
    if "loads" in cls.model_fields and not words.get("body_loads") and len(body.interfaces) > 1:
        words["loads"] = ({"interface": body.interfaces[-1].name},)
    return words


def _add(context: Context, kind: str, words: dict[str, Any]) -> None:
    name = edits.unused_name(context.project, ("analyses",), kind.replace("_", " "))
    if context.apply(f"Add analysis {name!r}", edits.add_analysis({"kind": kind, "name": name, **words})):
        context.selection.select(("analyses", len(context.project.analyses) - 1))
