"""Weak ties: whether their share of a joint's load was negligible in a run."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent

_NOT_SMALL = 0.02  # relative to the load in the joint


@checks.register("tie_shares")
def tie_shares(checked: CheckedProject) -> Iterator[Finding]:
    """Check the force in the weak ties of each joint in each run."""
    for number, analysis in enumerate(checked.project.analyses):
        for joint, share in checked.reports.get(analysis.name, {}).get("tie_shares", {}).items():
            if share > _NOT_SMALL:
                yield Finding(
                    "warning",
                    ("analyses", number),
                    f"In {analysis.name!r} the weak ties of joint {joint!r} carry {percent(share)} of its load: the "
                    "contact has so much less to carry than in truth.",
                    "Give the body weaker ties (weak_ties), close a large initial gap in the joint's search, or hold "
                    "the part by a coupling or a beam.",
                )
