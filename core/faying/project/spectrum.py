"""Singular values of a joint-mode method, available even before the basis with the chosen number of modes."""

from pathlib import Path
from typing import Any

import numpy as np

from faying.errors import FayingError
from faying.project.pipeline import Pipeline
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.store import ArtifactStore


def find_singular_values(
    project: Project, body: str, pipeline: Pipeline, store: ArtifactStore, base: Path = Path()
) -> np.ndarray | None:
    """Return (k,) singular values of a basis that differs from the present one at most in its number of modes.

    The number of joint modes does not change the singular values, so it can be chosen from values computed with another
    number.

    Args:
        project: the decisions.
        body: name of the body.
        pipeline: the stages.
        store: store of the bases.
        base: folder of relative deck paths.

    Returns:
        None when there is no such basis; empty for a method without singular values.
    """
    try:
        wanted = pipeline.recipe_of(project, Target("basis", body), base)
    except FayingError:
        return None
    found: np.ndarray | None = None
    numbers = set(type(project.body(body).joint_modes).parameters_for(0))
    for recipe in (wanted, *reversed(store.recipes().values())):
        if _but_number(recipe, numbers) != _but_number(wanted, numbers) or not store.has(recipe.key):
            continue
        try:
            found = store.read(recipe.key).singular_values
        except (KeyError, FayingError):
            continue  # damaged or unreadable at present: counts as missing
        if len(found):  # a basis without joint modes has none
            return found
    return found


def _but_number(recipe: Recipe, numbers: set[str]) -> Any:
    reads = recipe.reads if isinstance(recipe.reads, dict) else {}
    method = {name: value for name, value in reads.get("joint modes", {}).items() if name not in numbers}
    return recipe.stage, recipe.version, recipe.code, recipe.needs, {**reads, "joint modes": method}
