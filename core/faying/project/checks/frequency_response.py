"""Frequency responses: valid support, existing loaded nodes, and a valid frequency range."""

from collections.abc import Iterator

from faying.analyses.frequency_response import FrequencyResponse
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("frequency_response")
def frequency_response(checked: CheckedProject) -> Iterator[Finding]:
    """Report errors that a frequency response would raise when it runs."""
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, FrequencyResponse) or analysis.body not in bodies:
            continue
        body, path = bodies[analysis.body], ("analyses", i)
        known = [interface.name for interface in body.interfaces]
        for problem in analysis.problems(known, [joint.name for joint in body.contact_joints]):
            yield Finding("error", path, problem.message, problem.hint)
