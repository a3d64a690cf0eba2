"""Reduction studies: invalid comparisons, and recommendations of completed studies."""

from collections.abc import Iterator

from faying.analyses.reduction_study import ReductionStudy
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("reduction_advice")
def reduction_advice(checked: CheckedProject) -> Iterator[Finding]:
    """Report errors that a reduction study would raise, and repeat the recommendation of a completed one."""
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, ReductionStudy) or analysis.body not in bodies:
            continue
        path = ("analyses", i)
        for problem in analysis.problems([interface.name for interface in bodies[analysis.body].interfaces]):
            yield Finding("error", path, problem.message, problem.hint)
        for severity, sentence, hint in checked.reports.get(analysis.name, {}).get("advice", ()):
            yield Finding(severity, path, sentence, hint)
