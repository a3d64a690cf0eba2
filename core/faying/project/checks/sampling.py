"""Sampled joints: whether the active pairs were sufficient."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_NOT_SMALL = 0.05  # relative to the deformation


@checks.register("sampling")
def sampling(checked: CheckedProject) -> Iterator[Finding]:
    """Check the error of sampled joints in each run."""
    for number, analysis in enumerate(checked.project.analyses):
        told = checked.reports.get(analysis.name, {}).get("sampling", {})
        error = told.get("error", 0.0)
        if error > _NOT_SMALL:
            joints = ", ".join(
                f"{counts['pairs']} of {counts['of']} pairs in joint {joint!r}"
                for joint, counts in told["joints"].items()
            )
            yield Finding(
                "warning",
                ("analyses", number),
                f"{analysis.name!r} went beyond what its sampled joints know ({joints}): with all pairs the "
                f"deformation would change by {percent(error)}.",
                "Name an analysis with loads like those of the motion in the joint's sampling, choose a smaller "
                "tolerance, or let all pairs act.",
            )
