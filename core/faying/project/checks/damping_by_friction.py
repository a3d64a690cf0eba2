"""Damping by friction over amplitude: whether there is a friction law that it could come from."""

from collections.abc import Iterator

from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("damping_by_friction")
def damping_by_friction(checked: CheckedProject) -> Iterator[Finding]:
    """Check that a joint of a body whose frequency and damping are found over the amplitude has a friction law."""
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, AmplitudeRange) or analysis.body not in bodies:
            continue
        joints = bodies[analysis.body].contact_joints
        if joints and all(joint.friction_law is None for joint in joints):
            yield Finding(
                "warning", ("analyses", i),
                f"Analysis {analysis.name!r} finds damping over the amplitude, and no joint of body {analysis.body!r} "
                "has a friction law: it dissipates nothing.",
                "Give a joint a friction law, or take the modes, which do not depend on the amplitude.",
            )  # fmt: skip
