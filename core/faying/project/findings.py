"""Findings of a project: collects the input of the checks and runs them."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from faying.errors import Cancelled, FayingError
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.pairs import ContactPairs
from faying.multibody.assembly import Assembled
from faying.progress import PartialProgress, Progress, Silent
from faying.project.assembled import assembled_system
from faying.project.checks import CheckedProject, Finding, run_checks
from faying.project.file_names import with_absolute_files
from faying.project.memory import Memory
from faying.project.mounting import is_trained
from faying.project.pipeline import OnStep, Pipeline
from faying.project.scope import scope_of
from faying.project.specs import BodySpec, Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore
from faying.reduction.body import ReducedBody
from faying.reduction.interior import ALL_COMPONENTS
from faying.reduction.joint_quality import JointQuality


def find_findings(
    project: Project,
    store: ArtifactStore,
    base: Path,
    *,
    pipeline: Pipeline | None = None,
    memory: Memory | None = None,
    compute: bool = False,
    progress: Progress | None = None,
    targets: Iterable[Target] | None = None,
    on_step: OnStep | None = None,
) -> list[Finding]:
    """Return the findings of all checks, errors first.

    Args:
        project: the decisions.
        store: store of the artifacts.
        base: folder of relative deck paths.
        pipeline: the pipeline in use; a new one by default.
        memory: values kept between calls.
        compute: whether to read decks and find contact pairs if missing; otherwise only existing artifacts are used.
        progress: reports and cancels.
        targets: targets to be computed: only findings about them are returned; all by default.
        on_step: called with every computed step and its seconds.
    """
    from faying.project.stages import STAGES

    pipeline, memory, progress = pipeline or Pipeline(STAGES), memory or Memory(), progress or Silent()
    scope = None if targets is None else scope_of(project, pipeline.stages, targets)
    models: dict[str, FeModel] = {}
    pairs: dict[tuple[str, str], ContactPairs] = {}
    matrices: dict[str, StructuralMatrices] = {}
    failed: list[Finding] = []
    asked, most = 0, 1 + sum(2 + len(body.joints) for body in project.bodies)

    def get(target: Target, path: tuple[str | int, ...]) -> Any:
        nonlocal asked
        asked += 1
        if scope is not None and target not in scope.targets:
            return None
        if not compute:
            return pipeline.value(project, target, store, base, memory)
        part = PartialProgress(progress, 0.9 * (asked - 1) / most, 0.9 * asked / most)
        try:
            return pipeline.run(project, target, store, base, part, memory, on_step)
        except Cancelled:
            raise
        except FayingError as error:
            failed.append(Finding("error", path, error.message, error.hint, target.stage))
            return None

    for i, body in enumerate(project.bodies):
        model = get(Target("model", body.name), ("bodies", i, "model"))
        if model is None:
            continue
        models[body.name] = model
        if body.model.imports_matrices:
            imported = get(Target("matrices", body.name), ("bodies", i, "model"))
            if imported is not None:
                matrices[body.name] = imported
        for j, joint in enumerate(body.joints):
            if body.is_tied(joint):
                continue
            found = get(Target("pairs", body.name, joint.name), ("bodies", i, "joints", j))
            if found is not None:
                pairs[body.name, joint.name] = found
    assembled = _assembled(project, store, base, pipeline, memory)
    reports = _reports(project, store, base, pipeline, memory)
    made_with = _made_with(project, store, base, pipeline)
    checked = CheckedProject(
        project, base, models, pairs, matrices, assembled, reports, made_with,
        _jointed(project, store, base, pipeline, memory),
        _reduced(project, store, base, pipeline, memory), with_meshes=True,
    )  # fmt: skip
    findings = run_checks(checked, PartialProgress(progress, 0.9, 1.0))
    # Report a failed stage only if no check has explained it.
    explained = [f.entity for f in findings if f.severity == "error"]
    news = [f for f in failed if not any(e[: len(f.entity)] == f.entity for e in explained)]
    return [f for f in news + findings if scope is None or scope.concerns(f)]


def find_run_findings(
    project: Project,
    store: ArtifactStore,
    base: Path,
    pipeline: Pipeline,
    memory: Memory,
    targets: Iterable[Target],
) -> list[Finding]:
    """Return findings of systems and runs, which exist only after reduction and analyses, errors first.

    Uses neither decks nor contact pairs; arguments as for `find_findings`.
    """
    scope = scope_of(project, pipeline.stages, targets)
    assembled = _assembled(project, store, base, pipeline, memory)
    reports = _reports(project, store, base, pipeline, memory)
    made_with = _made_with(project, store, base, pipeline)
    findings = run_checks(
        CheckedProject(
            project, base, assembled=assembled, reports=reports, made_with=made_with,
            jointed=_jointed(project, store, base, pipeline, memory),
            reduced=_reduced(project, store, base, pipeline, memory),
        )
    )  # fmt: skip
    return [
        f
        for f in findings
        if (f.entity[:1] in (("systems",), ("analyses",)) or f.check in _OF_REDUCED_BODIES)
        and scope.concerns(f)
    ]


_OF_REDUCED_BODIES = (
    "joint_accuracy",
    "joint_stiffness",
    "marker_compliance",
)  # checks that need computed artifacts but no deck


def _assembled(
    project: Project, store: ArtifactStore, base: Path, pipeline: Pipeline, memory: Memory
) -> dict[str, Assembled | FayingError]:
    """Return the assembled systems whose bodies are reduced, or the errors that prevent assembly."""
    used = {name for system in project.systems for name in system.body_names()}
    bodies = [body for body in project.bodies if body.name in used]
    reduced = _values("body", bodies, project, store, base, pipeline, memory)
    each = {
        system.name: assembled_system(with_absolute_files(system, base), reduced)
        for system in project.systems
    }
    return {name: found for name, found in each.items() if found is not None}


def _reports(
    project: Project, store: ArtifactStore, base: Path, pipeline: Pipeline, memory: Memory
) -> dict[str, dict[str, Any]]:
    """Return the run reports of analyses with results."""
    reports = {}
    for analysis in project.computed_analyses:
        place = pipeline.value(project, target_of(analysis), store, base, memory)
        if place is not None:
            with closing(place.open()) as results:
                reports[analysis.name] = results.report
    return reports


def _jointed(
    project: Project, store: ArtifactStore, base: Path, pipeline: Pipeline, memory: Memory
) -> dict[str, JointQuality]:
    """Return the joint stiffness of reduced bodies, as far as compared."""
    bodies = [body for body in project.bodies if body.contact_joints and not body.model.is_reduced]
    return _values("joint_quality", bodies, project, store, base, pipeline, memory)


def _reduced(
    project: Project, store: ArtifactStore, base: Path, pipeline: Pipeline, memory: Memory
) -> dict[str, ReducedBody]:
    """Return the reduced bodies that tell errors: of trained joint modes, at nodes without constraint modes."""
    bodies = [
        body
        for body in project.bodies
        if is_trained(body) or any(each.components != ALL_COMPONENTS for each in body.interfaces)
    ]
    return _values("body", bodies, project, store, base, pipeline, memory)


def _values(
    stage: str, bodies: Iterable[BodySpec], project: Project, store: ArtifactStore, base: Path, pipeline: Pipeline,
    memory: Memory,
) -> dict[str, Any]:  # fmt: skip
    """Return the outcomes of a stage by body name, for bodies that have one."""
    found = {
        body.name: pipeline.value(project, Target(stage, body.name), store, base, memory) for body in bodies
    }
    return {name: value for name, value in found.items() if value is not None}


def _made_with(
    project: Project, store: ArtifactStore, base: Path, pipeline: Pipeline
) -> dict[str, dict[str, str]]:
    """Return the versions and solvers of existing results, by analysis."""
    found, recipes = {}, pipeline.recipes(project, base)
    for analysis in project.computed_analyses:
        try:
            recipe = store.recipe(recipes.of(target_of(analysis)).key)
        except FayingError:
            continue  # a check reports errors of its decisions
        if recipe is not None:
            found[analysis.name] = recipe.made_with
    return found
