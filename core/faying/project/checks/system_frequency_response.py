"""Answers of systems to harmonic loads: existing loaded markers, and whatever else prevents a run."""

from collections.abc import Iterator

from faying.analyses.harmonics.loaded_system import LoadedSystemAnalysis
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("system_frequency_response")
def system_frequency_response(checked: CheckedProject) -> Iterator[Finding]:
    """Report errors that a frequency response or harmonic balance of a system would raise when it runs."""
    project = checked.project
    interfaces = {body.name: [item.name for item in body.interfaces] for body in project.bodies}
    markers = {system.name: system.marker_names(interfaces) for system in project.systems}
    for i, analysis in enumerate(project.analyses):
        if isinstance(analysis, LoadedSystemAnalysis) and analysis.system in markers:
            for problem in analysis.problems(markers[analysis.system]):
                yield Finding("error", ("analyses", i), problem.message, problem.hint)
