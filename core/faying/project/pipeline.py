"""The pipeline: computes a target of a project and its missing inputs.

The stages are passed in (`faying.project.stages` contains the real ones), so this code is independent of finite
elements.
"""

import logging
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from faying.errors import FayingError, ModelError
from faying.progress import PartialProgress, Progress, Silent
from faying.project.code import Code, installed_code
from faying.project.execution import Execution, RecipeBook
from faying.project.memory import Memory
from faying.project.recipe import Recipe
from faying.project.specs import Project
from faying.project.stage import PipelineStep, Stage, Target, TargetState, target_of
from faying.project.store import ArtifactStore
from faying.project.target_state import earlier_outcome, kept_for_comparison, state_of

log = logging.getLogger(__name__)

OnStep = Callable[[PipelineStep, float], None]
OnBegin = Callable[[PipelineStep], None]


class Pipeline:
    """Stages and operations on them.

    Args:
        stages: in an order in which each follows its needs.
        code: code of the program, which is part of the keys; by default the running code.
    """

    def __init__(self, stages: Iterable[Stage[object]], code: Code | None = None) -> None:
        self.stages = {stage.name: stage for stage in stages}
        self._code = code or installed_code()
        self._worked_out: dict[Target, tuple[object, Recipe]] = {}

    def recipes(self, project: Project, base: Path = Path()) -> RecipeBook:
        """Return the recipes of a project's targets."""
        return RecipeBook(self.stages, project, base, self._code, self._worked_out)

    def targets(self, project: Project) -> tuple[Target, ...]:
        """Return all targets of a project, in the order of the stages, body by body."""
        found = []
        for body in project.bodies:
            items = {
                "body": [""],
                "joint": [joint.name for joint in body.contact_joints],
                "analysis": [
                    a.name for a in project.computed_analyses if (a.stage, a.owner) == ("analysis", body.name)
                ],
                "motion": [],
                "sweep": [],
            }
            for stage in self.stages.values():
                if stage.unreduced and body.model.is_reduced:
                    continue
                targets = [Target(stage.name, body.name, item) for item in items[stage.per]]
                found += [target for target in targets if stage.applies(project, target)]
        others = [target_of(a) for a in project.analyses if a.stage != "analysis" and a.stage in self.stages]
        found += sorted(others, key=lambda target: list(self.stages).index(target.stage))
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
        return self.recipes(project, base).of(target)

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
    ) -> tuple[PipelineStep, ...]:
        """Return the steps to a target in order: those to be computed, and their inputs that are ready.

        A ready target is a plan of one ready step.
        """
        return self._execution(project, store, base, memory).plan(target)

    def run(
        self,
        project: Project,
        target: Target,
        store: ArtifactStore,
        base: Path = Path(),
        progress: Progress | None = None,
        memory: Memory | None = None,
        on_step: OnStep | None = None,
        *,
        restart: bool = False,
        on_begin: OnBegin | None = None,
    ) -> Any:
        """Return the value of a target; missing inputs are computed and stored.

        Interrupted analyses go on from where they were.

        Args:
            project: the decisions.
            target: the requested target.
            store: store of the artifacts.
            base: folder of relative deck paths.
            progress: reports and cancels.
            memory: values kept between runs; a fresh one by default.
            on_step: called with every computed step and its seconds.
            restart: interrupted analyses begin at their start all the same.
            on_begin: called with every step before it is computed.

        Returns:
            The record, the in-memory value, or for an analysis the place of its results
            (`faying.project.store.ResultsPlace`).

        Raises:
            FayingError: when a stage cannot be computed; all finished stages stay stored.
            Cancelled: when asked to stop; likewise, and results written so far stay readable.
        """
        execution = self._execution(project, store, base, memory, restart=restart)
        for _ in range(2):
            execution.put_damaged_aside(target)
            self._work_off(execution.plan(target), execution, progress or Silent(), on_step, on_begin)
            with suppress(KeyError):  # readable file with damaged contents: now missing
                return execution.value(target)
        raise FayingError(
            f"The {self.stages[target.stage].title} was computed but cannot be read back from {store.folder}.",
            "Check the disk, or work in another folder.",
        )

    def _work_off(
        self,
        steps: Iterable[PipelineStep],
        execution: Execution,
        progress: Progress,
        on_step: OnStep | None,
        on_begin: OnBegin | None,
    ) -> None:
        todo = [step for step in steps if not step.ready]
        total, done = sum(step.weight for step in todo) or 1.0, 0.0
        for steps_together in _batches(todo, execution):
            weight = sum(step.weight for step in steps_together)
            began = time.perf_counter()
            if on_begin is not None:
                for step in steps_together:
                    on_begin(step)
            share = PartialProgress(progress, done / total, (done + weight) / total)
            with closing(_finished(steps_together, execution, share)) as finished:
                for step in finished:
                    now = time.perf_counter()
                    began, seconds = now, now - began
                    log.info("%s: %.2f s", step.target, seconds)
                    if on_step is not None:
                        on_step(step, seconds)
            done += weight
        progress.report(1.0)

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
            return self._execution(project, store, base, memory).value(target)
        except (KeyError, FayingError):
            return None

    def reached(self, project: Project, store: ArtifactStore, base: Path = Path()) -> tuple[Recipe, ...]:
        """Return the recipes of all existing outcomes of a project that belong into its file.

        Results of an earlier program version are included, for comparison with new ones.
        """
        recipes, known = self.recipes(project, base), store.recipes()
        found: dict[str, Recipe] = {}
        for target in self._targets_and_references(project, recipes):
            stage = self.stages[target.stage]
            try:
                recipe = recipes.of(target)
            except FayingError:
                continue  # blocked: there is nothing to keep
            if not stage.travels or stage.keeps == "memory":
                continue
            if store.results(recipe.key) if stage.keeps == "results" else store.has(recipe.key):
                found.setdefault(recipe.key, recipe)  # under the name of its own target instead
            for earlier in kept_for_comparison(recipes, target, store, known):
                found.setdefault(earlier.key, earlier)
        return tuple(found.values())

    def _targets_and_references(self, project: Project, recipes: RecipeBook) -> Iterator[Target]:
        """Yield all targets, and the reference results with which they compare, which are not targets."""
        targets = self.targets(project)
        yield from targets
        for target in targets:
            with suppress(FayingError):
                needs = recipes.needs(target).values()
                yield from (need for need in needs if self.stages[need.stage].keeps == "results")

    def state(
        self, project: Project, target: Target, store: ArtifactStore, base: Path = Path()
    ) -> TargetState:
        """Return the state of a target."""
        return state_of(self.recipes(project, base), target, store, store.recipes())

    def earlier(
        self, project: Project, target: Target, store: ArtifactStore, base: Path = Path()
    ) -> Recipe | None:
        """Return the recipe of the newest outdated outcome of a target, None if there is none.

        It stays readable: `ArtifactStore.results` and `ArtifactStore.read` find it and its inputs by key.

        Raises:
            ModelError: when the target cannot be computed as the project stands.
        """
        recipe = self.recipes(project, base).of(target)
        return earlier_outcome(recipe, store, store.recipes(), self.stages[target.stage])

    def states(
        self, project: Project, store: ArtifactStore, base: Path = Path()
    ) -> dict[Target, TargetState]:
        """Return the states of all targets; faster than separate calls."""
        recipes, known = self.recipes(project, base), store.recipes()
        return {target: state_of(recipes, target, store, known) for target in self.targets(project)}

    def _execution(
        self,
        project: Project,
        store: ArtifactStore,
        base: Path,
        memory: Memory | None,
        *,
        restart: bool = False,
    ) -> Execution:
        return Execution(self.recipes(project, base), store, memory or Memory(), restart=restart)


def _batches(steps: Iterable[PipelineStep], execution: Execution) -> Iterator[list[PipelineStep]]:
    """Yield lists of successive steps to compute in parallel, and other steps as single-item lists."""
    batch: list[PipelineStep] = []
    for step in steps:
        name, _ = execution.batch(step)
        joins = batch and name and name == execution.batch(batch[0])[0]
        if joins and step.key not in {other.key for other in batch}:
            batch.append(step)
            continue
        if batch:
            yield batch
        batch = [step]
    if batch:
        yield batch


def _finished(steps: list[PipelineStep], execution: Execution, share: Progress) -> Generator[PipelineStep]:
    """Compute steps and yield each when it is done."""
    if len(steps) > 1:
        name, _ = execution.batch(steps[0])
        yield from execution.compute_batch(
            steps, PartialProgress(share, 0.0, 1.0, f"{name}, {len(steps)} analyses")
        )
        return
    titled = PartialProgress(share, 0.0, 1.0, steps[0].title)
    titled.report(0.0)
    execution.compute(steps[0], titled)
    yield steps[0]
