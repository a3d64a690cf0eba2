"""Markers of a system's constraints and forces, checked before bodies are reduced."""

from collections.abc import Iterator

from faying.errors import there_are
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("system_markers")
def system_markers(checked: CheckedProject) -> Iterator[Finding]:
    """Check that the markers exist; for assembled systems `system_motion` reports this."""
    interfaces = {body.name: [node.name for node in body.interfaces] for body in checked.project.bodies}
    for i, system in enumerate(checked.project.systems):
        if checked.assembled.get(system.name) is not None:
            continue
        known, bodies = (
            system.marker_names(interfaces),
            {part.name: part.body_name() for part in system.parts},
        )
        for among in ("constraints", "forces", "measures", "controllers"):
            for k, member in enumerate(getattr(system, among)):
                for name in dict.fromkeys(member.marker_names()):
                    if name in known:
                        continue
                    part = name.partition(".")[0]
                    own = [each.partition(".")[2] for each in known if each.partition(".")[0] == part]
                    hint = there_are(name.partition(".")[2], own) if own else there_are(name, known)
                    if bodies.get(part) in interfaces and not interfaces[bodies[part]]:
                        hint = (
                            f"Body {bodies[part]!r} has no interface nodes, which are the markers of part "
                            f"{part!r}: add one where it is held or driven."
                        )
                    yield Finding(
                        "error", ("systems", i, among, k),
                        f"System {system.name!r}, {member.name!r}: there is no marker {name!r}.", hint,
                    )  # fmt: skip
