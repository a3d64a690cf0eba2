"""The report's chapter that compares reduced runs with those of the unreduced FE model under the same loads."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from faying.exporters import ExportContent, ExportSettings
from faying.exporters.report_parts.markup import Cell, Section, paragraph, table
from faying.exporters.report_parts.sources import DPI, ReportedRun, ReportSources
from faying.exporters.systems import telling_field
from faying.progress import Progress
from faying.results.key_results import KeyResult, key_results
from faying.results.verdicts import percent
from faying.units import UnitSystemName

_WIDE = (1600, 640)
_MAX_DIFFERENCE = 0.005  # of two shares
_UNREDUCED = "unreduced_"
_EQUAL_SETTINGS = ("loads", "support", "preloads", "body_loads", "displacements", "friction", "steps")


def comparison_sections(sources: ReportSources, progress: Progress) -> list[Section]:
    """Return the chapter with a section for each pair of runs; none without pairs."""
    found: list[Section] = []
    for run in sources.runs:
        if (whole := unreduced_of(run, sources.runs)) is not None:
            title, text = (
                f"{run.analysis.name} against {whole.analysis.name}",
                _compared(sources, run, whole, progress),
            )
            found.append(Section(f"against-{len(found) + 1}", title, text, 2))
    return [Section("comparison", "Reduced against unreduced", ""), *found] if found else []


def unreduced_of(run: ReportedRun, runs: Sequence[ReportedRun]) -> ReportedRun | None:
    """Return the run of the FE model that corresponds to a reduced run, or None."""
    if run.results is None or run.of_body is None or run.analysis.kind.startswith(_UNREDUCED):
        return None
    for other in runs:
        if (
            other.analysis.kind != _UNREDUCED + run.analysis.kind
            or other.analysis.owner != run.analysis.owner
        ):
            continue
        same = all(
            getattr(other.analysis, n, None) == getattr(run.analysis, n, None) for n in _EQUAL_SETTINGS
        )
        if same and other.results is not None and other.of_body is not None:
            return other
    return None


def _compared(sources: ReportSources, run: ReportedRun, whole: ReportedRun, progress: Progress) -> str:
    units, shown, other = sources.project.units, run.of_body, whole.of_body
    assert shown is not None and other is not None
    heads = ("", "Reduced", "Unreduced", "Difference")
    parts = []
    if _covers(run, whole):
        rows = _rows(run.numbers, whole.numbers, whole.numbers, units, over_run=True)
        parts.append(table(heads, rows, "Largest of the run."))
    mine, its = _at_end(sources, run, shown, progress), _at_end(sources, whole, other, progress)
    parts += [
        table(heads, _rows(mine, its, whole.numbers, units), "At the end of the run."),
        paragraph(
            "Differences are in per cent of the largest unreduced value of the run, of shares in percentage points. "
            "Shares that are alike are left out.",
            "muted",
        ),
    ]
    field = telling_field(shown)
    settings = ExportSettings(field, (shown.n_frames - 1,), size=_WIDE, dpi=DPI, marks=False)
    caption = (
        f"{field.replace('_', ' ').capitalize()} of reduced body (left) and FE model (right), on one scale."
    )
    return "\n".join([*parts, sources.drawn(replace(shown, beside=(other,)), settings, caption)])


def _covers(run: ReportedRun, whole: ReportedRun) -> bool:
    """Return whether both runs have frames over the same range: only then are their extremes comparable."""
    mine, its = run.results, whole.results
    if mine is None or its is None or min(mine.n_frames, its.n_frames) < 2:
        return False
    ends = [(float(each.values[0]), float(each.values[-1])) for each in (mine, its)]
    return mine.axis.kind == its.axis.kind and bool(np.allclose(ends[0], ends[1]))


def _at_end(
    sources: ReportSources, run: ReportedRun, body: ExportContent, progress: Progress
) -> tuple[KeyResult, ...]:
    assert run.results is not None
    return key_results(
        run.results, body.context.of_body, body.pairs, sources.project.units, progress, at_end=True
    )


def _rows(
    mine: Sequence[KeyResult], others: Sequence[KeyResult], largest: Sequence[KeyResult], units: UnitSystemName,
    *, over_run: bool = False,
) -> list[tuple[object, ...]]:  # fmt: skip
    """Return title, both values and their difference of all common numbers; with `over_run` only extremes."""
    there, most = {n.title: n for n in others}, {n.title: abs(n.value) for n in largest}
    rows: list[tuple[object, ...]] = []
    for number in mine:
        other = there.get(number.title)
        if other is None or (over_run and not number.is_extreme):
            continue
        if not number.quantity and abs(number.value - other.value) < _MAX_DIFFERENCE:
            continue
        scale = max(most.get(number.title, 0.0), abs(other.value))
        away = (
            number.value - other.value if not number.quantity else _share(number.value - other.value, scale)
        )
        texts = number.text(units), other.text(units), _signed_percent(away)
        rows.append((number.title, *(Cell(text, is_number=True) for text in texts)))
    return rows


def _share(difference: float, scale: float) -> float:
    return difference / scale if scale else float("nan")


def _signed_percent(share: float) -> str:
    if not np.isfinite(share):
        return "–"
    text = percent(abs(share))
    return text if text.startswith("less") else f"{'+' if share > 0 else '−' if share < 0 else ''}{text}"
