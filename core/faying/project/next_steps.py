"""Missing decisions of a body and how to make them, reported when a deck is read."""

from collections.abc import Sequence
from dataclasses import dataclass

from faying.analyses import Analysis
from faying.fem.connectivity import connected_parts
from faying.fem.densities import materials_without_density
from faying.fem.model import FeModel
from faying.project.specs import BodySpec


@dataclass(frozen=True)
class NextStep:
    """A missing decision.

    Attributes:
        lacks: what is missing: "material".
        why: the problem, as part of a sentence: "12 elements have no material".
        in_study: the table or list of a study file in which to add it.
        in_window: title of the window's action that adds it.
    """

    lacks: str
    why: str
    in_study: str
    in_window: str


def next_steps(
    body: BodySpec, model: FeModel, has_analyses: bool, parts: int | None = None
) -> list[NextStep]:
    """Return the missing decisions of a body, in the order in which to make them.

    Args:
        body: body with guesses from its deck.
        model: of the deck.
        has_analyses: whether the body has analyses already.
        parts: number of connected parts, if known; counting them takes a while in large models.
    """
    found = list[NextStep]()
    bare = sum(len(block.ids) for block in model.blocks if not block.material)
    if bare and not body.materials and not body.model.has_own_matrices:
        elements = "1 element has" if bare == 1 else f"{bare} elements have"
        found.append(NextStep("material", f"{elements} no material", "[[bodies.materials]]", "Give material"))
    elif materials_without_density(model) and not body.model.has_own_matrices:
        names = ", ".join(materials_without_density(model))
        why = f"no density of {names}, which all but unreduced statics needs"
        found.append(NextStep("density", why, "[[bodies.materials]]", "Give material"))
    if not (body.interfaces or body.supports):
        found.append(NextStep("support", "no support", "[[bodies.supports]]", "Add support"))
    count = connected_parts(model)[1] if parts is None else parts
    if count > 1 and not body.joints:
        found.append(
            NextStep("joint", f"no joint between {count} parts", "[[bodies.joints]]", "Search joints")
        )
    if not has_analyses:
        found.append(NextStep("analysis", "no analysis", "[[analyses]]", "Add analysis"))
    return found


@dataclass(frozen=True)
class ModelStep:
    """A step from a mesh to a model that can be computed.

    Attributes:
        kind: "material", "joints", "supports", "loads" or "analysis".
        missing: what is missing, as part of a sentence: "no support"; "" when the step is done.
    """

    kind: str
    missing: str


def model_steps(
    body: BodySpec, model: FeModel, analyses: Sequence[Analysis], parts: int | None = None
) -> list[ModelStep]:
    """Return the five steps to a first model of a body, in their order, with what is missing of each.

    Args:
        body: the body.
        model: of its deck.
        analyses: those of the body.
        parts: as of `next_steps`.
    """
    missing = {step.lacks: step.why for step in next_steps(body, model, bool(analyses), parts)}
    material = missing.get("material") or missing.get("density", "")
    loaded = bool(body.loads or body.preloads) or any(_is_loaded(analysis) for analysis in analyses)
    return [
        ModelStep("material", material),
        ModelStep("joints", missing.get("joint", "")),
        ModelStep("supports", missing.get("support", "")),
        ModelStep("loads", "" if loaded else "no load"),
        ModelStep("analysis", missing.get("analysis", "")),
    ]


def _is_loaded(analysis: Analysis) -> bool:
    """Return whether an analysis has loads, or is one that takes none, such as modes."""
    fields = [
        name
        for name in ("loads", "body_loads", "preloads", "displacements", "steps")
        if hasattr(analysis, name)
    ]
    return not fields or any(getattr(analysis, name) for name in fields)


def in_words(steps: Sequence[NextStep], ways: Sequence[str]) -> str:
    """Return a line that names the missing decisions and how to make each; "" if there are none."""
    told = [f"{step.why}: {way}" for step, way in zip(steps, ways, strict=True)]
    return f"next: {'; '.join(told)}" if told else ""
