"""Missing decisions of a body and how to make them, reported when a deck is read."""

from collections.abc import Sequence
from dataclasses import dataclass

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


def next_steps(body: BodySpec, model: FeModel, has_analyses: bool) -> list[NextStep]:
    """Return the missing decisions of a body, in the order in which to make them.

    Args:
        body: body with guesses from its deck.
        model: of the deck.
        has_analyses: whether the body has analyses already.
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
    _, parts = connected_parts(model)
    if parts > 1 and not body.joints:
        found.append(
            NextStep("joint", f"no joint between {parts} parts", "[[bodies.joints]]", "Search joints")
        )
    if not has_analyses:
        found.append(NextStep("analysis", "no analysis", "[[analyses]]", "Add analysis"))
    return found


def in_words(steps: Sequence[NextStep], ways: Sequence[str]) -> str:
    """Return a line that names the missing decisions and how to make each; "" if there are none."""
    told = [f"{step.why}: {way}" for step, way in zip(steps, ways, strict=True)]
    return f"next: {'; '.join(told)}" if told else ""
