"""A report of a project as one HTML file or PDF: results, whether they can be trusted, and how they were obtained."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from faying.analyses import Analysis
from faying.errors import FayingError
from faying.exporters import ExportContent
from faying.exporters.earlier import EARLIER
from faying.exporters.output import replacing
from faying.exporters.report_parts.comparison import comparison_sections, unreduced_of
from faying.exporters.report_parts.markup import Section, figure, numbered, paragraph, table, without_empty
from faying.exporters.report_parts.method_and_appendix import appendix_sections, method_text
from faying.exporters.report_parts.model_sections import model_sections
from faying.exporters.report_parts.printing import print_page
from faying.exporters.report_parts.result_section import (
    RESULT_HEADS,
    result_cells,
    result_section,
)
from faying.exporters.report_parts.sentences import listed
from faying.exporters.report_parts.sources import ReportedRun, ReportSources
from faying.exporters.report_parts.system_section import drive_results, flexible_parts
from faying.exporters.report_parts.template import ENDINGS as PAGES
from faying.exporters.report_parts.template import PAGE, filled, read_template, style
from faying.exporters.report_parts.turning_view import STYLE, program
from faying.exporters.systems import ShownContent, name_with_true_fields, shown_content
from faying.progress import PartialProgress, Progress
from faying.project.findings import find_findings
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import Project
from faying.project.stage import target_of
from faying.project.store import ArtifactStore
from faying.results.bolt_verdicts import bolt_results
from faying.results.key_results import KeyResult, key_results
from faying.units import unit_text

ENDINGS = (*PAGES, ".pdf")
PAPERS = ("A4", "letter")


@dataclass(frozen=True)
class ReportTexts:
    """Texts of a report in addition to the project, and its layout.

    Attributes:
        author, revision: written at the top; "" for none.
        paper: "A4" or "letter", for print.
        logo: a picture file (.png, .jpg, .svg) at the top; None for none.
        template: an HTML file that contains `$title`, `$sections`, …; None for the default one.
        paths: whether it names the files of decks with their paths.
    """

    author: str = ""
    revision: str = ""
    paper: str = "A4"
    logo: Path | None = None
    template: Path | None = None
    paths: bool = False


class Report:
    """Collects the existing artifacts and results of a project; computes no results.

    Args:
        project: the decisions.
        store: has artifacts and results.
        base: folder of relative deck paths.
        pipeline, memory: in use; new ones by default.
        pictures: whether this machine can draw the 3D pictures.
        words: author, paper, template, …
    """

    def __init__(
        self,
        project: Project,
        store: ArtifactStore,
        base: Path,
        *,
        pipeline: Pipeline | None = None,
        memory: Memory | None = None,
        pictures: bool = True,
        words: ReportTexts | None = None,
    ) -> None:
        from faying.project.stages import STAGES

        self._said = words or ReportTexts()
        self._sources = ReportSources(
            project, store, base, pipeline or Pipeline(STAGES), memory or Memory(), pictures, self._said.paths
        )

    def write(self, path: Path, progress: Progress) -> None:
        """Write the report as one self-contained file; a `.pdf` is printed by the browser of this machine.

        Raises:
            FayingError: when it cannot be written, template or logo cannot be read, or there is no browser.
            Cancelled: leaves no file behind.
        """
        template = PAGE if self._said.template is None else read_template(self._said.template)
        logo = self._logo()
        self._sources.turning = path.suffix.lower() != ".pdf"
        try:
            page = self._page(template, logo, progress)
        finally:
            for run in self._sources.runs:
                if run.results is not None:
                    run.results.close()
        with replacing(path) as beside:
            if path.suffix.lower() == ".pdf":
                progress.report(0.97, "report: print")
                print_page(page, beside)
            else:
                beside.write_text(page, encoding="utf-8")

    def _page(self, template: str, logo: str, progress: Progress) -> str:
        sources, said, project = self._sources, self._said, self._sources.project
        progress.report(0.0, "report: findings")
        sources.findings = tuple(
            find_findings(
                project, sources.store, sources.base, pipeline=sources.pipeline, memory=sources.memory
            )
        )
        count = max(len(project.analyses), 1)
        for i, analysis in enumerate(project.analyses):
            part = PartialProgress(
                progress, 0.1 + 0.4 * i / count, 0.1 + 0.4 * (i + 1) / count, f"report: {analysis.name}"
            )
            sources.runs.append(self._run(analysis, part))
        sections = [Section("summary", "Summary", self._summary()), *model_sections(sources)]
        if sources.runs:
            sections.append(Section("results", "Results", ""))
        for i, run in enumerate(sources.runs):
            part = PartialProgress(
                progress, 0.5 + 0.3 * i / count, 0.5 + 0.3 * (i + 1) / count, f"report: {run.analysis.name}"
            )
            sections.append(Section(f"run-{i + 1}", run.analysis.name, result_section(sources, run, part), 2))
        sections += comparison_sections(sources, PartialProgress(progress, 0.8, 0.95, "report: comparison"))
        sections.append(Section("method", "Method and basis", method_text(sources)))
        appendix = [Section("appendix-title", "Appendix", ""), *appendix_sections(sources)]
        contents, text = numbered([*sections, *appendix])
        if '<div class="turning">' in text:
            text += f"<script>{program()}</script>"
        main, _, rest = text.partition('<section id="appendix-title">')
        units = ", ".join(unit_text(q, project.units) for q in ("length", "mass", "time", "force", "stress"))
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        running = " · ".join(
            part for part in (project.name, said.revision and f"revision {said.revision}", now[:10]) if part
        )
        return filled(
            template,
            {
                "title": html.escape(project.name), "subtitle": paragraph(project.note),
                "author": html.escape(said.author or "not given"),
                "revision": html.escape(said.revision or "not given"), "date": now, "units": html.escape(units),
                "logo": logo, "contents": contents, "sections": main,
                "appendix": f'<section id="appendix-title">{rest}', "style": style(said.paper, running) + STYLE,
            },
        )  # fmt: skip

    def _logo(self) -> str:
        if self._said.logo is None:
            return ""
        try:
            return figure(self._said.logo, "").replace("<figcaption></figcaption>", "")
        except (OSError, KeyError):
            raise FayingError(
                f"The logo {self._said.logo} cannot be read.", "Choose a .png, .jpg or .svg."
            ) from None

    # What was computed ---------------------------------------------------------------------------------

    def _run(self, analysis: Analysis, progress: Progress) -> ReportedRun:
        """Return an analysis with its results, if any, and the numbers of first interest."""
        progress.report(0.0)
        sources = self._sources
        state = sources.pipeline.state(sources.project, target_of(analysis), sources.store, sources.base)
        key, place = state.key, sources.store.results(state.key) if state.key else None
        old = place is None and bool(state.earlier)
        if old:
            key, place = state.earlier, sources.store.results(state.earlier)
        run = ReportedRun(analysis, why_old="; ".join(state.why) if old else "", key=key)
        if place is None:
            return run
        run.results = place.open()
        if not run.results.n_frames:
            return run
        try:
            run.content = self._shown(f"{analysis.name}{EARLIER}" if old else analysis.name)
        except FayingError as error:
            run.why_not_shown = str(error)
        if run.content is not None:
            try:
                run.bolts = run.content.bolt_table()
            except FayingError as error:
                run.why_no_bolts = str(error)
        if run.content is not None and not old:
            name = name_with_true_fields(sources.project, analysis.name, sources.has)
            if name != analysis.name:
                run.content = self._shown(name)
        body = run.content if isinstance(run.content, ExportContent) else None
        run.numbers = key_results(
            run.results, body.context.of_body if body is not None else None,
            body.pairs if body is not None else {}, sources.project.units, progress,
            parts=flexible_parts(run.content),
        )  # fmt: skip
        return run

    def _shown(self, analysis: str) -> ShownContent:
        """Return the content of an analysis, its earlier results or its true fields."""
        sources = self._sources
        return shown_content(
            sources.project, sources.store, analysis, base=sources.base, pipeline=sources.pipeline,
            memory=sources.memory,
        )  # fmt: skip

    def _summary(self) -> str:
        sources = self._sources
        done = [
            run
            for run in sources.runs
            if run.results is not None and run.results.complete and not run.why_old
        ]
        doubtful = [run.analysis.name for run in sources.runs if run.verdict == "doubtful"]
        missing = [run.analysis.name for run in sources.runs if run not in done]
        count = {
            kind: sum(f.severity == kind for f in sources.findings) for kind in ("error", "warning", "note")
        }
        sentences = [f"{len(done)} of {len(sources.runs)} analyses are complete and up to date."]
        if missing:
            sentences.append(f"Not so: {listed(missing)}.")
        if doubtful:
            sentences.append(
                f"The results of {listed(doubtful)} are doubtful; the reasons are given with them."
            )
        found = [f"{n} {kind}{'s' if n != 1 else ''}" for kind, n in count.items() if n]
        sentences.append(f"The checks of model and results found {listed(found) or 'nothing'}.")
        rows = []
        compared = [unreduced_of(run, sources.runs) for run in sources.runs]
        for run in sources.runs:
            if run in compared:
                continue  # the comparison chapter has its numbers
            drives = drive_results(run, sources.project.units)
            told = [run.agreeing(n) for n in (*_most_telling(run.numbers), *drives, *bolt_results(run.bolts))]
            for k, number in enumerate(told):
                rows.append(
                    (run.analysis.name if not k else "", *result_cells(number, sources.project.units))
                )
        body = paragraph(" ".join(sentences), "doubtful" if doubtful or count["error"] else "")
        return body + table(*without_empty(("Analysis", *RESULT_HEADS), rows), "The main results.")


def _most_telling(numbers: Sequence[KeyResult]) -> list[KeyResult]:
    """Return the first displacements, the largest value of each kind in joints and body, the most open joint, and the
    least safety.
    """
    moved = [n for n in numbers if n.title.startswith("Displacement")]
    closed = [n for n in numbers if n.measure in ("Closed", "Least closed")]
    opened = [min(closed, key=lambda n: n.value)] if closed else []
    pressed = [n for n in numbers if n.measure == "Largest pressure"]
    hardest = [max(pressed, key=lambda n: n.value)] if pressed else []
    others = ("Largest von Mises", "Largest reaction", "Largest force", "Least safety", "Work dissipated")
    return moved[:2] + opened + hardest + [n for n in numbers if n.title.startswith(others)][:4]
