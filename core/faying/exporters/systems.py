"""Content of an analysis of a body or of a system of parts, for exporters."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from faying.analyses import SystemAnalysis
from faying.analyses.recording.true_fields import TRUE_FIELDS
from faying.errors import ModelError
from faying.exporters import ExportContent, Exporter, ExportSettings, SystemContent, export_content
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.progress import Progress, Silent
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore
from faying.results.true_so_far import TrueSoFar

ShownContent = ExportContent | SystemContent


def moved_system(project: Project, analysis: str) -> SystemAnalysis | None:
    """Return the analysis with this name if it moves a system, None otherwise; " (true fields)" may follow the name."""
    chosen = None
    with suppress(ModelError):  # modes, earlier results
        chosen = project.analysis(analysis)
    return chosen if isinstance(chosen, SystemAnalysis) else None


def name_with_true_fields(project: Project, analysis: str, is_there: Callable[[Target], bool]) -> str:
    """Return the name under which an analysis is shown: that of its true fields where all are switched on and there.

    Args:
        project: the decisions.
        analysis: name of the analysis.
        is_there: returns whether the results of a target are complete and up to date.
    """
    chosen = next((each for each in project.analyses if each.name == analysis), None)
    true = project.true_fields_of(chosen)
    return (
        f"{analysis}{TRUE_FIELDS}" if true and all(is_there(target_of(each)) for each in true) else analysis
    )


def name_of_run(project: Project, analysis: str) -> str:
    """Return the name of the analysis whose frames are shown, also of true fields: "press" of "press (true fields)"."""
    known = any(each.name == analysis for each in project.analyses)
    return analysis if known else analysis.removesuffix(TRUE_FIELDS)


def shown_content(
    project: Project,
    store: ArtifactStore,
    analysis: str,
    *,
    base: Path | None = None,
    pipeline: Pipeline | None = None,
    memory: Memory | None = None,
    progress: Progress | None = None,
) -> ShownContent:
    """Return the content of an analysis of a body or a system, or of the modes of the first body.

    The arguments are those of `export_content`.

    Raises:
        ModelError: when there is no such analysis, or it has no results yet.
    """
    from faying.project.stages import STAGES

    pipeline, memory, base = pipeline or Pipeline(STAGES), memory or Memory(), base or Path.cwd()
    progress = progress or Silent()
    motion = moved_system(project, analysis)
    if motion is None:
        return export_content(
            project, store, analysis, base=base, pipeline=pipeline, memory=memory, progress=progress
        )
    system = project.system(motion.system)
    place = store.results(pipeline.key_of(project, target_of(motion), base))
    if place is None:
        raise ModelError(f"Analysis {analysis!r} has no results yet.", "Run the project first.")
    bodies, models = {}, {}
    for part in system.parts:
        if isinstance(part, FlexiblePartSpec):
            bodies[part.name] = export_content(
                project, store, analysis, part=part.name, base=base, pipeline=pipeline, memory=memory,
                progress=progress,
            )  # fmt: skip
        elif body := part.body_name():
            target = Target("model", body)
            models[part.name] = pipeline.run(project, target, store, base, progress, memory)
    return SystemContent(analysis, project, system, place.open(), bodies, models)


def parts_with_true_fields(content: ShownContent) -> tuple[str, ...]:
    """Return the parts whose pressures and stresses are of the FE model though the motion is of the reduced body."""
    if not isinstance(content, SystemContent):
        return ()
    return tuple(name for name, part in content.bodies.items() if isinstance(part.frames, TrueSoFar))


def telling_field(content: ShownContent) -> str:
    """Return the field to show by default: pressure with joints, else stress; "" for rigid parts alone."""
    bodies = list(content.bodies.values()) if isinstance(content, SystemContent) else [content]
    if any(body.pairs for body in bodies):
        return "pressure"
    return "von_mises" if bodies else ""


def write_content(
    exporter: Exporter, content: ShownContent, settings: ExportSettings, path: Path, progress: Progress
) -> None:
    """Write content of a body or of a system.

    Raises:
        FayingError: as for `Exporter.write` and `Exporter.write_system`.
        Cancelled: leaves no file behind.
    """
    if isinstance(content, SystemContent):
        exporter.write_system(content, settings, path, progress)
    else:
        exporter.write(content, settings, path, progress)
