"""Stops: whether a system starts beyond a limit."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.multibody.stop_force import StopForce
from faying.project.checks import CheckedProject, Finding, checks
from faying.units import amount

_BEYOND = 1e-9  # of the system's largest length, or of a radian


@checks.register("stop_starts")
def stop_starts(checked: CheckedProject) -> Iterator[Finding]:
    """Report stops that push from the start because a limit is exceeded there, by how much."""
    for i, spec in enumerate(checked.project.systems):
        at = checked.assembled.get(spec.name)
        if at is None or isinstance(at, FayingError):
            continue
        velocity = at.start_velocity()
        for member, motions, angles in at.system.force_elements(at.position, velocity, at.history):
            if not isinstance(member, StopForce):
                continue
            first, second = motions
            over = -member.gap(member.measured(first, second, angles)[0])
            size = 1.0 if member.limits == "angle" else float(at.system.scales.max(initial=1.0))
            if over > _BEYOND * size:
                number = [force.name for force in spec.forces].index(member.name)
                yield Finding(
                    "warning", ("systems", i, "forces", number),
                    f"System {spec.name!r} starts {amount(over, member.limits, 4)} beyond a limit of the stop "
                    f"{member.name!r}, which pushes it back at once.",
                    "Place the parts within the limits, or change the limits.",
                )  # fmt: skip
