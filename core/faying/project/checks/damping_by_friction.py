"""Damping by friction over amplitude: whether there is a friction law that it could come from."""

from collections.abc import Iterator

from faying.analyses import SystemAnalysis
from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("damping_by_friction")
def damping_by_friction(checked: CheckedProject) -> Iterator[Finding]:
    """Check that a joint has a friction law where frequency and damping are found over the amplitude."""
    bodies = {body.name: body for body in checked.project.bodies}
    systems = {system.name: system for system in checked.project.systems}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, AmplitudeRange):
            continue
        names = [analysis.owner]
        if isinstance(analysis, SystemAnalysis):
            parts = systems[analysis.owner].parts if analysis.owner in systems else ()
            names = [name for part in parts if (name := part.body_name())]
        joints = [joint for name in names if name in bodies for joint in bodies[name].contact_joints]
        if joints and all(joint.friction_law is None for joint in joints):
            of = "system" if isinstance(analysis, SystemAnalysis) else "body"
            yield Finding(
                "warning", ("analyses", i),
                f"Analysis {analysis.name!r} finds damping over the amplitude, and no joint of {of} {analysis.owner!r} "
                "has a friction law: it dissipates nothing.",
                "Give a joint a friction law, or take the modes, which do not depend on the amplitude.",
            )  # fmt: skip
