"""Analyses that build on the results of others."""

from faying.analyses import Analysis, analyses
from faying.errors import ModelError
from faying.project.specs import Project
from faying.project.stage import Target


def start_of(project: Project, target: Target, first: Analysis) -> dict[str, Target]:
    """Return the analyses on whose results another one builds, as needs; empty for none.

    Raises:
        ModelError: when there is none of that name, it is of another kind, body or system, or it builds on this one
            itself.
    """
    waiting: list[tuple[Analysis, str, tuple[str, ...]]] = []
    waiting += [(first, name, (first.name,)) for name in first.predecessors()]
    while waiting:
        analysis, name, seen = waiting.pop()
        before = project.analysis(name)
        if before.kind not in analysis.follows or before.owner != target.body or name in seen:
            titles = " or ".join(analyses[kind].title.lower() for kind in first.follows)
            raise ModelError(
                f"Analysis {first.name!r} cannot start from {name!r}.",
                f"Choose an analysis of {target.body!r} of the kind {titles}, one that does not start from this one.",
            )
        waiting += [(before, further, (*seen, name)) for further in before.predecessors()]
    # Numbered: the names of analyses do not count. The first has no number, as when there was but one.
    return {
        f"start {i + 1}" if i else "start": Target(target.stage, target.body, name)
        for i, name in enumerate(first.predecessors())
    }
