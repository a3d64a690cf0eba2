"""A project with the store of its results: the state of each result, and the functions that compute them."""

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from faying.errors import ModelError
from faying.progress import PartialProgress, Progress, Silent
from faying.project.checks import Finding
from faying.project.file import EXTENSION, decisions_digest, decisions_in, require_decisions, save_project
from faying.project.file_names import files_read, with_absolute_files
from faying.project.findings import find_findings
from faying.project.memory import Memory
from faying.project.outputs import is_same_file, writing
from faying.project.pipeline import OnBegin, OnStep, Pipeline
from faying.project.recorded import Edit
from faying.project.specs import BodySpec, Project
from faying.project.stage import Target, TargetState, target_of
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import write_study

if TYPE_CHECKING:  # modules that show results are loaded when they are needed
    from faying.exporters import ExportContent
    from faying.exporters.systems import ShownContent
    from faying.fem.model import FeModel
    from faying.results.fields import Kept
    from faying.results.results import Results


class ComputedProject:
    """A project with its computed results.

    Decisions are immutable; `apply` replaces the project by an edited one. Each result is stored under the decisions
    that it was computed from, so that nothing is computed twice and no outdated result is returned. A session closes at
    the end of a ``with`` block, by `close`, or when it is garbage-collected.

    Args:
        project: the decisions.
        artifacts: folder or store for computed results, created if missing; a later session finds all results there.
            None for a temporary folder that is removed with the session.
        base: folder from which relative paths in the project count; the current one by default.
        path: file that the project was read from.
        view: view state of a project file; meaningful to the window only.
        progress: receives the progress of computations, and may cancel them; none by default.

    Attributes:
        project, store, base, path, view, progress: as above.
        pipeline: the stages.
        memory: values kept between calls.
    """

    _kept: "tuple[FeModel, Kept] | None" = None

    def __init__(
        self,
        project: Project,
        artifacts: "ArtifactStore | str | Path | None" = None,
        *,
        base: Path | None = None,
        path: Path | None = None,
        view: str = "",
        progress: Progress | None = None,
        pipeline: Pipeline | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.project, self.base, self.path, self.view = project, base or Path.cwd(), path, view
        self.progress: Progress = progress or Silent()
        self.pipeline, self.memory = pipeline or Pipeline(STAGES), memory or Memory()
        self._in_file = self._decided()  # the decisions in its own file
        self._remove: Callable[[], object] = lambda: None
        if artifacts is None:
            folder = tempfile.mkdtemp(prefix="faying-")
            self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            artifacts = folder
        below = path if path is not None and path.suffix.lower() == EXTENSION else None
        self.store = (
            artifacts if isinstance(artifacts, ArtifactStore) else ArtifactStore(Path(artifacts), below)
        )

    def __repr__(self) -> str:
        of = [f"{body.name!r}" for body in self.project.bodies]
        of += [f"{system.name!r}" for system in self.project.systems]
        runs = ", ".join(f"{a.name!r} ({self.state(target_of(a)).word})" for a in self.project.analyses)
        subjects = ", ".join(of) or "nothing yet"
        return f"<{type(self).__name__} {self.project.name!r} of {subjects}; {runs or 'no analyses'}>"

    def _repr_html_(self) -> str:
        """Return the project as a notebook shows it: a table of its analyses."""
        from faying.exporters.report_parts.markup import table

        rows = [[a.name, a.title, self.state(target_of(a)).word] for a in self.project.analyses]
        of = ", ".join([*(b.name for b in self.project.bodies), *(s.name for s in self.project.systems)])
        head = f"<p><b>{escape(self.project.name)}</b> {escape(of)}</p>"
        return head + table(("analysis", "kind", "state"), rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the temporary folder, if there is one; results that are still open cannot be read afterwards."""
        self._remove()

    # Decisions

    def apply(self, edit: Edit) -> None:
        """Edit the project with one of `faying.edits`, or any function ``Project -> Project``.

        Raises:
            ModelError: when the edit is not allowed; the project stays as it was.
        """
        self.project = edit(self.project)

    def check(self, progress: Progress | None = None) -> "list[Finding]":
        """Return errors and warnings about the project, errors first; reads decks and finds contact pairs if needed."""
        return find_findings(
            self.project, self.store, self.base,
            pipeline=self.pipeline, memory=self.memory, compute=True, progress=progress or self.progress,
        )  # fmt: skip

    def reads(self) -> tuple[Path, ...]:
        """Return the project's own file and all of its input files; no output may replace them."""
        own = (self.path,) if self.path is not None else ()
        return (*own, *files_read(self.project, self.base))

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the decisions as a study (``.toml``), or with all results as a project file (``.faying``).

        The window and the command line open both.

        Args:
            path: the file.
            replace: whether to replace files that Faying did not write or that have changed since.

        Raises:
            ProjectChanged: when decisions in the project's own file have changed since it was read.
            FayingError: when the file must not or cannot be written.
        """
        path, reads = Path(path), [file for file in self.reads() if file != self.path]
        own = self.path is not None and is_same_file(path, self.path)
        replaces = self._in_file if own and not replace and path.exists() else None
        with writing(path, endings=(".toml", EXTENSION), reads=reads, replace=replace or own):
            if path.suffix.lower() == ".toml":
                if replaces is not None:
                    require_decisions(path, replaces, self._decided())
                write_study(self.project, path, self.base)
            else:
                recipes = self.pipeline.reached(self.project, self.store, self.base)
                save_project(
                    path, self.project, self.view, self.store, recipes,
                    base=self.base, progress=self.progress, replaces=replaces,
                )  # fmt: skip
        if own:
            self._in_file = decisions_in(path)

    def _decided(self) -> str:
        """Return the fingerprint of the decisions, to compare with those in a file."""
        return decisions_digest(with_absolute_files(self.project, self.base))

    # Computing

    def compute(
        self,
        target: Target,
        progress: Progress | None = None,
        *,
        restart: bool = False,
        on_step: OnStep | None = None,
        on_begin: OnBegin | None = None,
    ) -> Any:
        """Return the value of a target; missing inputs are computed and stored.

        Args and errors as of `faying.project.pipeline.Pipeline.run`.
        """
        return self.pipeline.run(
            self.project, target, self.store, self.base, progress or self.progress, self.memory, on_step,
            restart=restart, on_begin=on_begin,
        )  # fmt: skip

    def compute_all(
        self,
        targets: Iterable[Target],
        progress: Progress | None = None,
        *,
        restart: bool = False,
        on_step: OnStep | None = None,
    ) -> None:
        """Compute several targets one after the other; raises as `compute`."""
        progress, todo = progress or self.progress, tuple(targets)
        for i, target in enumerate(todo):
            part = PartialProgress(progress, i / len(todo), (i + 1) / len(todo))
            self.compute(target, part, restart=restart, on_step=on_step)

    def targets(self, until: str = "") -> tuple[Target, ...]:
        """Return the targets of a run: all of a stage, or all analyses, or reduced bodies if there are none.

        Raises:
            ModelError: when there is no such stage.
        """
        if until or not self.project.analyses:
            return self.pipeline.targets_of(self.project, until or "body")
        return tuple(target_of(analysis) for analysis in self.project.computed_analyses)

    def run(self, until: str = "", *, restart: bool = False) -> None:
        """Compute all analyses, or all of a stage, as ``faying run`` does.

        Args:
            until: a stage ("model", "pairs", "basis", "body", …); "" for all analyses.
            restart: whether interrupted analyses begin at their start instead of continuing from their last frame.

        Raises:
            FayingError: when something cannot be computed; finished results are kept.
            Cancelled: on request; finished results are kept.
        """
        self.compute_all(self.targets(until), restart=restart)

    def value(self, target: Target) -> Any:
        """Return the value of a target that is up to date, None otherwise; computes nothing."""
        return self.pipeline.value(self.project, target, self.store, self.base, self.memory)

    def state(self, target: Target) -> TargetState:
        """Return the state of a target."""
        return self.pipeline.state(self.project, target, self.store, self.base)

    def body(self, name: str = "") -> BodySpec:
        """Return the decisions on a body; the name is optional if there is only one.

        Raises:
            ModelError: when there is none of that name, or several without a name given.
        """
        bodies = self.project.bodies
        if not bodies:
            raise ModelError("The project has no body.", "Import a deck first.")
        if not name and len(bodies) > 1:
            known = ", ".join(repr(body.name) for body in bodies)
            raise ModelError("It is not said which body.", f"There are: {known}.")
        return self.project.body(name or bodies[0].name)

    def doubtful(self, targets: Iterable[Target]) -> list[str]:
        """Return the names of computed analyses whose results cannot be trusted; findings give the reasons."""
        return [target.item for target in targets if self.state(target).warnings]

    # Results

    def last_with_results(self) -> str:
        """Return the name of the last analysis that has results, "name (earlier)" when they are out of date.

        Raises:
            ModelError: when there are none.
        """
        from faying.exporters.earlier import EARLIER

        states = [
            (analysis.name, self.state(target_of(analysis))) for analysis in reversed(self.project.analyses)
        ]
        for name, state in states:
            if state.key and self.store.results(state.key) is not None:
                return str(name)
        for name, state in states:
            if state.earlier:
                return f"{name}{EARLIER}"
        file = self.path.name if self.path is not None else f"Project {self.project.name!r}"
        hint = f"Run it first: faying run {self.path}" if self.path is not None else "Run it first."
        raise ModelError(f"{file} holds no results.", hint)

    def results(self, analysis: str) -> "Results":
        """Return the opened results of an analysis; nothing is computed, and the caller closes them.

        Args:
            analysis: its name, with " (earlier)" behind it for results that are out of date.

        Raises:
            ModelError: when there is no such analysis, or it has no results yet.
        """
        from faying.exporters.earlier import analysis_of, earlier_recipe

        if (out_of_date := analysis_of(self.project, analysis)) is not None:
            recipe = earlier_recipe(self.project, out_of_date, self.store, self.pipeline, self.base)
            key = recipe.key if recipe is not None else ""
        else:
            key = self.state(target_of(self.project.analysis(analysis))).key
        place = self.store.results(key) if key else None
        if place is None:
            raise ModelError(f"Analysis {analysis!r} has no results yet.", "Run the project first.")
        return place.open()

    def compute_true_fields(self, analysis: str, progress: Progress | None = None) -> None:
        """Correct all frames of an analysis on the FE model, of a system those of each part that can be.

        They are stored, and shown under the analysis's name with " (true fields)" behind it.

        Raises:
            ModelError: for an analysis whose frames cannot be corrected.
            Cancelled: on request; frames so far are kept.
        """
        from faying.analyses.recording.true_fields import TRUE_FIELDS

        self.project.analysis(f"{analysis}{TRUE_FIELDS}")  # raises where there are none
        for each in self.project.corrections_of(self.project.analysis(analysis)):
            self.compute(target_of(each), progress)

    def name_with_true_fields(self, analysis: str) -> str:
        """Return an analysis's name with " (true fields)" behind it where they are switched on and all stored."""
        from faying.exporters.systems import name_with_true_fields

        return name_with_true_fields(self.project, analysis, lambda each: self.state(each).status == "ready")

    def shown(self, analysis: str, progress: Progress | None = None) -> "ShownContent":
        """Return the contents to show of an analysis of a body or a system, or of the modes of the first body.

        Nothing expensive is computed; raises as `results`.
        """
        from faying.exporters.systems import shown_content

        return shown_content(
            self.project, self.store, analysis, base=self.base, pipeline=self.pipeline, memory=self.memory,
            progress=progress or self.progress,
        )  # fmt: skip

    def shown_body(
        self, analysis: str, *, body: str = "", part: str = "", progress: Progress | None = None,
        kept: "Callable[[FeModel], Kept] | None" = None,
    ) -> "ExportContent":  # fmt: skip
        """Return the contents to show of a body, or of a flexible part of a system in motion.

        Nothing expensive is computed; arguments and errors as of `faying.exporters.export_content`.
        """
        from faying.exporters import export_content

        return export_content(
            self.project, self.store, analysis, body=body, part=part, base=self.base, pipeline=self.pipeline,
            memory=self.memory, progress=progress or self.progress, kept=kept or self._kept_of,
        )  # fmt: skip

    def _kept_of(self, model: "FeModel") -> "Kept":
        """Return the cache of fields for the model that was shown last."""
        from faying.results.fields import Kept

        if self._kept is None or self._kept[0] is not model:
            self._kept = model, Kept()
        return self._kept[1]
