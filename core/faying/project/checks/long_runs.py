"""Time integrations that take very long even without failed steps."""

from collections.abc import Iterator

from faying.analyses.recording.run_length import least_length
from faying.project.checks import CheckedProject, Finding, checks

_DAY, _YEAR = 86400.0, 3.2e7  # s


@checks.register("long_runs")
def long_runs(checked: CheckedProject) -> Iterator[Finding]:
    """Report the minimum duration of long runs."""
    for number, analysis in enumerate(checked.project.analyses):
        least = least_length(analysis, checked.reports.get(analysis.name, {}))
        if least is not None and least.seconds > _DAY:
            yield Finding(
                "error" if least.seconds > _YEAR else "warning",
                ("analyses", number),
                f"{analysis.name!r} takes {least.sentence}.",
                "Make the largest step of its integrator longer, or the duration shorter.",
            )
