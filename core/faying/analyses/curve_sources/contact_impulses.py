"""Impulses of contacts between parts, and the restitution of their touches."""

from collections.abc import Iterable, Sequence

from faying.analyses.curve_sources import RecordedSystem, SystemCurveSource, SystemState, curve_sources
from faying.results.curve_key import AXES, CurveKey, Quantity


@curve_sources.register("contact_impulses")
class ContactImpulses(SystemCurveSource):
    """On the slave's part since the start; a part that touches itself has no restitution."""

    title = "Impulses of contacts"
    owners_kind = "contact"
    quantities = (
        Quantity("impulse", "impulse", "Impulse on the slave's part since the start.", AXES),
        Quantity("restitution", "", "Separation over approach speed of the last touch that has ended."),
    )

    def owners(self, subject: RecordedSystem) -> Sequence[str]:
        """Return the contacts, where the analysis sums over its steps."""
        counted = "impulse" in subject.run
        return [contact.name for contact in subject.system.contacts.members] if counted else ()

    def keys(self, subject: RecordedSystem) -> tuple[CurveKey, ...]:
        """Return the keys, without the restitution of a part that touches itself."""
        within = {contact.name for contact in subject.system.contacts.members if contact.within_part}
        return tuple(
            key for key in super().keys(subject) if key.quantity == "impulse" or key.owner not in within
        )

    def values(self, subject: RecordedSystem, state: SystemState) -> Iterable[float]:
        """Return impulse and restitution of each contact."""
        members = subject.system.contacts.members
        for contact, impulse, restitution in zip(members, state.impulses, state.restitutions, strict=True):
            yield from impulse
            if not contact.within_part:
                yield restitution
