"""State of a target: whether its outcome is there for the present decisions, and if not, what changed since."""

from faying.errors import FayingError
from faying.project.execution import RecipeBook, is_ready
from faying.project.recipe import Recipe, differences, is_by_another_program
from faying.project.stage import Stage, Target, TargetState
from faying.project.store import ArtifactStore


def state_of(
    recipes: RecipeBook, target: Target, store: ArtifactStore, known: dict[str, Recipe]
) -> TargetState:
    """Return how a target stands.

    Args:
        recipes: of the present project.
        target: what is asked for.
        store: where outcomes are.
        known: the store's recipes by key, the youngest last.
    """
    try:
        recipe = recipes.of(target)
    except FayingError as error:
        return TargetState("blocked", (str(error),))
    stage, key = recipes.stages[target.stage], recipe.key
    if stage.keeps == "memory":
        return TargetState("ready" if key in known else "missing", (), key)
    if stage.keeps == "results":
        place = store.results(key)
        if place is not None:
            warnings = tuple(warning.sentence for warning in place.warnings)
            return (
                TargetState("ready", (), key, warnings=warnings)
                if place.complete
                else TargetState("partial", (f"interrupted after {place.reached[1]} frames",), key)
            )
    elif is_ready(stage, key, store):
        return TargetState("ready", (), key)
    earlier = earlier_outcome(recipe, store, known, stage)
    if earlier is None:
        return TargetState("missing", (), key)
    find = {**known, **recipes.by_key()}.get
    by_another = is_by_another_program(earlier, recipe, find)
    return TargetState(
        "stale", tuple(differences(earlier, recipe, find)), key, earlier.key if by_another else ""
    )


def kept_for_comparison(
    recipes: RecipeBook, target: Target, store: ArtifactStore, known: dict[str, Recipe]
) -> list[Recipe]:
    """Return the recipes of results that an earlier version of the program left, and of what shows them.

    Empty when there are none, and for results of other decisions by this version of the program. Arguments as of
    `state_of`.
    """
    stage, recipe = recipes.stages[target.stage], recipes.of(target)
    earlier = earlier_outcome(recipe, store, known, stage) if stage.keeps == "results" else None
    find = {**known, **recipes.by_key()}.get
    if earlier is None or not is_by_another_program(earlier, recipe, find):
        return []
    needs = [found for key in earlier.needs.values() if store.has(key) and (found := known.get(key))]
    return [
        earlier,
        *(need for need in needs if need.stage in recipes.stages and recipes.stages[need.stage].travels),
    ]


def earlier_outcome(
    recipe: Recipe, store: ArtifactStore, known: dict[str, Recipe], stage: Stage[object]
) -> Recipe | None:
    """Return the recipe of the youngest outcome of the same target but another key, None when there is none."""
    whose = (recipe.stage, recipe.body, recipe.item)
    for key, other in reversed(known.items()):
        if (other.stage, other.body, other.item) == whose and key != recipe.key:
            there = store.results(key) is not None if stage.keeps == "results" else store.has(key)
            if there:
                return other
    return None
