"""A project with all its joints tied, for a first linear answer; its decisions stay what they are."""

from faying.analyses import BodyAnalysis
from faying.project.specs import Project


def all_tied(project: Project) -> tuple[Project, tuple[str, ...]]:
    """Return the project with all joints tied, and the names of the analyses that are left out, as they need contact.

    Analyses that start from results of these are left out with them.
    """
    jointed = {body.name for body in project.bodies if body.joints}
    bodies = tuple(body.with_(joints_tied=True) if body.joints else body for body in project.bodies)
    out = {
        analysis.name
        for analysis in project.analyses
        if isinstance(analysis, BodyAnalysis) and analysis.body in jointed and analysis.needs_joint_problem
    }
    while more := {
        analysis.name
        for analysis in project.analyses
        if analysis.name not in out and out & set(analysis.predecessors())
    }:
        out |= more
    kept = tuple(analysis for analysis in project.analyses if analysis.name not in out)
    return project.with_(bodies=bodies, analyses=kept), tuple(
        a.name for a in project.analyses if a.name in out
    )
