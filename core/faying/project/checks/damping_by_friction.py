"""Damping by friction over amplitude: whether there is a friction law that it could come from."""

from collections.abc import Iterator

from faying.analyses import SystemAnalysis
from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.multibody.contacts.spec import PartContactSpec
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("damping_by_friction")
def damping_by_friction(checked: CheckedProject) -> Iterator[Finding]:
    """Check that a joint has a friction law where frequency and damping are found over the amplitude."""
    bodies = {body.name: body for body in checked.project.bodies}
    systems = {system.name: system for system in checked.project.systems}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, AmplitudeRange):
            continue
        names, of = [analysis.owner], "body"
        contacts: tuple[PartContactSpec, ...] = ()
        if isinstance(analysis, SystemAnalysis):
            system = systems.get(analysis.owner)
            names = [] if system is None else [part.body_name() for part in system.parts]
            contacts, of = () if system is None else tuple(system.contacts), "system"
        laws = [
            joint.friction_law for name in names if name in bodies for joint in bodies[name].contact_joints
        ]
        laws += [contact.friction_law for contact in contacts]
        if laws and all(law is None for law in laws):
            what = "joint or contact" if contacts else "joint"
            yield Finding(
                "warning", ("analyses", i),
                f"Analysis {analysis.name!r} finds damping over the amplitude, and no {what} of {of} "
                f"{analysis.owner!r} has a friction law: it dissipates nothing.",
                "Give a joint a friction law, or take the modes, which do not depend on the amplitude.",
            )  # fmt: skip
