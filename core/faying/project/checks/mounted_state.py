"""Mounted bodies: whether the reduction basis represents the state under their preload cases."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_NOT_SMALL = 0.01  # relative to the motion of the gaps


@checks.register("mounted_state")
def mounted_state(checked: CheckedProject) -> Iterator[Finding]:
    """Check the runs of analyses of bodies with preload cases."""
    for number, analysis in enumerate(checked.project.analyses):
        error = checked.reports.get(analysis.name, {}).get("mounted_error", 0.0)
        if error > _NOT_SMALL:
            yield Finding(
                "warning",
                ("analyses", number),
                f"The trial vectors of {analysis.name!r} miss {percent(error)} of how the joints open and close "
                "under the preload cases: the mounted state is off by as much, and all that happens from there.",
                "Let preload modes be trial vectors, or take equilibrium snapshots, which hold the mounted state.",
            )
