"""Reactions: balance of support reactions and loads."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

# Relative to the loads: note, warning; above the third a static run is doubtful.
_NOTED, _MUCH, _DOUBTFUL = 0.01, 0.05, 0.2


@checks.register("reaction_balance")
def reaction_balance(checked: CheckedProject) -> Iterator[Finding]:
    """Check each run's support reactions against its loads."""
    for number, analysis in enumerate(checked.project.analyses):
        found = checked.reports.get(analysis.name, {}).get("reaction_balance", {})
        share, moves = found.get("share", 0.0), found.get("in_motion", False)
        if share > _NOTED and (share <= _DOUBTFUL or moves):
            yield Finding(
                "note" if share <= _MUCH else "warning",
                ("analyses", number),
                f"In {analysis.name!r} the forces at {found['node']!r} miss the reaction that balances the loads by "
                f"{percent(share)} of these: stresses near it are as far off.",
                f"Give the body more {'vibration and ' if moves else ''}joint modes, if these stresses matter.",
            )
