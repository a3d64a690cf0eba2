"""What a body still lacks before it can be computed, and how it is given: told where a deck is read."""

from collections.abc import Sequence
from dataclasses import dataclass

from faying.fem.connectivity import connected_parts
from faying.fem.densities import materials_without_density
from faying.fem.model import FeModel
from faying.project.specs import BodySpec


@dataclass(frozen=True)
class NextStep:
    """Something that a body lacks.

    Attributes:
        lacks: what it is: "material".
        why: what is the matter, as part of a sentence: "12 elements have no material".
        in_study: the table or list of a study file that gives it.
        in_window: title of the action of the window that gives it.
    """

    lacks: str
    why: str
    in_study: str
    in_window: str


def next_steps(body: BodySpec, model: FeModel, has_analyses: bool) -> list[NextStep]:
    """Return what a body lacks, in the order in which it is given.

    Args:
        body: with what was guessed from its deck.
        model: of the deck.
        has_analyses: whether something is computed of the body already.
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
    """Return a line that names what is lacking, and for each the way to give it; "" when nothing is."""
    told = [f"{step.why}: {way}" for step, way in zip(steps, ways, strict=True)]
    return f"next: {'; '.join(told)}" if told else ""
