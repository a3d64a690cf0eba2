"""The report's section about one run: numbers, tables, picture, histories, loops, bolts, record of the solution."""

import html
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from faying.analyses import BodyAnalysis
from faying.analyses.diagrams import diagrams_of
from faying.errors import ModelError
from faying.exporters import ExportSettings
from faying.exporters.flank_picture import flank_picture
from faying.exporters.report_parts.markup import Cell, bullets, paragraph, table, upright, without_empty
from faying.exporters.report_parts.sentences import analysis_sentence, listed, plain, step_sentences
from faying.exporters.report_parts.sources import DPI, ReportedRun, ReportSources
from faying.exporters.report_parts.system_section import constraint_curves, constraint_tables
from faying.exporters.report_parts.turning_view import ROOM, turning
from faying.exporters.systems import parts_with_true_fields, telling_field
from faying.progress import Progress
from faying.project.checks import Finding
from faying.project.specs import Project
from faying.results.bolt_table import texts_of
from faying.results.bolt_verdicts import bolt_results
from faying.results.curves import (
    axis_curve,
    curve_plot,
    first_curves,
    is_measured,
    laid_over,
    run_title,
    stored_curve,
)
from faying.results.formula import find_field
from faying.results.key_results import KeyResult
from faying.results.results import Results
from faying.results.run_tables import RUN_TABLES, cell_texts
from faying.results.verdicts import facts_of
from faying.units import UnitSystemName

PICTURE = (1280, 720)
RESULT_HEADS = ("Result", "Value", "Where", "When", "Verdict")
_MAX_COLUMNS = 8  # columns of a table that a page has room for; more stand under each other
_MAX_CURVES = 6


def result_section(sources: ReportSources, run: ReportedRun, progress: Progress) -> str:
    """Return the section about a run as HTML."""
    progress.report(0.0)
    units = sources.project.units
    parts = [paragraph(analysis_sentence(run.analysis, units)), bullets(step_sentences(run.analysis, units))]
    results = run.results
    if results is None:
        return "\n".join([*parts, paragraph("Not run yet.", "warning")])
    if not results.complete:
        parts.append(paragraph("The run was interrupted before its end.", "warning"))
    if run.why_old:
        parts.append(paragraph(f"These results are out of date: {run.why_old}.", "warning"))
    if run.of_body is not None and not run.of_body.body_context.is_reduced and run.analysis.needs_reduced:
        parts.append(
            paragraph("Pressures and stresses are true fields: all frames were corrected on the FE model.")
        )
    if run.content is not None and (true := parts_with_true_fields(run.content)):
        whose = f"Pressures and stresses of {listed(true)}"
        parts.append(paragraph(f"{whose} are true fields: all frames were corrected on the FE model."))
    for sentence, hint in results.warnings:
        parts.append(paragraph(f"Doubtful. {sentence} {hint}", "doubtful"))
    doubts = [fact.title for fact in facts_of(results.report, units) if fact.verdict == "doubtful"]
    if doubts:
        parts.append(paragraph(f"Doubtful. See how the run went: {listed(doubts).lower()}.", "doubtful"))
    parts += _numbers(run, units)
    parts += constraint_tables(run, units)
    parts.append(_picture(sources, run, progress))
    parts += [
        _curves(sources, run),
        *constraint_curves(sources, run),
        _loop(sources, run),
        _bolts(run, units),
    ]
    for name, (title, make) in RUN_TABLES.items():
        if not (columns := make(results)):
            continue
        if name == "flanks":  # a picture in place of hundreds of rows
            with suppress(ModelError):
                parts.append(f"<h4>{html.escape(title)}</h4>{flank_picture(columns, units)}")
            continue
        heads = [column.head(units) for column in columns]
        made = upright if len(heads) > _MAX_COLUMNS else table
        parts.append(f"<h4>{html.escape(title)}</h4>{made(*without_empty(heads, cell_texts(columns, 4)))}")
    facts = [
        (fact.title, Cell(fact.text), Cell(fact.verdict, fact.verdict))
        for fact in facts_of(results.report, units)
    ]
    parts.append(table(*without_empty(("How the run went", "", "Verdict"), facts)))
    own = [f for f in sources.findings if _is_about(sources.project, f, run)]
    if own:
        parts.append(
            "<h4>Findings</h4>"
            + bullets(f"{f.severity.capitalize()}: {f.sentence} {f.hint}".strip() for f in own)
        )
    recipe = sources.store.recipe(run.key)
    if recipe and recipe.made_with:
        parts.append(paragraph(f"Made with {plain(recipe.made_with, units)}.", "muted"))
    return "\n".join(part for part in parts if part)


def result_cells(number: KeyResult, units: UnitSystemName) -> tuple[object, ...]:
    """Return the cells of a number under `RESULT_HEADS`."""
    verdict = ": ".join(part for part in (number.verdict, number.why) if part)
    return (
        number.title,
        Cell(number.text(units), is_number=True),
        number.where,
        number.when,
        Cell(verdict, number.verdict),
    )


def sampled_note(numbers: Sequence[KeyResult]) -> str:
    """Return a paragraph that says in how many frames extremes were searched; "" if in all of them."""
    notes = dict.fromkeys(number.sampled for number in numbers if number.sampled)
    return paragraph(f"Largest pressures and stresses {', '.join(notes)}.", "muted") if notes else ""


def _numbers(run: ReportedRun, units: UnitSystemName) -> list[str]:
    """Return the tables of key results; several joints get their own table with a row for each."""
    joints = list(dict.fromkeys(number.joint for number in run.numbers if number.joint))
    apart = len(joints) > 1
    rows = [result_cells(run.agreeing(n), units) for n in run.numbers if not (apart and n.joint)]
    parts = [table(*without_empty(RESULT_HEADS, rows), "Results.")]
    if apart:
        there = {(number.joint, number.measure): number for number in run.numbers if number.joint}
        measures = list(dict.fromkeys(measure for _, measure in there))
        lines = []
        for joint in joints:
            found = [there.get((joint, measure)) for measure in measures]
            pressed = next((n for n in found if n is not None and n.where), None)
            cells = [
                Cell(n.text(units) if n is not None else "", n.verdict if n else "", True) for n in found
            ]
            lines.append((joint, *cells, pressed.where if pressed else "", pressed.when if pressed else ""))
        heads = ("Joint", *measures, "there", "then")
        parts.append(
            table(*without_empty(heads, lines), "Joints: at the end of the run, and their extremes over it.")
        )
    return [*parts, sampled_note(run.numbers)]


def _picture(sources: ReportSources, run: ReportedRun, progress: Progress) -> str:
    if run.content is None:
        return paragraph(f"No picture: {run.why_not_shown}", "muted") if run.why_not_shown else ""
    field = telling_field(run.content)
    assert run.results is not None
    last = run.results.n_frames - 1
    at = "at the end" if last else "in the only frame"
    caption = (
        f"{find_field(field).title} {at} of {run.analysis.name}."
        if field
        else f"{run.analysis.name} at its end."
    )
    settings = ExportSettings(field, (last,), size=PICTURE, dpi=DPI, marks=False)
    picture = sources.drawn(run.content, settings, caption, progress)
    if not sources.turning or (body := run.of_body) is None or not isinstance(run.analysis, BodyAnalysis):
        return picture
    skin = sources.value("skin", run.analysis.body)
    return turning(picture, body, skin, ROOM // max(len(sources.runs), 1), progress)


def _curves(sources: ReportSources, run: ReportedRun) -> str:
    """Return diagrams of the whole run, else plots over time: displacements or energies, and forces of joints."""
    results = run.results
    assert results is not None
    if drawn := diagrams_of(results, sources.project.units):
        return "\n".join(
            sources.plotted(plot, f"{run.analysis.name}: {title}. {plot.meaning}")
            for title, plot in drawn.items()
        )
    if results.n_frames < 2:
        return ""
    texts = results.curve_texts
    forces, shares = (
        sorted(text for key, text in texts.items() if key.quantity == quantity)[:_MAX_CURVES]
        for quantity in ("normal force", "closed share")
    )
    # With many joints, forces and shares would hide each other in one picture.
    joints = [(forces, "normal force of the joints"), (shares, "closed share of the joints")]
    if len(forces) <= 2:
        joints = [(forces + shares, "force and closed share of the joints")]
    parts = []
    for chosen, title in ((sorted(first_curves(results)), "histories"), *joints):
        if chosen:
            curves = tuple(replace(stored_curve(results, c, i), phase=None) for i, c in enumerate(chosen))
            plot = curve_plot(
                run_title(run.analysis.name, results), axis_curve(results), curves, sources.project.units
            )
            plot = laid_over(plot, _compared(sources, run), sources.project.units)
            parts.append(sources.plotted(plot, f"{run.analysis.name}: {title}."))
    return "\n".join(parts)


def _compared(sources: ReportSources, run: ReportedRun) -> dict[str, Results]:
    """Return measured points of the body of a run, and for a backbone its other backbones, by name."""
    kind = run.results.axis.kind if run.results is not None else ""
    return {
        other.analysis.name: other.results
        for other in sources.runs
        if other is not run
        and other.results is not None
        and other.analysis.owner == run.analysis.owner
        and (is_measured(other.results) or other.results.axis.kind == kind == "amplitude")
    }


def _loop(sources: ReportSources, run: ReportedRun) -> str:
    """Return the loop of load against displacement of a run with cyclic steps."""
    results = run.results
    assert results is not None
    cyclic = any(step.get("loop_areas") for step in _steps(results))
    names = loop_curves(results) if cyclic else None
    if names is None:
        return ""
    load, motion = names
    plot = curve_plot(
        run_title(run.analysis.name, results), stored_curve(results, motion), (stored_curve(results, load),),
        sources.project.units,
    )  # fmt: skip
    return sources.plotted(
        plot, f"{run.analysis.name}: {load} against {motion}, whose loops are the work of friction."
    )


def loop_curves(results: Results) -> tuple[str, str] | None:
    """Return the names of the load curve with the most work and of the displacement along it; None without such."""
    most, best = 0.0, None
    for key in results.curve_keys:
        motion = replace(key, quantity="displacement")
        if key.quantity in ("applied force", "reaction force") and motion in results.curve_texts:
            work = float(np.ptp(results.curve(key)) * np.ptp(results.curve(motion)))
            if work > most:
                most, best = work, (results.curve_texts[key], results.curve_texts[motion])
    return best


def _steps(results: Results) -> list[dict[str, Any]]:
    told = results.report.get("steps", [])
    return [step for step in told if isinstance(step, dict)] if isinstance(told, list) else []


def _bolts(run: ReportedRun, units: UnitSystemName) -> str:
    """Return the table of bolts of a run of a body or system; nothing if it has none."""
    if run.why_no_bolts:
        return paragraph(f"No table of bolts: {run.why_no_bolts}", "muted")
    if not (rows := run.bolts):
        return ""
    limits = [result_cells(run.agreeing(number), units) for number in bolt_results(rows)]
    classed = any(row.strength_class for row in rows)
    source = "Safety against proof load and yielding: ISO 898-1; fatigue: VDI 2230; without the torsion of tightening."
    return (
        f"<h4>Bolts</h4>{table(*without_empty(RESULT_HEADS, limits), 'The bolt nearest to each limit.')}"
        + upright(*texts_of(rows, units))
        + (paragraph(source, "muted") if classed else "")
    )


def _is_about(project: Project, finding: Finding, run: ReportedRun) -> bool:
    """Return whether a finding is about an analysis or one of its parts."""
    path = finding.entity
    return (
        len(path) > 1
        and path[0] == "analyses"
        and isinstance(path[1], int)
        and (path[1] < len(project.analyses) and project.analyses[path[1]] is run.analysis)
    )
