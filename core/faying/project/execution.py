"""Execution: determines recipes and plans, computes steps, and finds values in memory or in the store."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from faying.errors import FayingError
from faying.parallel import where_computed
from faying.params import Spec
from faying.progress import PartialProgress, Progress
from faying.project.code import Code
from faying.project.made_with import SolversNoted, versions, with_solvers
from faying.project.memory import Memory
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.stage import PipelineStep, ResultsStage, Stage, StageContext, Target, Without
from faying.project.store import ArtifactStore
from faying.units import with_units

Stages = Mapping[str, Stage[object]]
_REWRITE_WEIGHT = 0.1
_AT_ONCE = 1.0  # usual seconds: faster steps are recomputed when missing


class RecipeBook:
    """The recipes of one project, each determined once.

    Args:
        stages: by name.
        project: the decisions.
        base: folder of relative deck paths.
        code: the program's code.
        former: recipes of the same program with the decisions that they read, by target; recipes of earlier states of
            the project save most of the work. New ones are added.
    """

    def __init__(
        self,
        stages: Stages,
        project: Project,
        base: Path,
        code: Code,
        former: "dict[Target, tuple[object, Recipe]] | None" = None,
    ) -> None:
        self.stages, self.project, self.base, self._code = stages, project, base, code
        self._known: dict[Target, Recipe] = {}
        self._former = {} if former is None else former

    def of(self, target: Target) -> Recipe:
        """Return the recipe of a target.

        Raises:
            ModelError: when it cannot be computed with the present decisions.
        """
        if target not in self._known:
            stage = self.stages[target.stage]
            keys = {name: self.of(need).key for name, need in self.needs(target).items()}
            reads = (
                stage.reads(self.project, target, self.base),
                tuple(stage.modules(self.project, target)),
            )
            was, recipe = self._former.get(target, (None, None))
            if recipe is None or recipe.needs != keys or not _same(was, reads):
                modules = {type(stage).__module__, *reads[1], *_modules_of(reads[0])}
                recipe = Recipe(
                    stage.name, stage.version, target.body, target.item, _plain(reads[0]), keys,
                    self._code.digests(modules),
                )  # fmt: skip
                self._former[target] = reads, recipe
            self._known[target] = recipe
        return self._known[target]

    def needs(self, target: Target) -> dict[str, Target]:
        """Return the inputs of a target by the names used in its stage."""
        return self.stages[target.stage].needs(self.project, target)

    def by_key(self) -> dict[str, Recipe]:
        """Return the recipes determined so far by key."""
        return {recipe.key: recipe for recipe in self._known.values()}


class Execution:
    """Computation of one project with one store and one memory; with `restart` interrupted runs start again."""

    def __init__(self, recipes: RecipeBook, store: ArtifactStore, memory: Memory, *, restart: bool) -> None:
        self._recipes, self._store, self._memory, self._restart = recipes, store, memory, restart

    def plan(self, target: Target) -> tuple[PipelineStep, ...]:
        """Return the steps to a target in order: those to be computed, and their inputs that are ready."""
        steps: dict[Target, PipelineStep] = {}
        self._plan(target, steps)
        return tuple(steps.values())

    def put_damaged_aside(self, target: Target) -> None:
        """Verify the results on which a target depends; damaged ones count as missing from then on."""
        while any(
            step.ready
            and self._recipes.stages[step.target.stage].keeps == "results"
            and not self._store.verify_results(step.key)
            for step in self.plan(target)
        ):
            pass  # the next plan contains the inputs of the damaged ones, which are verified too

    def compute(self, step: PipelineStep, progress: Progress) -> None:
        """Compute one step, whose inputs are ready, and store the outcome.

        If another process is computing it in the same store, wait, and compute it here only if the other one failed.
        """
        stage = self._recipes.stages[step.target.stage]
        if stage.keeps == "memory":
            self._compute(step, progress)
            return
        # No deadlock: a process that holds a key waits only for inputs of that key.
        with self._store.claim(step.key, progress):
            if not is_ready(stage, step.key, self._store):
                self._compute(step, progress)

    def batch(self, step: PipelineStep) -> tuple[str, int]:
        """Return the name of the batch in which a step is computed in parallel, "" for none, and how many processes."""
        stage = self._recipes.stages[step.target.stage]
        if not isinstance(stage, ResultsStage):
            return "", 1
        name, processes = stage.batch(self._recipes.project, step.target)
        return (name, processes) if processes > 1 or where_computed() else ("", 1)

    def compute_batch(self, steps: Sequence[PipelineStep], progress: Progress) -> Generator[PipelineStep]:
        """Compute the steps of one batch in parallel, with inputs ready. Yield each when it is done."""
        stage, (_, processes) = self._recipes.stages[steps[0].target.stage], self.batch(steps[0])
        assert isinstance(stage, ResultsStage)
        with ExitStack() as held:
            # In the order of the keys, so that no two processes wait for each other.
            for key in sorted(step.key for step in steps):
                held.enter_context(self._store.claim(key, progress))
            todo = [step for step in steps if not is_ready(stage, step.key, self._store)]
            yield from (step for step in steps if step not in todo)
            noted = SolversNoted(progress)
            contexts = [self._context(step, noted) for step in todo]
            with self._in_units(), closing(stage.run_batch(contexts, processes, noted)) as finished:
                for number in finished:
                    self._store.complete_results(todo[number].key)
                    self._write_recipe(todo[number].target, noted)
                    yield todo[number]

    @contextmanager
    def _in_units(self) -> Iterator[None]:
        """Add the project's units to errors of the block, whose code has no unit system (`faying.units.amount`)."""
        try:
            yield
        except FayingError as error:
            error.reword(lambda text: with_units(text, self._recipes.project.units))
            raise

    def _context(self, step: PipelineStep, progress: Progress) -> StageContext:
        """Return the input of a step. Its recipe is stored, to identify interrupted results."""
        self._write_recipe(step.target)
        needs = set(self._recipes.needs(step.target).values())

        def value_of(target: Target) -> object:
            if target not in needs:
                raise LookupError(f"{step.target} does not say that it needs {target}")
            return self._need(target, progress)

        keeps_results = self._recipes.stages[step.target.stage].keeps == "results"
        results = self._store.begin_results(step.key, restart=self._restart) if keeps_results else None
        return StageContext(
            self._recipes.project, step.target, self._recipes.base, value_of, results, self._store
        )

    def _compute(self, step: PipelineStep, progress: Progress) -> None:
        stage = self._recipes.stages[step.target.stage]
        if stage.keeps == "artifact" and step.key in self._memory:
            self._write_recipe(step.target)
            self._store.write(step.key, self._memory.get(step.key))  # computed before, for another store
            return
        noted = SolversNoted(progress)
        if isinstance(stage, ResultsStage):
            with self._in_units():
                stage.run(self._context(step, noted), noted)
            self._store.complete_results(step.key)
            self._write_recipe(step.target, noted)
            return
        with self._in_units():
            value = stage.compute(self._context(step, noted), noted)
        if stage.keeps == "artifact":
            progress.report(1.0, "storing")
            self._store.write(step.key, value)
        self._write_recipe(step.target, noted)
        self._memory.put(step.key, value)

    def _write_recipe(self, target: Target, noted: SolversNoted | None = None) -> None:
        """Store a recipe with the versions of program and libraries, and the sparse solvers, once known."""
        recipe = self._recipes.of(target)
        needs = [found.made_with for key in recipe.needs.values() if (found := self._store.recipe(key))]
        made_with = with_solvers(versions(), noted, needs)
        self._store.write_recipe(replace(recipe, made_with=made_with))

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

    def _plan(self, target: Target, steps: dict[Target, PipelineStep]) -> None:
        if target in steps:
            return
        stage, key = self._recipes.stages[target.stage], self._recipes.of(target).key
        known, weight = key in self._memory, stage.weight
        stored = is_ready(stage, key, self._store)
        ready = stored or (stage.keeps == "memory" and known)
        if not stored:
            weight = _REWRITE_WEIGHT if known else weight  # it only needs to be stored
            for need in self._recipes.needs(target).values():
                if not known or self._comes_along(need):
                    self._plan(need, steps)
        title = f"{stage.title} {target.item}".strip()
        steps[target] = PipelineStep(target, key, title, ready, weight)

    def _comes_along(self, need: Target) -> bool:
        """Return whether an input must be added to this store with an outcome that was computed for another store.

        This is true if it is in memory, or if it belongs into a project file and is fast to compute, such as contact
        pairs: memory may have dropped them, and an outcome without its pairs could not be displayed.
        """
        stage = self._recipes.stages[need.stage]
        made_at_once = stage.keeps == "artifact" and stage.travels and stage.weight < _AT_ONCE
        return made_at_once or self._recipes.of(need).key in self._memory

    def _need(self, target: Target, progress: Progress) -> Any:
        """Return the value of an input, recomputed if it was dropped from memory or is damaged."""
        try:
            return self.value(target)
        except KeyError:
            for step in self.plan(target):
                if not step.ready:
                    self.compute(step, PartialProgress(progress, 0.0, 0.0, step.title))
            return self.value(target)


def is_ready(stage: Stage[object], key: str, store: ArtifactStore) -> bool:
    """Return whether a store has the complete outcome of a stage; False for stages kept only in memory."""
    if stage.keeps == "results":
        place = store.results(key)
        return place is not None and place.complete
    return stage.keeps == "artifact" and store.has(key)


def _modules_of(value: object) -> set[str]:
    """Return the modules of all specs read by a stage, including nested ones."""
    if isinstance(value, Without):
        return _modules_of(value.spec)
    if isinstance(value, Spec):
        inner = [getattr(value, name) for name in type(value).model_fields]
        return {type(value).__module__}.union(*map(_modules_of, inner))
    if isinstance(value, dict):
        return set().union(*map(_modules_of, value.values()))
    return set().union(*map(_modules_of, value)) if isinstance(value, (list, tuple)) else set()


def _same(one: object, other: object) -> bool:
    """Return whether two values read by stages have equal written forms; fast if they share objects.

    `==` would treat 1 and 1.0, and 0.0 and -0.0, as equal.
    """
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Without):
        assert isinstance(other, Without)
        return one.names == other.names and _same(one.spec, other.spec)
    if isinstance(one, Spec):
        return _same(one.__dict__, other.__dict__)
    if isinstance(one, dict):
        assert isinstance(other, dict)
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, (list, tuple)):
        assert isinstance(other, (list, tuple))
        return len(one) == len(other) and all(map(_same, one, other))
    return repr(one) == repr(other)


def _plain(value: Any) -> Any:
    """Return specs as dicts, and paths and tuples in the form restored from JSON."""
    if isinstance(value, Without):
        return value.spec.model_dump(mode="json", exclude=set(value.names))
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
