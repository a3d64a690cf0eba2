"""Completed runs with unreliable results."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks


@checks.register("doubtful_runs")
def doubtful_runs(checked: CheckedProject) -> Iterator[Finding]:
    """Report why the results of an analysis are doubtful, see `faying.results.quality_warnings`."""
    for number, analysis in enumerate(checked.project.analyses):
        for sentence, hint in checked.reports.get(analysis.name, {}).get("warnings", ()):
            yield Finding(
                "warning",
                ("analyses", number),
                f"The result of {analysis.name!r} is doubtful. {sentence}",
                hint,
            )
