"""Analyses that build on the results of another one."""

from faying.analyses import Analysis, analyses
from faying.errors import ModelError
from faying.project.specs import Project
from faying.project.stage import Target


def start_of(project: Project, target: Target, first: Analysis) -> dict[str, Target]:
    """Return the analysis on whose results another one builds, as a need; empty for none.

    Raises:
        ModelError: when there is none of that name, it is of another kind, body or system, or it builds on this one
            itself.
    """
    analysis, seen = first, []
    while name := analysis.predecessor():
        seen.append(analysis.name)
        kinds, analysis = analysis.follows, project.analysis(name)
        if analysis.kind not in kinds or analysis.owner != target.body or name in seen:
            titles = " or ".join(analyses[kind].title.lower() for kind in first.follows)
            raise ModelError(
                f"Analysis {first.name!r} cannot start from {name!r}.",
                f"Choose an analysis of {target.body!r} of the kind {titles}, one that does not start from this one.",
            )
    return {"start": Target(target.stage, target.body, first.predecessor())} if seen else {}
