"""Content of an analysis of a body or of a system of parts, for exporters."""

from pathlib import Path

from faying.analyses import SystemAnalysis
from faying.errors import ModelError
from faying.exporters import ExportContent, Exporter, ExportSettings, SystemContent, export_content
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.progress import Progress, Silent
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore

ShownContent = ExportContent | SystemContent


def moved_system(project: Project, analysis: str) -> SystemAnalysis | None:
    """Return the analysis with this name if it moves a system, None otherwise."""
    chosen = next((a for a in project.analyses if a.name == analysis), None)
    return chosen if isinstance(chosen, SystemAnalysis) else None


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
