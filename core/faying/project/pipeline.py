"""The pipeline: computes a target of a project, and before it whatever is missing for it.

The table of stages is plain content (`faying.project.stages` for the real one), so the machinery here knows
nothing of finite elements.
"""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faying.errors import FayingError, ModelError
from faying.progress import Part, Progress, Silent
from faying.project.memory import Memory
from faying.project.recipe import Recipe, differences
from faying.project.specs import Project
from faying.project.stage import Context, Stage, State, Step, Target
from faying.project.store import ArtifactStore

log = logging.getLogger(__name__)

OnStep = Callable[[Step, float], None]


@dataclass
class _Recipes:
    """Recipes of one project, each worked out once."""

    project: Project
    base: Path
    known: dict[Target, Recipe] = field(default_factory=dict)


class Pipeline:
    """A table of stages and what can be done with it.

    Args:
        stages: each after all that it needs.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        self.stages = {stage.name: stage for stage in stages}

    def targets(self, project: Project) -> tuple[Target, ...]:
        """Return everything that can be computed for a project, in the order of the stages, body by body."""
        found = []
        for body in project.bodies:
            items = {
                "body": [""],
                "joint": [joint.name for joint in body.joints],
                "analysis": [analysis.name for analysis in project.analyses if analysis.body == body.name],
            }
            for stage in self.stages.values():
                found += [Target(stage.name, body.name, item) for item in items[stage.per]]
        return tuple(found)

    def targets_of(self, project: Project, stage: str) -> tuple[Target, ...]:
        """Return the targets of one stage.

        Raises:
            ModelError: when there is no such stage.
        """
        if stage not in self.stages:
            raise ModelError(f"There is no stage called {stage!r}.", f"Stages are: {', '.join(self.stages)}.")
        return tuple(target for target in self.targets(project) if target.stage == stage)

    def recipe_of(self, project: Project, target: Target, base: Path = Path()) -> Recipe:
        """Return the recipe of a target.

        Raises:
            ModelError: when it cannot be computed as the project stands.
        """
        return self._recipe(_Recipes(project, base), target)

    def key_of(self, project: Project, target: Target, base: Path = Path()) -> str:
        """Return the key under which a target's artifact is stored; raises as `recipe_of`."""
        return self.recipe_of(project, target, base).key

    def plan(
        self,
        project: Project,
        target: Target,
        store: ArtifactStore,
        base: Path = Path(),
        memory: Memory | None = None,
    ) -> tuple[Step, ...]:
        """Return the steps to a target in order: what has to be computed, and the ready ones that go into it.

        A ready target is a plan of one ready step.
        """
        recipes, steps = _Recipes(project, base), dict[Target, Step]()
        self._plan(recipes, target, store, memory, steps)
        return tuple(steps.values())

    def run(
        self,
        project: Project,
        target: Target,
        store: ArtifactStore,
        base: Path = Path(),
        progress: Progress | None = None,
        memory: Memory | None = None,
        on_step: OnStep | None = None,
    ) -> Any:
        """Return the value of a target; what is missing for it is computed and stored.

        Args:
            project: the decisions.
            target: what is wanted.
            store: where artifacts are found and put.
            base: folder from which relative deck paths count.
            progress: reports and cancels.
            memory: values kept between runs; a fresh one by default.
            on_step: told of every computed step with its seconds.

        Returns:
            The record, the in-memory value, or for an analysis the place of its results
            (`faying.project.store.ResultsPlace`).

        Raises:
            FayingError: when a stage cannot be computed; all finished stages stay stored.
            Cancelled: when asked to stop; likewise, and results written so far stay readable.
        """
        progress, memory = progress or Silent(), memory or Memory()
        recipes, steps = _Recipes(project, base), dict[Target, Step]()
        self._plan(recipes, target, store, memory, steps)
        todo = [step for step in steps.values() if not step.ready]
        total, done = sum(step.weight for step in todo) or 1.0, 0.0
        for step in todo:
            share = Part(progress, done / total, (done + step.weight) / total, step.title)
            share.report(0.0)
            began = time.perf_counter()
            self._compute(recipes, step, store, memory, share)
            done += step.weight
            seconds = time.perf_counter() - began
            log.info("%s: %.2f s", step.target, seconds)
            if on_step is not None:
                on_step(step, seconds)
        progress.report(1.0, self.stages[target.stage].title)
        return self._value(recipes, target, store, memory)

    def value(
        self,
        project: Project,
        target: Target,
        store: ArtifactStore,
        base: Path = Path(),
        memory: Memory | None = None,
    ) -> Any:
        """Return the value of a target that is ready (as `run`), None otherwise; never computes."""
        try:
            return self._value(_Recipes(project, base), target, store, memory or Memory())
        except (KeyError, FayingError):
            return None

    def reached(self, project: Project, store: ArtifactStore, base: Path = Path()) -> tuple[Recipe, ...]:
        """Return the recipes of all outcomes that are there for a project and belong into its file."""
        recipes, found = _Recipes(project, base), {}
        for target in self.targets(project):
            stage = self.stages[target.stage]
            try:
                recipe = self._recipe(recipes, target)
            except FayingError:
                continue  # blocked: there is nothing to keep
            if not stage.travels or stage.keeps == "memory":
                continue
            if store.results(recipe.key) if stage.keeps == "results" else store.has(recipe.key):
                found[recipe.key] = recipe
        return tuple(found.values())

    def state(self, project: Project, target: Target, store: ArtifactStore, base: Path = Path()) -> State:
        """Return how a target stands."""
        return self._state(_Recipes(project, base), target, store, store.recipes())

    def states(self, project: Project, store: ArtifactStore, base: Path = Path()) -> dict[Target, State]:
        """Return how every target stands; faster than asking one by one."""
        recipes, known = _Recipes(project, base), store.recipes()
        return {target: self._state(recipes, target, store, known) for target in self.targets(project)}

    def _recipe(self, recipes: _Recipes, target: Target) -> Recipe:
        if target not in recipes.known:
            stage = self.stages[target.stage]
            needs = stage.needs(recipes.project, target)
            keys = {name: self._recipe(recipes, need).key for name, need in needs.items()}
            reads = _plain(stage.reads(recipes.project, target, recipes.base))
            recipes.known[target] = Recipe(stage.name, stage.version, target.body, target.item, reads, keys)
        return recipes.known[target]

    def _is_ready(self, target: Target, key: str, store: ArtifactStore, memory: Memory | None) -> bool:
        keeps = self.stages[target.stage].keeps
        if keeps == "results":
            place = store.results(key)
            return place is not None and place.complete
        return (memory is not None and key in memory) or (keeps == "artifact" and store.has(key))

    def _plan(
        self,
        recipes: _Recipes,
        target: Target,
        store: ArtifactStore,
        memory: Memory | None,
        steps: dict[Target, Step],
    ) -> None:
        if target in steps:
            return
        stage, key = self.stages[target.stage], self._recipe(recipes, target).key
        ready = self._is_ready(target, key, store, memory)
        if not ready:
            for need in stage.needs(recipes.project, target).values():
                self._plan(recipes, need, store, memory, steps)
        title = f"{stage.title} {target.item}".strip()
        steps[target] = Step(target, key, title, ready, stage.weight)

    def _compute(
        self, recipes: _Recipes, step: Step, store: ArtifactStore, memory: Memory, progress: Progress
    ) -> None:
        stage, recipe = self.stages[step.target.stage], self._recipe(recipes, step.target)
        needs = stage.needs(recipes.project, step.target)

        def need(name: str) -> Any:
            return self._need(recipes, needs[name], store, memory, progress)

        target_path = store.begin_results(step.key) if stage.keeps == "results" else None
        context = Context(recipes.project, step.target, recipes.base, need, target_path)
        # The recipe first: it also tells what interrupted results belong to.
        store.write_recipe(recipe)
        value = stage.compute(context, progress)
        if stage.keeps == "results":
            store.complete_results(step.key)
            return
        if stage.keeps == "artifact":
            progress.report(1.0, "storing")
            store.write(step.key, value)
        memory.put(step.key, value)

    def _need(
        self, recipes: _Recipes, target: Target, store: ArtifactStore, memory: Memory, progress: Progress
    ) -> Any:
        """Return a need's value; one that was dropped from memory, or is damaged, is computed once more."""
        try:
            return self._value(recipes, target, store, memory)
        except KeyError:
            steps: dict[Target, Step] = {}
            self._plan(recipes, target, store, memory, steps)
            for step in steps.values():
                if not step.ready:
                    self._compute(recipes, step, store, memory, Part(progress, 0.0, 0.0, step.title))
            return self._value(recipes, target, store, memory)

    def _value(self, recipes: _Recipes, target: Target, store: ArtifactStore, memory: Memory) -> Any:
        stage, key = self.stages[target.stage], self._recipe(recipes, target).key
        if stage.keeps == "results":
            place = store.results(key)
            if place is None or not place.complete:
                raise KeyError(key)
            return place
        if key in memory:
            return memory.get(key)
        if stage.keeps == "memory":
            raise KeyError(key)
        value = store.read(key)
        memory.put(key, value)
        return value

    def _state(
        self, recipes: _Recipes, target: Target, store: ArtifactStore, known: dict[str, Recipe]
    ) -> State:
        try:
            recipe = self._recipe(recipes, target)
        except FayingError as error:
            return State("blocked", (str(error),))
        stage, key = self.stages[target.stage], recipe.key
        if stage.keeps == "memory":
            return State("ready" if key in known else "missing", (), key)
        if self._is_ready(target, key, store, None):
            return State("ready", (), key)
        if stage.keeps == "results" and store.results(key) is not None:
            return State("partial", ("the run was interrupted",), key)
        earlier = self._earlier(recipe, store, known, stage)
        if earlier is None:
            return State("missing", (), key)
        return State(
            "stale", tuple(differences(earlier, recipe, {**known, **self._by_key(recipes)}.get)), key
        )

    def _earlier(
        self, recipe: Recipe, store: ArtifactStore, known: dict[str, Recipe], stage: Stage
    ) -> Recipe | None:
        """Return the recipe of the youngest outcome of the same target, None when there is none."""
        whose = (recipe.stage, recipe.body, recipe.item)
        for key, other in reversed(known.items()):
            if (other.stage, other.body, other.item) == whose and key != recipe.key:
                there = store.results(key) is not None if stage.keeps == "results" else store.has(key)
                if there:
                    return other
        return None

    def _by_key(self, recipes: _Recipes) -> dict[str, Recipe]:
        return {recipe.key: recipe for recipe in recipes.known.values()}


def _plain(value: Any) -> Any:
    """Return specs as words, paths and tuples as JSON would give them back."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
