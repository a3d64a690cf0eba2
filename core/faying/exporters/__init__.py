"""Exporters: results as pictures, films and tables. A member is one file, registered under its extension.

The core has tables and VTKHDF; the shell adds pictures and films through the entry point group
``faying.exporters``, so that the core does not depend on VTK.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, SystemAnalysis
from faying.analyses.sweep import Sweep
from faying.errors import ModelError
from faying.exporters.content import ExportContent as ExportContent
from faying.exporters.content import ExportSettings as ExportSettings
from faying.exporters.content import SystemContent as SystemContent
from faying.exporters.earlier import analysis_of, earlier_content
from faying.exporters.shown_loads import loads_of
from faying.fem.model import FeModel
from faying.fem.shell_sides import facing_sides
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.progress import Progress, Silent
from faying.project.bodies import body_of_results
from faying.project.file_names import with_absolute_files
from faying.project.friction_laws import friction_laws_of
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore
from faying.reduction.body import ReducedBody
from faying.registry import Registry
from faying.results.fields import FieldContext, Kept
from faying.results.mode_shapes import ModeShapes
from faying.results.results import FrameSource, Results
from faying.results.true_so_far import TrueOfPart

exporters: Registry[type["Exporter"]] = Registry("exporter", __name__)
WITHOUT_WINDOW = " Pictures come with the window's package, faying_app, which is not installed here."


class Exporter(ABC):
    """Writes one kind of file; has no state.

    Attributes:
        title: for menus and help ("Film (MP4)").
        many_frames: whether a file holds all frames (a film, a table) or one (a picture).
    """

    title: ClassVar[str]
    many_frames: ClassVar[bool] = True

    @abstractmethod
    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the file under a temporary name, then move it into place.

        Raises:
            FayingError: when the field or joint does not exist, or the file cannot be written.
            Cancelled: leaves no file behind.
        """

    def prepare(self) -> None:  # noqa: B027 - most need nothing
        """Check that this machine can write such files, before their data are loaded.

        Raises:
            MissingDependencyError: when a program or package is missing; says which, and how to install it.
        """

    def files(self, settings: ExportSettings, path: Path) -> tuple[Path, ...]:
        """Return the files that are written for a path: the path alone, or a series."""
        return (path,)

    def write_system(
        self, content: SystemContent, settings: ExportSettings, path: Path, progress: Progress
    ) -> None:
        """Write the motion of a system, as `write` does of a body; exporters that hold only one body refuse.

        Raises:
            FayingError: when this exporter writes no systems, the field or joint is not there, or the file cannot be
                written.
            Cancelled: leaves no file behind.
        """
        raise ModelError(
            f"{path.name}: analysis {content.title!r} moves a whole system, which such files do not hold.",
            "Export a picture (.png) or a film (.mp4, .gif), or its curves.",
        )


def exporter_for(path: Path) -> Exporter:
    """Return the exporter for a file name by its extension.

    Raises:
        ModelError: when no exporter writes such files; the hint lists those that are known.
    """
    kind = path.suffix.lower().lstrip(".")
    if kind not in exporters:
        known = ", ".join(f".{name}" for name in exporters)
        lacks = "" if "png" in exporters else WITHOUT_WINDOW
        raise ModelError(
            f"{path.name}: nothing here writes files of this kind.", f"Known are: {known}.{lacks}"
        )
    return exporters[kind]()


def export_content(
    project: Project,
    store: ArtifactStore,
    analysis: str,
    *,
    body: str = "",
    part: str = "",
    base: Path | None = None,
    pipeline: Pipeline | None = None,
    memory: Memory | None = None,
    progress: Progress | None = None,
    kept: Callable[[FeModel], Kept] = lambda _model: Kept(),
) -> ExportContent:
    """Return model, joints and frames of an analysis, or the modes of a body, for an exporter.

    Only stored data are used: the results, or the reduced body, must exist.

    Args:
        project: the decisions.
        store: has the artifacts and results.
        analysis: name of an analysis, with " (earlier)" behind it for its results that are out of date, with
            " (true fields)" as the FE model has them; "modes" (if none is called so) for the trial vectors of the body.
        body: for "modes" the body's name; the first one by default.
        part: the flexible part that is meant where the analysis moves a system.
        base: folder of relative deck paths.
        pipeline: the pipeline in use; a new one by default.
        memory: values kept between calls.
        progress: reports and cancels.
        kept: returns the fields' cache for a model from earlier calls.

    Raises:
        ModelError: when there is no such analysis, or it has no results yet.
    """
    from faying.project.stages import STAGES

    pipeline, memory, base = pipeline or Pipeline(STAGES), memory or Memory(), base or Path.cwd()
    progress = progress or Silent()
    if (out_of_date := analysis_of(project, analysis)) is not None:
        return earlier_content(
            project,
            store,
            out_of_date,
            base=base,
            pipeline=pipeline,
            memory=memory,
            progress=progress,
            kept=kept,
        )
    modes = analysis == "modes" and all(a.name != "modes" for a in project.analyses)
    chosen = project.analysis(analysis) if not modes else None
    if isinstance(chosen, Sweep):
        raise ModelError(
            f"Analysis {analysis!r} is a sweep: it has a number for each point and no frames to be shown.",
            "Export its table (--table) or curves, or open a point as a project.",
        )
    moving = _flexible_part(project, chosen, part) if isinstance(chosen, SystemAnalysis) else None
    if not project.bodies:
        raise ModelError("The project has no body.", "Import a deck first.")
    named = chosen.body if isinstance(chosen, BodyAnalysis) else moving.body if moving else body
    spec = with_absolute_files(project.body(named or project.bodies[0].name), base)

    def value(stage: str, item: str = "") -> Any:
        return pipeline.run(project, Target(stage, spec.name, item), store, base, progress, memory)

    needs_reduced = not isinstance(chosen, BodyAnalysis) or chosen.needs_reduced
    if needs_reduced and pipeline.state(project, Target("body", spec.name), store, base).status != "ready":
        raise ModelError(f"Body {spec.name!r} has not been reduced yet.", "Run the project first.")
    model, skin = value("model"), value("skin")
    pairs = {joint.name: value("pairs", joint.name) for joint in spec.contact_joints}
    reduced: ReducedBody
    frames: FrameSource
    results: Results | None = None
    if chosen is None:
        reduced = value("body")
        labels = reduced.mode_labels()
        values = np.zeros(len(labels))  # frequencies; joint modes have none
        values[: len(reduced.frequencies)] = reduced.frequencies
        frames = ModeShapes(reduced, labels, values)
    else:
        key = pipeline.key_of(project, target_of(chosen), base)
        place = store.results(key)
        if place is None:
            raise ModelError(f"Analysis {chosen.name!r} has no results yet.", "Run the project first.")
        frames = results = place.open()
        if moving is not None:
            reduced = moving.reduced_of(value("body"))
            frames = results.part(part)
            if analysis != chosen.name and (true := _true_part(project, chosen, part)) is not None:
                of_part = store.results(pipeline.key_of(project, target_of(true), base))
                corrected = of_part.open() if of_part is not None else None
                if corrected is None or corrected.n_frames < results.n_frames:
                    raise ModelError(
                        f"Part {part!r} of {chosen.name!r} does not have its true fields in all frames yet.",
                        "Run the analysis with true_fields = true.",
                    )
                frames = TrueOfPart(frames, corrected, reduced)
        else:
            assert isinstance(chosen, BodyAnalysis)
            reduced = body_of_results(
                chosen, spec, model, pairs, results.frame_of_reference, partial(value, "body")
            )
    return ExportContent(
        title=analysis if chosen else "modes",
        units=project.units,
        model=model,
        context=FieldContext(
            frames,
            reduced,
            {joint.name: joint.contact_law for joint in spec.contact_joints},
            friction_laws_of(spec.contact_joints, model, pairs),
            pairs,
            model,
            kept(model),
            progress=progress,
            strengths=spec.strengths,
        ),
        surfaces={
            j.name: facing_sides(model, j.master.select(model, skin), j.slave.select(model, skin))
            for j in spec.contact_joints
        },
        pairs=pairs,
        bolts=spec.bolts,
        loads=tuple(
            loads_of(chosen, spec, model, reduced.interface_nodes, project.units, results=results, skin=skin)
            if isinstance(chosen, BodyAnalysis)
            else ()
        ),
    )


def _true_part(project: Project, analysis: SystemAnalysis, part: str) -> BodyAnalysis | None:
    """Return the correction of all frames of a part; None for a part without contact joints."""
    found = project.corrections_of(analysis)
    return next((each for each in found if getattr(each, "part", "") == part), None)


def _flexible_part(project: Project, analysis: SystemAnalysis, name: str) -> FlexiblePartSpec:
    """Return the flexible part with this name in the system that an analysis moves.

    Raises:
        ModelError: when no part, or none that bends, has that name.
    """
    system = project.system(analysis.system)
    bending = {p.name: p for p in system.parts if isinstance(p, FlexiblePartSpec)}
    if name not in bending:
        raise ModelError(
            f"Analysis {analysis.name!r} moves a whole system, not a body alone.",
            "Choose an analysis of a body.",
        )
    return bending[name]
