"""Reactions: whether what supports exert balances the loads."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

# Of the loads: noted, warned of; beyond the third a run in statics is doubtful itself.
_NOTED, _MUCH, _DOUBTFUL = 0.01, 0.05, 0.2


@checks.register("reaction_balance")
def reaction_balance(checked: CheckedProject) -> Iterator[Finding]:
    """Check what each run reports of the forces at its supports against its loads."""
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
