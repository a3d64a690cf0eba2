"""Runs that take long: time integrations even without failed steps, and vibrations with friction."""

from collections.abc import Iterator

from faying.analyses import Analysis, SystemAnalysis
from faying.analyses.recording.run_length import least_length
from faying.project.checks import CheckedProject, Finding, checks

_HOUR, _DAY, _YEAR = 3600.0, 86400.0, 3.2e7  # s
_POINT = 10.0  # s, of a vibration


@checks.register("long_runs")
def long_runs(checked: CheckedProject) -> Iterator[Finding]:
    """Report the minimum duration of long runs, and what a point of a long vibration takes."""
    for number, analysis in enumerate(checked.project.analyses):
        least = least_length(analysis, checked.reports.get(analysis.name, {}))
        if least is not None and least.seconds > _DAY:
            yield Finding(
                "error" if least.seconds > _YEAR else "warning",
                ("analyses", number),
                f"{analysis.name!r} takes {least.sentence}.",
                "Make the largest step of its integrator longer, or the duration shorter.",
            )
        # Of vibrations with friction, whose modules other projects do not load.
        cost_of = getattr(analysis, "point_cost", None)
        cost = None if cost_of is None else cost_of(_pairs(checked, analysis))
        if cost is not None and (cost.seconds > _HOUR or cost.per_point > _POINT):
            yield Finding(
                "warning" if cost.seconds > _DAY else "note", ("analyses", number),
                f"{analysis.name!r} takes {cost.sentence}.",
                "Take fewer harmonics or samples; pairs are those of the finer mesh of each joint.",
            )  # fmt: skip


def _pairs(checked: CheckedProject, analysis: Analysis) -> int:
    """Return the number of contact pairs of the body, or of the parts of the system, as far as they are found."""
    names = [analysis.owner]
    if isinstance(analysis, SystemAnalysis):
        names = [
            part.body_name()
            for each in checked.project.systems
            if each.name == analysis.owner
            for part in each.parts
        ]
    return sum(len(pairs) * names.count(body) for (body, _), pairs in checked.pairs.items())
