"""Separated modes: whether what their inertia would have done was small enough to leave out."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks

_NOT_SMALL = 0.05  # of the elastic forces, root mean square over the run


@checks.register("separation")
def separation(checked: CheckedProject) -> Iterator[Finding]:
    """Check the run of each analysis whose modes were separated."""
    for number, analysis in enumerate(checked.project.analyses):
        ratio = checked.reports.get(analysis.name, {}).get("separation_ratio", 0.0)
        if ratio > _NOT_SMALL:
            yield Finding(
                "warning",
                ("analyses", number),
                f"In the run of {analysis.name!r} the inertia forces of the separated joint modes, which are left out, "
                f"would have been {100 * ratio:.0f} % of their elastic forces.",
                "Give the integrator a higher separation frequency, or do not separate modes.",
            )
