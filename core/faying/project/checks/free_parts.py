"""Parts that nothing holds and that can touch nothing: they fall through everything."""

from collections.abc import Iterator

from faying.analyses.motion import Motion
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("free_parts")
def free_parts(checked: CheckedProject) -> Iterator[Finding]:
    """Check that parts under gravity are held by something, or can land on something, in each system that moves."""
    moving = {analysis.system for analysis in checked.project.analyses if isinstance(analysis, Motion)}
    for i, system in enumerate(checked.project.systems):
        if system.name not in moving or not any(system.gravity):
            continue
        held = _held(system)
        for k, part in enumerate(system.parts):
            if part.name in held:
                continue
            yield Finding(
                "note", ("systems", i, "parts", k),
                f"Part {part.name!r} of system {system.name!r} falls freely: no constraint, force or contact joins it "
                "to ground, so that it goes through everything on its way.",
                _way_out(system, part.name),
            )  # fmt: skip


def _held(system: SystemSpec) -> set[str]:
    """Return ground and the parts that constraints, forces and contacts join to it, and those under a force alone."""
    joined = [member.marker_names() for member in (*system.constraints, *system.forces)]
    joined += [(contact.master, contact.slave) for contact in system.contacts]
    groups = [{name.partition(".")[0] for name in names} for names in joined]
    held = {GROUND}.union(*(group for group, names in zip(groups, joined, strict=True) if len(names) == 1))
    while reached := set().union(*(group for group in groups if group & held)) - held:
        held |= reached
    return held


def _way_out(system: SystemSpec, part: str) -> str:
    """Return the next step, with the names of surfaces that may touch."""
    others = [name for name in system.surface_names({}) if name.partition(".")[0] != part]
    own = [name for name in system.surface_names({}) if name.partition(".")[0] == part]
    if own and others:
        ground = next((name for name in others if name.partition(".")[0] == GROUND), others[0])
        return f"Add a contact between {own[0]!r} and {ground!r}, unless it is meant to fly."
    return "Give it and what it may land on contact surfaces, and add a contact, unless it is meant to fly."
