"""Curves of analyses from the probes of bodies."""

from faying.analyses import Analysis, BodyAnalysis, SystemAnalysis
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.project.specs import Project
from faying.results.places import PlaceCurve


def probe_curves(project: Project, analysis: Analysis | None) -> list[PlaceCurve]:
    """Return the probe curves of an analysis: of its body, or of each flexible part of its system; none for None."""
    bodies = {body.name: body for body in project.bodies}
    if isinstance(analysis, BodyAnalysis):
        body = bodies.get(analysis.body)
        return [probe.curve() for probe in body.probes] if body is not None else []
    if not isinstance(analysis, SystemAnalysis):
        return []
    system = next((system for system in project.systems if system.name == analysis.system), None)
    parts = (
        [part for part in system.parts if isinstance(part, FlexiblePartSpec)] if system is not None else []
    )
    return [
        probe.curve(part.name) for part in parts if part.body in bodies for probe in bodies[part.body].probes
    ]
