"""Time integrations in which many attempts of a step did not converge."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import MANY_FAILED, failed_tries


@checks.register("failed_tries")
def find_failed_tries(checked: CheckedProject) -> Iterator[Finding]:
    """Report many failed attempts of time steps: results are reliable, but take long."""
    for number, analysis in enumerate(checked.project.analyses):
        share, told = failed_tries(checked.reports.get(analysis.name, {}), checked.project.units)
        if share > MANY_FAILED:
            yield Finding(
                "note",
                ("analyses", number),
                f"In the run of {analysis.name!r} {told}.",
                "Soften the contact or friction stiffness, or shorten the largest step to the one that converges.",
            )
