"""Accuracy of bodies solved iteratively."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, checks
from faying.project.made_with import RESIDUAL

_SMALL = 1e-8  # relative to the right-hand side: round-off of a direct solver in stiff meshes is similar


@checks.register("iterative_solver")
def iterative_solver(checked: CheckedProject) -> Iterator[Finding]:
    """Report the largest residual of iterative solutions, used where a factor did not fit into memory."""
    for number, analysis in enumerate(checked.project.analyses):
        text = checked.made_with.get(analysis.name, {}).get(RESIDUAL)
        if text is None or analysis.name not in checked.reports:
            continue
        large = not float(text) <= _SMALL
        yield Finding(
            "warning" if large else "note",
            ("analyses", number),
            f"There was no room for a factor of the FE model behind {analysis.name!r}: it was solved iteratively, and "
            f"at most {text} of a right-hand side is left.",
            "Compute it where there is more memory: trial vectors and what follows from them are this inexact."
            if large
            else "",
        )
