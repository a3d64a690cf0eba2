"""Force, moment and power of the force elements of a system, and what they read of their own, such as their length."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.multibody.forces import Reading, forces
from faying.results.curve_key import AXES, CurveKey, Quantity


def _readings() -> Iterator[Reading]:
    """Yield what the members of the family read, each once."""
    yield from dict.fromkeys(reading for _, member in forces.items() for reading in member.readings)


@curve_sources.register("force_elements")
class ForceElements(SystemCurveSource):
    """Of springs, dampers, actuators and all other forces between markers."""

    title = "Force elements"
    owners_kind = "force"
    quantities = (
        Quantity(
            "force",
            "force",
            "Force on the second marker, along the axes of the first one; at a single marker along those of space.",
            AXES,
        ),
        Quantity("moment", "moment", "Moment on the second marker, about the same axes.", AXES),
        Quantity("power", "power", "Power that it gives to the parts; negative where it takes energy."),
        *(Quantity(*reading) for reading in _readings()),
    )

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the forces between markers; loads of bodies have curves of their own."""
        return [member.name for member in _members(subject)]

    def keys(self, subject: RecordedSystem) -> tuple[CurveKey, ...]:
        """Return the keys, owner by owner, of the readings that each has."""
        own = {member.name: {each.name for each in member.readings} for member in _members(subject)}
        common = ("force", "moment", "power")
        return tuple(
            key for key in super().keys(subject) if key.quantity in common or key.quantity in own[key.owner]
        )

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return force, moment, power and readings of each, in the order of the quantities."""
        now = state.state
        order = [quantity.name for quantity in self.quantities]
        for member, motions, angles in subject.system.force_elements(now.q, now.v, state.history):
            if not member.kind:
                continue
            force, moment = member.on_last(motions, now.time, angles)
            yield from (*force, *moment, member.power(motions, now.time, angles))
            names = [reading.name for reading in member.readings]
            read = dict(zip(names, member.read(motions, now.time, angles), strict=True))
            yield from (read[name] for name in sorted(names, key=order.index))


def _members(subject: RecordedSystem) -> list[Any]:
    return [member for member in subject.system.force_members if member.kind]
