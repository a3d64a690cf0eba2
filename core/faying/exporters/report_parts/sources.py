"""Common input of all sections of a report: the project, its artifacts and runs, and the drawing of pictures."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faying.analyses import Analysis
from faying.errors import Cancelled, FayingError
from faying.exporters import ExportContent, ExportSettings, exporter_for
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.exporters.report_parts.markup import figure, paragraph
from faying.exporters.systems import ShownContent, write_content
from faying.plot import Plot
from faying.progress import Progress, Silent
from faying.project.checks import Finding
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.results.bolt_table import BoltRow
from faying.results.key_results import KeyResult, agreeing_with
from faying.results.results import Results
from faying.results.verdicts import Verdict, verdict_of_run

DPI = 190
"""Pixels per inch of pictures as wide as a page, on which letters have the size of print."""

_PLOT = (900, 360)


@dataclass
class ReportedRun:
    """An analysis in the report.

    Attributes:
        analysis: the decisions.
        results, content: its results, and the content for pictures; None without results or picture.
        why_old: why its results are out of date; "" when they are not.
        why_not_shown: why there is no picture.
        key: key of its results in the store.
        numbers: its key results.
        bolts, why_no_bolts: the table of its bolts, or the reason why there is none.
    """

    analysis: Analysis
    results: Results | None = None
    content: ShownContent | None = None
    why_old: str = ""
    why_not_shown: str = ""
    key: str = ""
    numbers: tuple[KeyResult, ...] = ()
    bolts: tuple[BoltRow, ...] = ()
    why_no_bolts: str = ""

    @property
    def warnings(self) -> tuple[Any, ...]:
        """Why its numbers cannot be trusted."""
        return self.results.warnings if self.results is not None else ()

    @property
    def verdict(self) -> Verdict:
        """The worst verdict on the solution of the run: of its warnings and of the facts about it."""
        return "" if self.results is None else verdict_of_run(self.results.report, warned=bool(self.warnings))

    def agreeing(self, number: KeyResult) -> KeyResult:
        """Return a number of the run whose verdict is no better than that on the run."""
        return agreeing_with(number, self.verdict)

    @property
    def of_body(self) -> ExportContent | None:
        """Displayable content of a run of one body; None for other runs, and without frames."""
        shown = self.content
        return shown if isinstance(shown, ExportContent) and shown.n_frames else None


@dataclass
class ReportSources:
    """The project with its artifacts.

    Attributes:
        project: the decisions.
        store: has artifacts and results.
        base: folder of relative deck paths.
        pipeline, memory: in use.
        pictures: whether this machine can draw the 3D pictures.
        turning: whether pictures of bodies turn: in pages, not in print.
        paths: whether the report names the files of decks with their paths.
        runs: of all analyses, in order.
        findings: of checks and runs.
    """

    project: Project
    store: ArtifactStore
    base: Path
    pipeline: Pipeline
    memory: Memory
    pictures: bool
    paths: bool
    turning: bool = False
    runs: list[ReportedRun] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()

    def has(self, target: Target) -> bool:
        """Return whether an artifact exists and is up to date."""
        return self.pipeline.state(self.project, target, self.store, self.base).status == "ready"

    def value(self, stage: str, body: str, item: str = "") -> Any:
        """Return an artifact that exists and is up to date, else None."""
        target = Target(stage, body, item)
        if not self.has(target):
            return None
        return self.pipeline.value(self.project, target, self.store, self.base, self.memory)

    def drawn(
        self, content: ShownContent, settings: ExportSettings, caption: str, progress: Progress | None = None
    ) -> str:
        """Return a picture with its caption, or the reason why there is none."""
        if not self.pictures:
            return paragraph("No pictures can be drawn on this machine; faying doctor says why.", "muted")
        try:
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "picture.png"
                write_content(exporter_for(target), content, settings, target, progress or Silent())
                return figure(target, caption)
        except Cancelled:
            raise
        except FayingError as error:
            return paragraph(f"No picture: {error}", "muted")

    def plotted(self, plot: Plot, caption: str) -> str:
        """Return curves with their caption, or the reason why there are none."""
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "curves.svg"
            try:
                plot_writer_for(target).write(plot, target, PictureSettings(_PLOT))
                return figure(target, caption)
            except FayingError as error:
                return paragraph(str(error), "muted")
