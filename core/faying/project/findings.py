"""Findings of a project: gathers what the checks may look at, and runs them."""

from contextlib import closing
from pathlib import Path
from typing import Any

from faying.errors import Cancelled, FayingError
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.pairs import ContactPairs
from faying.progress import Progress
from faying.project.assembled import assembled_system
from faying.project.checks import CheckSubject, Finding, run_checks
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore


def find_findings(
    project: Project,
    store: ArtifactStore,
    base: Path,
    *,
    pipeline: Pipeline | None = None,
    memory: Memory | None = None,
    compute: bool = False,
    progress: Progress | None = None,
) -> list[Finding]:
    """Return the findings of all checks, errors first.

    Args:
        project: the decisions.
        store: has the artifacts.
        base: folder from which relative deck paths count.
        pipeline: the pipeline in use; a new one by default.
        memory: values kept between calls.
        compute: read decks and find contact pairs where they are missing; otherwise only look at what is there.
        progress: reports and cancels.
    """
    from faying.project.stages import STAGES

    pipeline, memory = pipeline or Pipeline(STAGES), memory or Memory()
    models: dict[str, FeModel] = {}
    pairs: dict[tuple[str, str], ContactPairs] = {}
    matrices: dict[str, StructuralMatrices] = {}
    failed: list[Finding] = []

    def get(target: Target, path: tuple[str | int, ...]) -> Any:
        if not compute:
            return pipeline.value(project, target, store, base, memory)
        try:
            return pipeline.run(project, target, store, base, progress, memory)
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
            found = get(Target("pairs", body.name, joint.name), ("bodies", i, "joints", j))
            if found is not None:
                pairs[body.name, joint.name] = found
    reduced = {
        body.name: value
        for body in project.bodies
        if any(body.name in system.body_names() for system in project.systems)
        and (value := pipeline.value(project, Target("body", body.name), store, base, memory)) is not None
    }
    assembled = {
        system.name: found
        for system in project.systems
        if (found := assembled_system(system, reduced)) is not None
    }
    reports = {}
    for analysis in project.analyses:
        place = pipeline.value(project, target_of(analysis), store, base, memory)
        if place is not None:
            with closing(place.open()) as results:
                reports[analysis.name] = results.report
    subject = CheckSubject(project, base, models, pairs, matrices, assembled, reports, with_meshes=True)
    findings = run_checks(subject)
    # A stage that failed is news only where no check has said why.
    explained = [f.entity for f in findings if f.severity == "error"]
    news = [f for f in failed if not any(e[: len(f.entity)] == f.entity for e in explained)]
    return news + findings
