"""Friction in constraints: whether it has all that its law needs."""

from collections.abc import Iterator

from faying.multibody.forces.joint_friction import JointFriction
from faying.project.checks import CheckedProject, Finding, checks


@checks.register("joint_frictions")
def joint_frictions(checked: CheckedProject) -> Iterator[Finding]:
    """Report friction in constraints whose law has something per area, and no area."""
    for i, system in enumerate(checked.project.systems):
        for k, force in enumerate(system.forces):
            clause, hint = force.problem() if isinstance(force, JointFriction) else ("", "")
            if clause:
                where = f"System {system.name!r}, force {force.name!r}"
                yield Finding("error", ("systems", i, "forces", k), f"{where} {clause}.", hint)
