"""Sampled joints: whether the pairs that acted were enough."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_NOT_SMALL = 0.05  # of the deformation


@checks.register("sampling")
def sampling(checked: CheckedProject) -> Iterator[Finding]:
    """Check what the sampled joints missed in the run of each analysis."""
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
