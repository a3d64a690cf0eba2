"""Reactions: whether what supports exert balances the loads."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_SEEN, _DOUBTFUL = 0.01, 0.1  # of the loads; beyond the second the run itself is doubtful


@checks.register("reaction_balance")
def reaction_balance(checked: CheckedProject) -> Iterator[Finding]:
    """Check what each run reports of the forces at its supports against its loads."""
    for number, analysis in enumerate(checked.project.analyses):
        found = checked.reports.get(analysis.name, {}).get("reaction_balance", {})
        share = found.get("share", 0.0)
        if _SEEN < share <= _DOUBTFUL:
            yield Finding(
                "note",
                ("analyses", number),
                f"In {analysis.name!r} the forces at {found['node']!r} miss the reaction that balances the loads by "
                f"{percent(share)} of these: stresses near it are as far off.",
                "Give the body more joint modes, if these stresses matter.",
            )
