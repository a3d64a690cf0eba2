"""Execution: works out recipes and plans, computes steps, and finds values in memory or in the store."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from faying.progress import Part, Progress
from faying.project.memory import Memory
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.stage import Context, Stage, Step, Target
from faying.project.store import ArtifactStore

Stages = Mapping[str, Stage]
_REWRITE_WEIGHT = 0.1


class RecipeBook:
    """The recipes of one project, each worked out once.

    Args:
        stages: by name.
        project: the decisions.
        base: folder from which relative deck paths count.
    """

    def __init__(self, stages: Stages, project: Project, base: Path) -> None:
        self.stages, self.project, self.base = stages, project, base
        self._known: dict[Target, Recipe] = {}

    def of(self, target: Target) -> Recipe:
        """Return the recipe of a target.

        Raises:
            ModelError: when it cannot be computed as the project stands.
        """
        if target not in self._known:
            stage = self.stages[target.stage]
            keys = {name: self.of(need).key for name, need in self.needs(target).items()}
            reads = _plain(stage.reads(self.project, target, self.base))
            self._known[target] = Recipe(stage.name, stage.version, target.body, target.item, reads, keys)
        return self._known[target]

    def needs(self, target: Target) -> dict[str, Target]:
        """Return what goes into a target, by the names that its stage uses."""
        return self.stages[target.stage].needs(self.project, target)

    def by_key(self) -> dict[str, Recipe]:
        """Return the recipes worked out so far by key."""
        return {recipe.key: recipe for recipe in self._known.values()}


class Execution:
    """One project being computed with one store and one memory."""

    def __init__(self, recipes: RecipeBook, store: ArtifactStore, memory: Memory) -> None:
        self._recipes, self._store, self._memory = recipes, store, memory

    def plan(self, target: Target) -> tuple[Step, ...]:
        """Return the steps to a target in order: what has to be computed, and the ready ones that go into it."""
        steps: dict[Target, Step] = {}
        self._plan(target, steps)
        return tuple(steps.values())

    def put_damaged_aside(self, target: Target) -> None:
        """Let results that go into a target, and are not as they were written, count as absent."""
        while any(
            step.ready
            and self._recipes.stages[step.target.stage].keeps == "results"
            and not self._store.verify_results(step.key)
            for step in self.plan(target)
        ):
            pass  # what was behind the damaged ones goes into it again, and is looked at, too

    def compute(self, step: Step, progress: Progress) -> None:
        """Compute one step, whose needs are ready, and keep the outcome.

        What another process is computing in the same store is waited for, and computed here only if nothing
        came of it.
        """
        stage = self._recipes.stages[step.target.stage]
        if stage.keeps == "memory":
            self._compute(step, progress)
            return
        # Nobody waits in a circle: who holds a key only ever waits for what goes into it.
        with self._store.claim(step.key, progress):
            if not is_ready(stage, step.key, self._store):
                self._compute(step, progress)

    def company(self, step: Step) -> tuple[str, int]:
        """Return what a step is computed for beside others, "" for nothing, and in how many processes."""
        stage = self._recipes.stages[step.target.stage]
        if stage.compute_company is None or stage.keeps != "results":
            return "", 1
        name, processes = stage.company(self._recipes.project, step.target)
        return (name, processes) if processes > 1 else ("", 1)

    def compute_company(self, steps: Sequence[Step], progress: Progress) -> Generator[Step]:
        """Compute steps of one company beside each other, whose needs are ready; yield each when it is done."""
        stage, (_, processes) = self._recipes.stages[steps[0].target.stage], self.company(steps[0])
        assert stage.compute_company is not None
        with ExitStack() as held:
            # In the order of the keys: no two processes then wait for each other.
            for key in sorted(step.key for step in steps):
                held.enter_context(self._store.claim(key, progress))
            todo = [step for step in steps if not is_ready(stage, step.key, self._store)]
            yield from (step for step in steps if step not in todo)
            contexts = [self._context(step, progress) for step in todo]
            with closing(stage.compute_company(contexts, processes, progress)) as finished:
                for number in finished:
                    self._store.complete_results(todo[number].key)
                    yield todo[number]

    def _context(self, step: Step, progress: Progress) -> Context:
        """Return what a step is computed from. Its recipe is stored: it tells what interrupted results belong to."""
        self._store.write_recipe(self._recipes.of(step.target))
        needs = self._recipes.needs(step.target)

        def need(name: str) -> Any:
            return self._need(needs[name], progress)

        keeps_results = self._recipes.stages[step.target.stage].keeps == "results"
        results = self._store.begin_results(step.key) if keeps_results else None
        return Context(self._recipes.project, step.target, self._recipes.base, need, results)

    def _compute(self, step: Step, progress: Progress) -> None:
        stage = self._recipes.stages[step.target.stage]
        if stage.keeps == "artifact" and step.key in self._memory:
            self._store.write_recipe(self._recipes.of(step.target))
            self._store.write(step.key, self._memory.get(step.key))  # computed before, for another store
            return
        value = stage.compute(self._context(step, progress), progress)
        if stage.keeps == "results":
            self._store.complete_results(step.key)
            return
        if stage.keeps == "artifact":
            progress.report(1.0, "storing")
            self._store.write(step.key, value)
        self._memory.put(step.key, value)

    def value(self, target: Target) -> Any:
        """Return the value of a target that is ready.

        Raises:
            KeyError: when it is not.
        """
        stage, key = self._recipes.stages[target.stage], self._recipes.of(target).key
        if stage.keeps == "results":
            place = self._store.results(key)
            if place is None or not place.complete:
                raise KeyError(key)
            return place
        if key in self._memory:
            return self._memory.get(key)
        if stage.keeps == "memory":
            raise KeyError(key)
        value = self._store.read(key)
        self._memory.put(key, value)
        return value

    def _plan(self, target: Target, steps: dict[Target, Step]) -> None:
        if target in steps:
            return
        stage, key = self._recipes.stages[target.stage], self._recipes.of(target).key
        known, weight = key in self._memory, stage.weight
        ready = is_ready(stage, key, self._store) or (stage.keeps == "memory" and known)
        if not ready and known:
            weight = _REWRITE_WEIGHT  # only has to be stored
        elif not ready:
            for need in self._recipes.needs(target).values():
                self._plan(need, steps)
        title = f"{stage.title} {target.item}".strip()
        steps[target] = Step(target, key, title, ready, weight)

    def _need(self, target: Target, progress: Progress) -> Any:
        """Return a need's value; one that was dropped from memory, or is damaged, is computed once more."""
        try:
            return self.value(target)
        except KeyError:
            for step in self.plan(target):
                if not step.ready:
                    self.compute(step, Part(progress, 0.0, 0.0, step.title))
            return self.value(target)


def is_ready(stage: Stage, key: str, store: ArtifactStore) -> bool:
    """Return whether a store has the complete outcome of a stage; never for what is held in memory only."""
    if stage.keeps == "results":
        place = store.results(key)
        return place is not None and place.complete
    return stage.keeps == "artifact" and store.has(key)


def _plain(value: Any) -> Any:
    """Return specs as words, paths and tuples as JSON would give them back."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
